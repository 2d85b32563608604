from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import says
from workbench.core.errors import InputError
from workbench.formats.qrels import (
    QrelsFile,
    checked_qrels,
    highest_grades,
    qrels_problems,
    qrels_table,
    read_subtopic_qrels,
)
from workbench.formats.text.columns import read_columns, slow_columns
from workbench.formats.text.content import Content
from workbench.formats.text.parse_mode import ParseMode
from workbench.formats.text.rows import BY_SUBTOPIC

FOUR = "1 1 a 1\n1 2 a 0\n1 2 b -1\n2 x a 2\n"
ROWS = [("1", "1", "a", 1), ("1", "2", "a", 0), ("1", "2", "b", -1), ("2", "x", "a", 2)]


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def qrels_of(text: str | bytes) -> QrelsFile:
    Path("a.qrels").write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_subtopic_qrels("a.qrels")


def refusal(text: str | bytes) -> list[str]:
    with pytest.raises(InputError) as caught:
        qrels_of(text)
    return str(caught.value).splitlines()


@pytest.mark.parametrize(
    "text",
    [
        FOUR.replace(" ", "\t"),
        FOUR.replace("\n", " \r\n"),
        "\ufeff# one\n\n" + FOUR,
        FOUR.rstrip(),
        FOUR.replace("1 2 a", "1\v2 a"),
        gzip.compress(FOUR.encode(), mtime=0),
    ],
)
def test_the_layout_of_the_lines_does_not_matter(text: str | bytes) -> None:
    assert qrels_of(text).frame.rows() == ROWS


def test_a_document_judged_twice_for_a_subtopic_is_named_with_its_line() -> None:
    assert says("\n".join(refusal(FOUR + "1 2 a 0\n")))


def test_what_is_wrong_with_a_line_is_reported_as_for_other_qrels() -> None:
    assert says("\n".join(refusal(FOUR + "1 3 a 0.5\n1 3 a\n")))


def test_one_subtopic_for_everything_is_reported() -> None:
    [warning] = qrels_of("1 0 a 1\n2 0 a 1\n").warnings
    assert says(warning.message, "0")


def test_grades_can_be_read_leniently() -> None:
    table = qrels_table(Content("q", b"1 1 a 0.5\n1 2 a x\n"), ParseMode(lenient=True), BY_SUBTOPIC)
    assert table.frame["grade"].to_list() == [0, 0]


def test_a_document_has_the_highest_of_its_grades_for_the_topic() -> None:
    assert highest_grades(qrels_of(FOUR).frame).rows() == [("1", "a", 1), ("1", "b", -1), ("2", "a", 2)]


words = st.sampled_from(["1", "2", "12", "a"])


@given(rows=st.lists(st.tuples(words, words, words), max_size=6))
def test_triples_are_repeated_for_the_fast_reading_where_they_are_for_the_slow_one(
    rows: list[tuple[str, str, str]],
) -> None:
    data = "".join(f"{' '.join(row)} 1\n" for row in rows).encode()
    table = read_columns(data, BY_SUBTOPIC.columns)
    is_taken = table is not None and checked_qrels(table, form=BY_SUBTOPIC) is not None
    assert is_taken == (qrels_problems(Content("q", data), form=BY_SUBTOPIC) == [])
    if table is not None:
        assert table.frame.equals(slow_columns(data, BY_SUBTOPIC.columns).frame)
