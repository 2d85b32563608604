"""Dicts are scored without tables, and their numbers and refusals are those that tables give."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from tests.sentences import refused
from workbench.core.errors import InputError
from workbench.scoring.evaluation.of_dicts import DictJudgments

MEASURES = ["AP", "nDCG@3", "RR", "bpref", "NumRelRet", "P@2", "Judged@3", "AP(mean=geometric)"]
IDS = st.sampled_from(["a", "b", "ab", "é", "문", "\U0001f600", "z"])
TOPICS = st.sampled_from(["1", "10", "2", "é"])
GRADES = st.dictionaries(TOPICS, st.dictionaries(IDS, st.integers(-2, 3)))
SCORES = st.one_of(
    st.sampled_from([0.0, -0.0, 1.0, 1.0 + 1e-9, -2, 3, float("inf"), -float("inf")]),
    st.floats(allow_nan=False),
)
RUNS = st.dictionaries(TOPICS, st.dictionaries(IDS, SCORES))


def as_frame(source: dict[str, dict[str, Any]], value: str) -> pl.DataFrame:
    lines = [(topic, name, number) for topic, of in source.items() for name, number in of.items()]
    kind = pl.Int64 if value == "grade" else pl.Float64
    return pl.DataFrame(
        lines, {"topic_id": pl.String, "document_id": pl.String, value: kind}, orient="row", strict=False
    )


def scored(*arguments: Any, **options: Any) -> Any:
    """All numbers, or what is refused."""
    try:
        scores = wb.evaluate(*arguments, **options)
    except InputError as error:
        return [problem.message for problem in error.problems]
    return scores.runs, scores.mean, scores.per_topic


@given(
    GRADES,
    RUNS,
    RUNS,
    st.booleans(),
    st.sampled_from(["trec_eval-10", "trec_eval-9"]),
    st.sampled_from([None, 0, 2]),
)
def test_dicts_give_what_frames_give(
    qrels: dict[str, dict[str, int]],
    run: dict[str, dict[str, float]],
    other: dict[str, dict[str, float]],
    complete: bool,
    profile: str,
    depth: int | None,
) -> None:
    options = {"complete": complete, "profile": profile, "depth": depth}
    table = as_frame(qrels, "grade")
    expected = scored(table, as_frame(run, "score"), MEASURES, **options)
    assert scored(qrels, run, MEASURES, **options) == expected
    expected = scored(
        table, {"x": as_frame(run, "score"), "y": as_frame(other, "score")}, MEASURES, **options
    )
    if run and other and all(run.values()) and all(other.values()):  # else a run is not seen to be one
        assert scored(qrels, {"x": run, "y": other}, MEASURES, **options) == expected


@pytest.mark.parametrize(
    "qrels",
    [
        {1: {"a": 1}},
        {"1": {2: 1}},
        {"1": {"a": 1.5}},
        {"1": {"a": 2**15}},
        {"1": {"a": 2**70}},
        {"1": {"\ud800": 1}},
        {"1": {"a": None}},
        {"1": {"a": True}},
        {"1": ["a"]},
        {"1": {"a": "1"}},
    ],
)
def test_judgments_that_are_not_plain_are_left_to_tables(qrels: Any) -> None:
    assert DictJudgments.of(qrels) is None


@pytest.mark.parametrize(
    "run",
    [
        {1: {"a": 1}},
        {"1": {2: 1}},
        {"1": {"a": float("nan")}},
        {"1": {"a": 10**400}},
        {"1": {"\ud800": 1}},
        {"1": {"a": None}},
        {"1": {"a": "1"}},
        {"1": ["a"]},
        {"x": {"1": {"a": 1.0}}},
        [("1", "a", 1.0)],
    ],
)
def test_runs_that_are_not_plain_are_left_to_tables(run: Any) -> None:
    judgments = DictJudgments.of({"1": {"a": 1}})
    assert judgments is not None
    assert judgments.label(run, single_precision=False) is None


def test_numbers_of_numpy_are_plain() -> None:
    qrels = {"1": {"a": np.int64(1), "b": np.int32(0)}}
    run = {"1": {"a": np.float32(0.5), "b": np.float64(0.75), "c": np.int64(0)}}
    assert wb.evaluate(qrels, run, "RR").mean == {"run": {"RR": 0.5}}
    judgments = DictJudgments.of(qrels)
    assert judgments is not None
    assert judgments.label(run, single_precision=True) is not None


def test_an_evaluator_keeps_its_judgments_and_takes_whatever_a_run_may_be() -> None:
    qrels = {"1": {"a": 1, "b": 0}}
    score = wb.evaluator(qrels, ["RR"], complete=False)
    qrels["1"]["b"] = 1
    run = {"1": {"b": 2.0, "a": 1.0}}
    for given_as in (run, as_frame(run, "score"), [("1", "b", 2.0), ("1", "a", 1.0)]):
        assert score(given_as).mean == {"run": {"RR": 0.5}}
    assert score({"x": run, "y": as_frame(run, "score")}).mean == {"x": {"RR": 0.5}, "y": {"RR": 0.5}}
    with refused(InputError, "'1'"):
        score({"2": {"a": 1.0}})
    with refused(InputError, "nan"):
        score({"1": {"a": float("nan")}})
    assert score(run).mean == {"run": {"RR": 0.5}}
