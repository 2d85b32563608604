from __future__ import annotations

from pathlib import Path

import pytest

from tests.formats.collections_of_documents import read, refusal
from tests.pdfs import drawn, of_objects, pdf, stream
from tests.sentences import says
from workbench.core.errors import InputError, Problem
from workbench.core.records import Document
from workbench.formats.documents import in_pdf
from workbench.formats.documents.reading import read_documents

TWO = pdf("Ice on rivers.\nIt melts.", "Warm (lakes).", title="Rivers")


def warned(path: Path) -> tuple[list[Document], list[str]]:
    """The documents of a file or folder, and its warnings."""
    warnings: list[Problem] = []
    found = list(read_documents(path, on_warning=warnings.append))
    return found, [warning.message for warning in warnings]


def test_each_page_stands_under_its_number(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "a.pdf", TWO)
    assert document == Document(
        "a", "Rivers", "Page 1 of 2\n\nIce on rivers.\nIt melts.\n\nPage 2 of 2\n\nWarm (lakes).",
        "text/plain", {"pages": "2"},
    )  # fmt: skip


def test_short_lines_end_paragraphs_and_headings(tmp_path: Path) -> None:
    page = (
        "1. Rivers\nIn winter the rivers of the north are frozen from bank to bank, and ships\nwait in the ports "
        "until spring, as their owners know and have always known.\nThey melt in May.\nLakes are warmer than rivers, "
        "and some of them do not freeze at all, which\nis known."
    )
    (document,) = read(tmp_path, "a.pdf", pdf(page))
    assert document.text.split("\n\n")[0] == "1. Rivers"
    assert document.text.split("\n\n")[2].startswith("Lakes")


def test_scripts_and_attachments_are_not_looked_at(tmp_path: Path) -> None:
    script = "/OpenAction << /S /JavaScript /JS (app.alert\\('run'\\)) >> /AA << /O << /S /Launch /F (calc.exe) >> >>"
    (document,) = read(tmp_path, "a.pdf", pdf("Ice.", more=script))
    assert document.text == "Ice."


def test_a_page_that_cannot_be_read_says_so_in_its_place(tmp_path: Path) -> None:
    bomb = stream(b" " * (in_pdf.LONGEST_STREAM + 1), packed=True)
    page = b"<< /Type /Page /Parent 2 0 R /Contents %d 0 R /Resources << /Font << /F1 3 0 R >> >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [5 0 R 6 0 R 7 0 R] /Count 3 >>",
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", b"<< >>", page % 8, page % 9, page % 10,
        stream(drawn("Ice.")), bomb, stream(b""),
    ]  # fmt: skip
    (tmp_path / "a.pdf").write_bytes(of_objects(objects))
    (document,), warnings = warned(tmp_path / "a.pdf")
    assert document.text == "Page 1 of 3\n\nIce.\n\nPage 2 of 3 (cannot be read)\n\nPage 3 of 3 (no text)"
    assert says("\n".join(warnings))


def test_a_scan_is_an_empty_document_with_a_warning_that_names_the_way_out(tmp_path: Path) -> None:
    (tmp_path / "a.pdf").write_bytes(pdf("", ""))
    (document,), warnings = warned(tmp_path / "a.pdf")
    assert document.text == ""
    assert says("\n".join(warnings))


@pytest.mark.parametrize(
    "data",
    [
        b"%PDF-1.7 ...",
        pdf(),
        TWO[:400],
        TWO.replace(b"/Kids [", b"/Kids [2 0 R "),
        pdf(*[b""] * 2001),
        b"<html>not found</html>",
        b"",
    ],
)
def test_what_cannot_be_read_is_refused_with_a_way_out(data: bytes, tmp_path: Path) -> None:
    assert says(refusal(tmp_path, "a.pdf", data), "a.pdf")


# The moment may fall into what Hypothesis does when memory is collected: it is lost there, and the next one comes.
may_be_lost_once = pytest.mark.filterwarnings(
    "ignore:Exception ignored:pytest.PytestUnraisableExceptionWarning"
)


@may_be_lost_once
def test_what_takes_too_long_is_ended_and_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_pdf, "MOST_SECONDS", 0.2)
    page = drawn("Ice.") * 3_000
    assert says(refusal(tmp_path, "a.pdf", pdf(*[page] * 20)))


@may_be_lost_once
def test_what_takes_too_much_memory_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_pdf, "MOST_MEGABYTES", -1)
    assert says(refusal(tmp_path, "a.pdf", pdf(*[drawn("Ice.") * 3_000] * 20)))


def test_a_form_that_draws_itself_many_times_ends(tmp_path: Path) -> None:
    def form(number: int) -> bytes:
        inner = f"/Resources << /XObject << /X {number + 1} 0 R >> >> /Subtype /Form /BBox [0 0 9 9] "
        return stream(b"/X Do " * 10, more=inner)

    page = b"<< /Type /Page /Parent 2 0 R /Contents 6 0 R /Resources << /XObject << /X 7 0 R >> >> >>"
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>", b"<< /Type /Pages /Kids [5 0 R] /Count 1 >>", b"<< >>", b"<< >>",
        page, stream(b"/X Do"), *map(form, range(7, 17)), stream(b"", more="/Subtype /Form "),
    ]  # fmt: skip
    assert [document.text for document in read(tmp_path, "a.pdf", of_objects(objects))] == [""]


def test_pages_are_together_as_long_as_a_document_and_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.formats.documents.in_pdf.LONGEST_DOCUMENT", 30)
    assert [each.text for each in read(tmp_path, "a.pdf", pdf("x" * 30))] == ["x" * 30]
    assert says(refusal(tmp_path, "a.pdf", pdf("x" * 20, "y" * 11)))


def test_the_twenty_fifth_file_that_cannot_be_read_ends_the_reading_of_a_folder(tmp_path: Path) -> None:
    for number in range(27):
        (tmp_path / f"{number:02}.pdf").write_bytes(b"%PDF-1.7 ...")
    with pytest.raises(InputError) as caught:
        list(read_documents(tmp_path))
    assert [Path(problem.file).name for problem in caught.value.problems] == [
        f"{n:02}.pdf" for n in range(25)
    ]


@pytest.mark.parametrize(
    "what", ["pypdf.PdfReader.__init__", "pypdf.PageObject.extract_text", "pypdf.PdfReader.metadata"]
)
def test_that_memory_runs_out_is_not_the_fault_of_the_file(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def runs_out(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(what, property(runs_out) if what.endswith("metadata") else runs_out)
    with pytest.raises(MemoryError):
        read(tmp_path, "a.pdf", TWO)


def test_a_title_that_cannot_be_read_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise ValueError

    monkeypatch.setattr("pypdf.PdfReader.metadata", property(fails))
    assert [document.title for document in read(tmp_path, "a.pdf", TWO)] == [""]


def test_a_file_without_a_readable_page_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(_: object) -> None:
        raise ValueError

    monkeypatch.setattr("pypdf.PageObject.extract_text", fails)
    assert says(refusal(tmp_path, "a.pdf", TWO))
