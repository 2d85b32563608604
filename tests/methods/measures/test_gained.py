"""Gains by grade and rank, and sums and products along rankings."""

from __future__ import annotations

from itertools import accumulate
from math import log, log2, log10
from operator import mul

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixture_types import MakeJudged
from workbench.core.ranking import POOLED, UNJUDGED, starts_of
from workbench.methods.measures.gained import Running, best_of_topics, discount_at, log2_of, retrieved
from workbench.methods.measures.gains import EXPONENTIAL, LINEAR, Gains, read_gains
from workbench.methods.measures.running import maxima_from_here, running_products, running_sums, sums_down

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


rows_of_values = st.lists(st.lists(st.floats(-9, 9), max_size=9), max_size=9)


def packed(rows: list[list[float]]) -> tuple[np.ndarray, np.ndarray]:
    values = np.array([value for row in rows for value in row], np.float64)
    return values, starts_of(np.array([len(row) for row in rows], np.int64))


@given(rows=rows_of_values)
def test_sums_run_from_left_to_right_in_each_row(rows: list[list[float]]) -> None:
    # 0.0 + -0.0 is 0.0, and equal to -0.0.
    assert running_sums(*packed(rows)).tolist() == [total for row in rows for total in accumulate(row)]


@given(rows=rows_of_values)
def test_products_run_from_left_to_right_in_each_row(rows: list[list[float]]) -> None:
    assert running_products(*packed(rows)).tolist() == [each for row in rows for each in accumulate(row, mul)]


def test_long_rows_among_short_ones_run_as_they_do_alone() -> None:
    rng = np.random.default_rng(4)
    rows = [rng.random(length).tolist() for length in (0, 5000, *range(70), 64, 3, 129, 0)]
    assert running_sums(*packed(rows)).tolist() == [total for row in rows for total in accumulate(row)]
    assert running_products(*packed(rows)).tolist() == [each for row in rows for each in accumulate(row, mul)]
    largest = [max(row[place:]) for row in rows for place in range(len(row))]
    assert maxima_from_here(*packed(rows)).tolist() == largest


@given(rows=st.lists(st.lists(st.floats(0, 9), max_size=9), max_size=9))
def test_maxima_are_of_a_value_and_those_after_it_in_its_row(rows: list[list[float]]) -> None:
    expected = [max(row[place:]) for row in rows for place in range(len(row))]
    assert maxima_from_here(*packed(rows)).tolist() == expected


def test_a_row_does_not_carry_its_rounding_into_the_next() -> None:
    assert running_sums(*packed([[1e17, 1.0], [1.0, 1.0]])).tolist() == [1e17, 1e17, 1.0, 2.0]


@pytest.mark.parametrize("columns", [1, 2, 3, 8, 17, 64, 1000])
@pytest.mark.parametrize("rows", [0, 1, 7, 8, 9, 128, 250, 1000])
def test_columns_are_added_from_the_first_row_to_the_last(rows: int, columns: int) -> None:
    grid = np.random.default_rng(rows).random((rows, columns))
    totals = [0.0] * columns
    for row in grid.tolist():
        totals = [total + value for total, value in zip(totals, row, strict=True)]
    assert sums_down(grid).tolist() == totals
    assert sums_down(np.asfortranarray(grid)).tolist() == totals
    assert sums_down(np.repeat(grid, 2, axis=0)[::2]).tolist() == totals
