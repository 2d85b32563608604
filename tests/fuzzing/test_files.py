"""Files of every kind, broken in every way: they are read, or refused in words."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import strategies as st

from tests.fuzzing.good_files import (
    ASSIGNMENTS,
    DOCUMENTS,
    QRELS,
    RUN,
    SCALE,
    SEVERAL_TAGS,
    SUBTOPIC_QRELS,
    TOPICS,
    ZSCORES,
    also_compressed,
)
from tests.fuzzing.mutations import mutated
from tests.fuzzing.running import NUMBERS, feed
from tests.pdfs import pdf
from workbench.core.errors import WorkbenchError
from workbench.formats.documents.page_images import HEIGHT, WIDTH, drawn_pages
from workbench.formats.documents.reading import read_documents
from workbench.formats.pair_lists import read_pairs
from workbench.formats.people_lists import read_assignments
from workbench.formats.qrels import read_qrels, read_subtopic_qrels
from workbench.formats.run_tables import read_run_table
from workbench.formats.runs import read_run
from workbench.formats.scale import parse_scale
from workbench.formats.text.content import load
from workbench.formats.text.parse_mode import ParseMode
from workbench.formats.topics.reading import read_topics
from workbench.formats.zscores import read_zscores

LENIENT = ParseMode(comments=False, lenient=True)
PLAIN: dict[str, tuple[Callable[..., object], list[bytes]]] = {
    "run": (read_run, [RUN, SEVERAL_TAGS]),
    "qrels": (read_qrels, [QRELS]),
    "run table": (
        lambda path: read_run_table(load(path)),
        [b"run,team,depth,priority\na,A,50,1\nb,A,,2\n", b"tag;depth\n'=x;3\n"],
    ),
    "pairs": (read_pairs, [QRELS, b"1 d1\n1 d2\n2 d1\n"]),
    "subtopic qrels": (read_subtopic_qrels, [SUBTOPIC_QRELS]),
    "topics": (read_topics, TOPICS),
    "z-scores": (read_zscores, [ZSCORES]),
    "assignments": (lambda path: read_assignments(load(path)), ASSIGNMENTS),
}
IN_TWO_MANNERS = {"run", "qrels", "subtopic qrels"}


def read_or_refused(read: Callable[..., object], *given: Any) -> None:
    """A refusal is one of the project's own errors, and says something."""
    try:
        read(*given)
    except WorkbenchError as error:
        assert str(error)


def fuzz_file(kind: str, folder: Path, number: int) -> None:
    read, good = PLAIN[kind]
    path = folder / "file"

    def check(broken: tuple[bytes, bool]) -> None:
        data, lenient = broken
        path.write_bytes(data)
        read_or_refused(read, path, *([LENIENT] if lenient else []))

    lenient = st.booleans() if kind in IN_TWO_MANNERS else st.just(False)
    feed(st.tuples(mutated(also_compressed(good)), lenient), check, number)


def fuzz_documents(folder: Path, number: int) -> None:
    def check(broken: tuple[str, bytes]) -> None:
        suffix, data = broken
        path = folder / f"file{suffix}"
        path.write_bytes(data)
        read_or_refused(lambda: list(read_documents(path)))

    suffixes = sorted({suffix for suffix, _ in DOCUMENTS})
    good = [data for _, data in DOCUMENTS]
    of_its_kind = st.sampled_from(DOCUMENTS).flatmap(
        lambda file: st.tuples(st.just(file[0]), mutated([file[1]]))
    )
    feed(of_its_kind | st.tuples(st.sampled_from(suffixes), mutated(good)), check, number)


def fuzz_pages(number: int) -> None:
    """Pages of broken PDF files are drawn as images of bounded size, or left out in a sentence."""

    def check(broken: bytes) -> None:
        found = drawn_pages(broken, 3)
        assert found.warning or len(found.images) == 3
        assert all(page.width <= WIDTH + 1 and page.height <= HEIGHT + 1 for page in found.images)

    good = [data for suffix, data in DOCUMENTS if suffix == ".pdf"]
    feed(mutated([*good, pdf("Ice.", b"0 0 m 500 500 l S", "Snow.", packed=True)]), check, number)


def fuzz_scale(number: int) -> None:
    def check(broken: tuple[bytes, int]) -> None:
        read_or_refused(parse_scale, broken[0].decode("utf-8", "surrogateescape"), broken[1])

    feed(st.tuples(mutated([SCALE, b"0:No,1:Yes"]), st.integers(-3, 3)), check, number)


@pytest.mark.parametrize("kind", PLAIN)
def test_a_broken_file_is_read_or_refused_with_a_reason(kind: str, tmp_path: Path) -> None:
    fuzz_file(kind, tmp_path, NUMBERS[kind].few)


@pytest.mark.slow
@pytest.mark.parametrize("kind", PLAIN)
def test_many_broken_files_are_read_or_refused_with_a_reason(kind: str, tmp_path: Path) -> None:
    fuzz_file(kind, tmp_path, NUMBERS[kind].many)


def test_a_broken_file_of_documents_is_read_or_refused_with_a_reason(tmp_path: Path) -> None:
    fuzz_documents(tmp_path, NUMBERS["documents"].few)


@pytest.mark.slow
def test_many_broken_files_of_documents_are_read_or_refused_with_a_reason(tmp_path: Path) -> None:
    fuzz_documents(tmp_path, NUMBERS["documents"].many)


def test_pages_of_a_broken_pdf_are_drawn_or_left_out_with_a_reason() -> None:
    fuzz_pages(NUMBERS["pages of a PDF"].few)


@pytest.mark.slow
def test_pages_of_many_broken_pdf_files_are_drawn_or_left_out_with_a_reason() -> None:
    fuzz_pages(NUMBERS["pages of a PDF"].many)


def test_a_broken_scale_is_read_or_refused_with_a_reason() -> None:
    fuzz_scale(NUMBERS["scale"].few)


@pytest.mark.slow
def test_many_broken_scales_are_read_or_refused_with_a_reason() -> None:
    fuzz_scale(NUMBERS["scale"].many)
