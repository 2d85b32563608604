from __future__ import annotations

import gzip
from base64 import b64encode
from pathlib import Path

import pytest

from tests.formats.collections_of_documents import read, refusal, warc, warnings, write
from tests.images import png, png_bomb
from tests.pdfs import pdf
from tests.sentences import says
from workbench.core.errors import InputError
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents


def test_pages_of_a_warc_file_are_decoded_by_their_charset(tmp_path: Path) -> None:
    page = "<html><title>č</title></html>"
    content = warc(
        ("a", "text/html; charset=iso-8859-2", page.encode("iso-8859-2")),
        ("b", "text/html", b"<meta charset=windows-1250>" + page.encode("cp1250")),
        ("c", "text/plain", b"plain"),
        ("d", "application/pdf", b"%PDF"),
    )
    path = write(tmp_path, {"x.warc.gz": gzip.compress(content)}) / "x.warc.gz"
    first, second, third, fourth = read_documents(path)
    assert first == Document("a", "č", page, "text/html", {"url": "http://x/a"})
    assert second.title == "č"
    assert third.text == "plain"
    assert (fourth.text, fourth.fields["content type"]) == ("", "application/pdf")
    assert says("\n".join([message.split(": ", 1)[1] for message in warnings(path)]))


def test_pdf_files_of_a_warc_file_are_read_and_one_that_is_broken_holds_up_no_other(tmp_path: Path) -> None:
    content = warc(
        ("a", "application/pdf", b"%PDF-1.7 broken"),
        ("b", "application/pdf; x", pdf("Ice.", "Snow.", title="Rivers")),
    )
    path = write(tmp_path, {"x.warc": content}) / "x.warc"
    assert list(read_documents(path)) == [
        Document("a", "", "", "text/plain", {"url": "http://x/a", "content type": "application/pdf"}),
        Document(
            "b", "Rivers", "Page 1 of 2\n\nIce.\n\nPage 2 of 2\n\nSnow.", "text/plain",
            {"url": "http://x/b", "pages": "2"},
        ),
    ]  # fmt: skip
    assert says(warnings(path)[0])


def test_an_image_in_a_warc_file_is_a_document_that_shows_it(tmp_path: Path) -> None:
    content = warc(
        ("ice&snow.png", "image/png", png()),
        ("damaged.png", "image/png", png()[:20]),
        ("bomb.png", "image/png", png_bomb(30_000, 30_000)),
        ("drawing.svg", "image/svg+xml", b"<svg/>"),
    )
    path = write(tmp_path, {"x.warc": content}) / "x.warc"
    shown, *others = read_documents(path)
    address = f"data:image/png;base64,{b64encode(png()).decode()}"
    assert shown == Document(
        "ice&snow.png",
        "ice&snow.png",
        f'<img src="{address}" alt="ice&amp;snow.png">',
        "text/html",
        {"url": "http://x/ice&snow.png"},
    )
    assert [(other.text, other.fields["content type"]) for other in others] == [
        ("", "image/png"), ("", "image/png"), ("", "image/svg+xml"),
    ]  # fmt: skip
    assert says(warnings(path)[0])


def test_a_response_with_a_broken_status_line_is_read_without_its_headers(tmp_path: Path) -> None:
    content = warc(("a", "text/html", b"<p>1</p>"), ("b", "text/html", b"<p>2</p>"))
    path = write(tmp_path, {"x.warc": content.replace(b"HTTP/1.1 200", b"HTTP/x.1 200", 1)}) / "x.warc"
    assert [document.text for document in read_documents(path)] == ["<p>1</p>", "<p>2</p>"]
    assert says("\n".join([message.split(": ", 1)[1] for message in warnings(path)]))


def test_a_record_of_negative_length_costs_no_other_record(tmp_path: Path) -> None:
    record = b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: -7\r\n\r\n"
    path = write(tmp_path, {"x.warc": record + warc(("a", "text/html", b"<p>1</p>"))}) / "x.warc"
    assert [document.document_id for document in read_documents(path)] == ["a"]
    assert says(warnings(path)[0])


def test_a_page_that_expands_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("workbench.formats.documents.in_warc.LONGEST_DOCUMENT", 1_000)
    packed = gzip.compress(b"x" * 100_000)
    content = warc(("a", "text/html\r\nContent-Encoding: gzip", packed))
    with pytest.raises(InputError, match=r"x\.warc"):
        list(read_documents(write(tmp_path, {"x.warc": content}) / "x.warc"))


def test_a_file_that_ends_within_its_last_record_is_read_as_far_as_it_goes_with_a_warning(
    tmp_path: Path,
) -> None:
    content = warc(("a", "text/html", b"<p>1</p>"), ("b", "text/html", b"<p>long</p>"))
    cut_off = content[: content.index(b"ng</p>")]
    path = write(tmp_path, {"x.warc": cut_off, "whole.warc": content}) / "x.warc"
    assert [document.text for document in read_documents(path)] == ["<p>1</p>", "<p>lo"]
    assert says("\n".join([message.split(": ", 1)[1] for message in warnings(path)]))
    assert warnings(tmp_path / "whole.warc") == []


def test_a_record_longer_than_a_document_may_be_is_refused_before_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    content = warc(("a", "text/html", b"<p>1</p>"))
    length = int(content.rpartition(b"Content-Length: ")[2].partition(b"\r")[0])
    monkeypatch.setattr("workbench.formats.documents.in_warc.LONGEST_DOCUMENT", length)
    (page,) = read(tmp_path, "x.warc", content)
    assert page.text == "<p>1</p>"
    monkeypatch.setattr("workbench.formats.documents.in_warc.LONGEST_DOCUMENT", length - 1)
    assert says(refusal(tmp_path, "x.warc", content))
