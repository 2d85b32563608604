from __future__ import annotations

from math import log, log2, log10

import numpy as np
import pytest

from tests.fixture_types import MakeJudged
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures.gained import Running, best_of_topics, discount_at, log2_of, retrieved
from workbench.methods.measures.gains import EXPONENTIAL, LINEAR, Gains, read_gains

RANKS = np.arange(1, 13)


@pytest.mark.parametrize(
    ("kind", "base", "expected"),
    [
        (("plus-one"), 2, [log2(rank + 1) for rank in range(1, 13)]),
        ("below-base", 10, [1.0] * 9 + [log10(rank) for rank in (10, 11, 12)]),
        ("after-first", 10, [1.0, *(log10(rank) for rank in range(2, 13))]),
        ("below-base", 2.5, [1.0, 1.0] + [log(rank) / log(2.5) for rank in range(3, 13)]),
    ],
)
def test_a_discount_is_the_logarithm_from_where_it_begins(
    kind: str, base: float, expected: list[float]
) -> None:
    assert discount_at(RANKS, kind, base).tolist() == pytest.approx(expected, rel=1e-15)


def test_the_best_ranking_is_ordered_by_gain_and_its_sums_stay_after_its_end(judge: MakeJudged) -> None:
    judged = judge([([1, 0, 2], [3, -1]), ([0], []), ([2], [1, 1])])
    best = best_of_topics(judged, read_gains("{1:9,2:0,3:0.5}"))
    assert best.row.tolist() == [0, 0, 2, 2]
    assert best.rank.tolist() == [1, 2, 1, 2]
    assert best.gain.tolist() == [9, 0.5, 9, 9]
    best = Running.of(best_of_topics(judge([([1, 3], []), ([0], [])]), LINEAR))
    found = best.at(np.array([0, 0, 0, 0, 1]), np.array([0, 1, 2, 9, 1]))
    assert found.tolist() == [0, 3, 4, 4, 0]
    found = retrieved(judge([([0, 1, 2, 1], []), ([], [1]), ([1, 0], [])]), LINEAR)
    assert (found.nth.tolist(), found.number.tolist()) == ([1, 2, 3, 1], [3, 0, 1])
    assert found.running().tolist() == [1, 3, 4, 1]


def test_logarithms_are_those_of_the_c_library() -> None:
    values = np.array([26.0, 2.0, 26.0, 2.5])
    assert log2_of(values).tolist() == [log2(26), 1.0, log2(26), log2(2.5)]


def gains_of(gains: Gains, *grades: int) -> list[float]:
    found: list[float] = gains.of(np.array(grades, np.int16)).tolist()
    return found


def test_grades_gain_by_themselves_by_powers_of_two_or_by_a_table() -> None:
    assert gains_of(LINEAR, 0, 1, 3, -1, POOLED, UNJUDGED) == [0, 1, 3, 0, 0, 0]
    assert gains_of(EXPONENTIAL, *range(50)) == [float(2**grade - 1) for grade in range(50)]
    assert np.isfinite(gains_of(EXPONENTIAL, 32767)).all()
    assert gains_of(read_gains("0:0.5,1:-2,3:9"), 0, 1, 2, 3, 4, -1, UNJUDGED) == [0.5, -2, 2, 9, 4, 0, 0]


@pytest.mark.parametrize("text", ["1=3.5,2=9", "1:3.5,2:9", "{1:3.5,2:9}", " {2: 9, 1: 3.5} ", "'1:3.5,2:9'"])
def test_a_table_is_read_in_every_notation(text: str) -> None:
    assert read_gains(text) == Gains("table", ((1, 3.5), (2, 9.0)))


@pytest.mark.parametrize(
    "text", ["", "1", "1:", ":1", "x:1", "1:x", "1:2,1:3", "-1:2", "1:nan", "1:inf", "expo"]
)
def test_what_is_no_gains_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        read_gains(text)


@pytest.mark.parametrize("text", ["linear", "exp", "{1:3,2:9}", "{0:0,1:0.123456789012,2:1e-09,3:-4.5}"])
def test_gains_are_written_as_they_are_read(text: str) -> None:
    assert str(read_gains(text)) == text
    assert read_gains(str(read_gains(text))) == read_gains(text)
