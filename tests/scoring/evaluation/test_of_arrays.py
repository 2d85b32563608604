"""Arrays of labels, or of scores and numbers of documents, are scored as the same rankings are as dicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import workbench as wb
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import UNJUDGED

MEASURES = ["AP", "nDCG@3", "RR", "bpref", "P@2", "Judged@3", "NumRel"]
DOCUMENTS = ["b", "a", "é", "ab", "z"]
QRELS = {"2": {"a": 2, "b": 0, "elsewhere": 1}, "1": {"z": 1, "é": -1, "ab": 3}}


@given(
    st.lists(
        st.tuples(st.sampled_from("12"), st.permutations(range(5)), st.integers(1, 5)), min_size=1, max_size=4
    ),
    st.lists(st.sampled_from([0.0, 1.0, 2.0, float("-inf")]), min_size=20, max_size=20),
    st.sampled_from([{}, {"depth": 2}, {"profile": "trec_eval-9"}]),
)
def test_numbered_documents_are_scored_as_dicts_are(
    rows: list[tuple[str, list[int], int]], scores: list[float], options: dict[str, Any]
) -> None:
    score = wb.evaluator(QRELS, MEASURES, complete=False, **options)
    numbers = np.array([order[:width] + [-1] * (5 - width) for _, order, width in rows])
    table = np.resize(scores, numbers.shape)
    found = score.of_documents(DOCUMENTS)(numbers, table, [topic for topic, *_ in rows])
    for place, (topic, order, width) in enumerate(rows):
        ranking = dict(
            zip((DOCUMENTS[number] for number in order), table[place, :width].tolist(), strict=False)
        )
        assert {name: values[place] for name, values in found.items()} == score({topic: ranking}).mean["run"]


def test_topics_are_all_in_byte_order_or_by_number() -> None:
    score = wb.evaluator(QRELS, ["RR"]).of_documents(DOCUMENTS)
    assert (score.topic_ids, score.document_ids) == (("1", "2"), tuple(DOCUMENTS))
    documents, scores = [[4, 0], [0, 1]], [[2.0, 1.0], [2.0, 1.0]]
    assert score(documents, scores)["RR"].tolist() == [1.0, 0.5]
    assert score(documents, scores, np.array([1, 0]))["RR"].tolist() == [0.0, 0.0]
    assert wb.evaluator(QRELS, ["RR"]).of_documents([])(np.empty((2, 0), int), np.empty((2, 0)))[
        "RR"
    ].tolist() == [0, 0]


@pytest.mark.parametrize(
    ("documents", "scores", "topics"),
    [
        ([[5]], [[1.0]], ["1"]),
        ([[-2]], [[1.0]], ["1"]),
        ([[0]], [[1.0, 2.0]], ["1"]),
        ([[0]], [[1.0]], None),
        ([[0]], [[float("nan")]], ["1"]),
        ([[0]], [[1.0]], [2]),
    ],
)
def test_arrays_that_do_not_fit_are_refused(documents: Any, scores: Any, topics: Any) -> None:
    with refused(ValueError):
        wb.evaluator(QRELS, ["RR"]).of_documents(DOCUMENTS)(documents, scores, topics)


def test_unknown_topics_and_documents_that_stand_twice_are_named() -> None:
    score = wb.evaluator(QRELS, ["RR"])
    with refused(UnknownName, "'3'"):
        score.of_documents(DOCUMENTS)([[0]], [[1.0]], ["3"])
    with refused(ValueError):
        score.of_documents(["a", "b", "a"])


def test_labels_by_rank_are_scored_by_themselves_or_with_what_else_is_judged() -> None:
    found = wb.score_labels([[0, 1, UNJUDGED], [2, 0, 1]], ["RR", "R@2", "Judged@3"])
    assert {name: values.tolist() for name, values in found.items()} == {
        "RR": [0.5, 1.0],
        "R@2": [1.0, 0.5],
        "Judged@3": [2 / 3, 1.0],
    }
    judged = np.array([[1, 1, 0, 0], [2, 1, 0, UNJUDGED]])
    assert wb.score_labels([[0, 1], [2, 0]], "R@2", judged=judged)["R@2"].tolist() == [0.5, 0.5]
    assert wb.score_labels([0, 0, 2], "RR", rel=2)["RR"].tolist() == [1 / 3]
    assert wb.score_labels([[0, 1]], "RR", depth=1)["RR"].tolist() == [0.0]
    assert wb.score_labels([], "RR")["RR"].tolist() == [0.0]


@pytest.mark.parametrize(
    ("labels", "judged"),
    [
        ([[0.5]], None),
        ([["a"]], None),
        ([[[1]]], None),
        ([[2**15]], None),
        ([[-(2**15) - 1]], None),
        ([[1]], [[1], [1]]),
    ],
)
def test_labels_that_are_none_are_refused(labels: Any, judged: Any) -> None:
    with refused(ValueError):
        wb.score_labels(labels, "RR", judged=judged)


def test_measures_that_take_more_than_labels_are_refused() -> None:
    with refused(UnknownName, "StRecall"):
        wb.score_labels([[1]], "StRecall@1")
