from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import ir_measures
import polars as pl
import pytest

from tests.sentences import refused, says
from workbench.core.errors import InputError
from workbench.formats.in_memory import is_one_run, qrels_frame, run_frame

LINES = [("1", "d2", 1.5), ("1", "d1", 2.0), ("007", "é", -1.0)]


class Frame:
    """What a pandas frame has in common with ours: columns that give lists."""

    class Column(list[Any]):
        def to_list(self) -> list[Any]:
            return list(self)

    def __init__(self, **columns: list[Any]) -> None:
        self._columns = columns

    @property
    def columns(self) -> list[str]:
        return list(self._columns)

    def __getitem__(self, name: str) -> Column:
        return self.Column(self._columns[name])


class TwoScores(Frame):
    """What `pandas.concat` makes of two frames side by side."""

    @property
    def columns(self) -> list[str]:
        return [*super().columns, "score"]


class Line(NamedTuple):
    qid: str
    docno: str
    score: float


def generator() -> Iterator[tuple[str, str, float]]:
    yield from LINES


@pytest.mark.parametrize(
    "source",
    [
        {"1": {"d2": 1.5, "d1": 2}, "007": {"é": -1}},
        LINES,
        generator(),
        [ir_measures.ScoredDoc(*line) for line in LINES],
        [Line(*line) for line in LINES],
        pl.DataFrame(LINES, ["query_id", "doc_id", "score"], orient="row"),
        pl.DataFrame(LINES, ["topic_id", "document_id", "score"], orient="row").select(
            "score", "document_id", "topic_id"
        ),
        pl.LazyFrame(LINES, ["query_id", "doc_id", "score"], orient="row"),
        Frame(qid=["1", "1", "007"], docno=["d2", "d1", "é"], score=[1.5, 2.0, -1.0], rank=[1, 2, 3]),
    ],
    ids=lambda source: type(source).__name__,
)
def test_a_run_is_read_from_whatever_holds_it(source: object) -> None:
    frame = run_frame(source)
    assert frame.rows() == LINES
    assert frame.schema == {"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64}


@pytest.mark.parametrize(
    "source",
    [
        {"1": {"a": 1, "b": -2}, "2": {"a": 0}},
        [("1", "a", 1), ("1", "b", -2.0), ("2", "a", 0)],
        [ir_measures.Qrel("1", "a", 1), ir_measures.Qrel("1", "b", -2), ir_measures.Qrel("2", "a", 0)],
        Frame(query_id=["1", "1", "2"], doc_id=["a", "b", "a"], relevance=[1, -2, 0]),
        Frame(qid=["1", "1", "2"], docno=["a", "b", "a"], label=[1.0, -2.0, 0.0]),
    ],
    ids=lambda source: type(source).__name__,
)
def test_qrels_are_read_from_whatever_holds_them(source: object) -> None:
    frame = qrels_frame(source)
    assert frame.rows() == [("1", "a", 1), ("1", "b", -2), ("2", "a", 0)]
    assert frame.schema["grade"] == pl.Int64


@pytest.mark.parametrize("empty", [{}, [], {"1": {}}, Frame(qid=[], docno=[], score=[])])
def test_nothing_is_a_run_without_lines(empty: object) -> None:
    assert run_frame(empty).shape == (0, 3)


@pytest.mark.parametrize(
    "source",
    [
        {"1": {"a": float("nan")}},
        {"1": {"a": None}},
        {"1": {"a": 1.0, "b": "12"}},
        {"1": {"a": 1.0, "b": 2.0, "c": 3j}},
        {"1": {"a": 1j}},
        {"1": {"\udcff": 1.0}},
        {1: {"a": 1.0}},
        {"1": {7: 1.0}},
        {"1": 5},
        [("1", "a", 1.0), ("1", "a", 2.0)],
        [("1", "a")],
        Frame(qid=["1"], score=[1.0]),
        TwoScores(qid=["1"], docno=["a"], score=[1.0]),
        5,
    ],
)
def test_a_run_that_is_none_is_refused_with_what_is_wrong(source: object) -> None:
    with refused(InputError):
        run_frame(source)


@pytest.mark.parametrize("grade", [0.5, float("nan"), float("inf"), 40000, "high"])
def test_a_grade_that_is_none_is_refused(grade: object) -> None:
    with pytest.raises(InputError) as error:
        qrels_frame([("1", "a", grade)])
    assert says(str(error.value))


def test_columns_of_other_types_are_read_or_refused_as_objects_are() -> None:
    frame = pl.DataFrame({"qid": ["1", "1"], "docno": ["a", "b"], "score": [2, 1]})
    expected = [("1", "a", 2.0), ("1", "b", 1.0)]
    assert run_frame(frame).rows() == expected
    assert run_frame(frame.with_columns(pl.col("qid", "docno").cast(pl.Categorical))).rows() == expected
    assert run_frame(frame.with_columns(pl.col("score").cast(pl.Decimal(10, 2)))).rows() == expected
    for column, values, said in [
        ("qid", [1, 1], "topic 1 is not text"),
        ("docno", ["a", None], "document None is not text"),
        ("score", ["2", "1"], "the score of document 'a' of topic '1' is '2', not a number"),
        ("score", [2.0, None], "document 'b' of topic '1' has no score"),
    ]:
        with pytest.raises(InputError, match=said):
            run_frame(frame.with_columns(pl.Series(column, values)))


@pytest.mark.parametrize(
    ("source", "one"),
    [
        ({"1": {"a": 1.0}}, True),
        ({"alpha": {"1": {"a": 1.0}}}, False),
        ({"alpha": "alpha.run"}, False),
        (["a.run", "b.run"], False),
        ([{"1": {"a": 1.0}}], False),
        (LINES, True),
        (Frame(qid=[]), True),
        ([Frame(qid=[])], False),
        ([pl.LazyFrame({"qid": []})], False),
        ({}, True),
        ([], True),
    ],
)
def test_one_run_is_distinguished_from_several(source: object, one: bool) -> None:
    assert is_one_run(source) == one


def test_a_number_that_no_score_can_be_is_refused_as_the_library_says_it() -> None:
    with pytest.raises(InputError, match=r"a score: .+"):
        run_frame([("1", "d1", 1.0), ("1", "d2", 10**400)])
