from __future__ import annotations

from itertools import accumulate
from operator import mul

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.ranking import starts_of
from workbench.methods.measures.running import maxima_from_here, running_products, running_sums, sums_down

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
