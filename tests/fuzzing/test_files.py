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
from tests.fuzzing.running import NUMBERS, feed, few_or_many
from tests.pdfs import pdf
from workbench.core.errors import WorkbenchError
from workbench.core.model_answers import Judge, ModelAnswer
from workbench.formats.documents.page_images import HEIGHT, WIDTH, drawn_pages
from workbench.formats.documents.reading import read_documents
from workbench.formats.model_labels.columns import read_autojudge, read_rag25
from workbench.formats.model_labels.exported import Step, exported_lines, read_exported
from workbench.formats.model_labels.umbrela import read_umbrela
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

OWN_LABELS = "".join(
    exported_lines(
        [Step(Judge("gpt", prompt="x"), [], []), Step(None, [ModelAnswer("1", "d1", grade=1, raw="1")], [])]
    )
).encode()
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
    "labels of six columns": (read_rag25, [b"1 Q0 d1 2 0.5 gpt\n2 Q0 d2 0 1 gpt\n"]),
    "labels of AutoJudge": (read_autojudge, [b"1 0 d1 True\n2 0 md5:00 2.0\n"]),
    "own labels": (read_exported, [OWN_LABELS]),
    "labels of UMBRELA": (
        lambda path: read_umbrela(path, path),
        [
            b'{"query":{"qid":"1","text":"q"},"candidates":[{"docid":"d","doc":"p"}],"passage":"p","judgment":1}\n',
            b'{"query":"q","passage":"p","judgment":2,"result_status":1,"prompt":"x","model":"m"}\n',
        ],
    ),
    "assignments": (lambda path: read_assignments(load(path)), ASSIGNMENTS),
}
IN_TWO_MANNERS = {"run", "qrels", "subtopic qrels"}


def read_or_refused(read: Callable[..., object], *given: Any) -> None:
    """A refusal is one of the project's own errors, and says something."""
    try:
        read(*given)
    except WorkbenchError as error:
        assert str(error)


@few_or_many
@pytest.mark.parametrize("kind", PLAIN)
def test_a_broken_file_is_read_or_refused_with_a_reason(kind: str, tmp_path: Path, many: bool) -> None:
    read, good = PLAIN[kind]
    path = tmp_path / "file"

    def check(broken: tuple[bytes, bool]) -> None:
        data, lenient = broken
        path.write_bytes(data)
        read_or_refused(read, path, *([LENIENT] if lenient else []))

    lenient = st.booleans() if kind in IN_TWO_MANNERS else st.just(False)
    feed(st.tuples(mutated(also_compressed(good)), lenient), check, NUMBERS[kind].some(many))


@few_or_many
def test_a_broken_file_of_documents_is_read_or_refused_with_a_reason(tmp_path: Path, many: bool) -> None:
    def check(broken: tuple[str, bytes]) -> None:
        suffix, data = broken
        path = tmp_path / f"file{suffix}"
        path.write_bytes(data)
        read_or_refused(lambda: list(read_documents(path)))

    suffixes = sorted({suffix for suffix, _ in DOCUMENTS})
    good = [data for _, data in DOCUMENTS]
    of_its_kind = st.sampled_from(DOCUMENTS).flatmap(
        lambda file: st.tuples(st.just(file[0]), mutated([file[1]]))
    )
    of_any = st.tuples(st.sampled_from(suffixes), mutated(good))
    feed(of_its_kind | of_any, check, NUMBERS["documents"].some(many))


@few_or_many
def test_pages_of_a_broken_pdf_are_drawn_in_bounds_or_left_out_with_a_reason(many: bool) -> None:
    def check(broken: bytes) -> None:
        found = drawn_pages(broken, 3)
        assert found.warning or len(found.images) == 3
        assert all(page.width <= WIDTH + 1 and page.height <= HEIGHT + 1 for page in found.images)

    good = [data for suffix, data in DOCUMENTS if suffix == ".pdf"]
    drawing = pdf("Ice.", b"0 0 m 500 500 l S", "Snow.", packed=True)
    feed(mutated([*good, drawing]), check, NUMBERS["pages of a PDF"].some(many))


@few_or_many
def test_a_broken_scale_is_read_or_refused_with_a_reason(many: bool) -> None:
    def check(broken: tuple[bytes, int]) -> None:
        read_or_refused(parse_scale, broken[0].decode("utf-8", "surrogateescape"), broken[1])

    scales = st.tuples(mutated([SCALE, b"0:No,1:Yes"]), st.integers(-3, 3))
    feed(scales, check, NUMBERS["scale"].some(many))
