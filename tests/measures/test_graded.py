from __future__ import annotations

from collections.abc import Callable
from math import log2

import pytest

from workbench.measures import JudgedRankings, parse_measure
from workbench.ranking import POOLED, UNJUDGED

Judge = Callable[..., JudgedRankings]


def test_gain_is_the_grade_and_is_divided_by_the_ideal(judge: Judge) -> None:
    (value,) = parse_measure("nDCG")(judge([1, 0, 3], [2, 0]))
    assert value == (1 / log2(2) + 3 / log2(4)) / (3 / log2(2) + 2 / log2(3) + 1 / log2(4))


def test_the_ideal_is_cut_as_the_ranking_is(judge: Judge) -> None:
    (value,) = parse_measure("nDCG@2")(judge([1, 0, 3], [2, 0]))
    assert value == 1 / (3 / log2(2) + 2 / log2(3))


def test_the_ideal_is_not_cut_at_the_length_of_the_ranking(judge: Judge) -> None:
    (value,) = parse_measure("nDCG")(judge([1], [1]))
    assert value == 1 / (1 + 1 / log2(3))


@pytest.mark.parametrize("label", [UNJUDGED, POOLED, -1, -3, 0])
def test_only_positive_grades_gain(judge: Judge, label: int) -> None:
    (value,) = parse_measure("nDCG")(judge([label, 2], [label]))
    assert value == (2 / log2(3)) / 2


def test_the_best_ranking_has_the_value_one(judge: Judge) -> None:
    assert parse_measure("nDCG")(judge([3, 2, 2, 1, 0])).tolist() == [1.0]


def test_a_topic_without_positive_grades_has_the_value_zero(judge: Judge) -> None:
    assert parse_measure("nDCG@5")(judge([0, UNJUDGED], [0])).tolist() == [0.0]


def test_each_topic_has_its_own_ideal(judge: Judge) -> None:
    judged = judge([([1], []), ([1], [2]), ([], [2]), ([2], [])])
    assert parse_measure("nDCG@1")(judged).tolist() == [1.0, 0.5, 0.0, 1.0]
