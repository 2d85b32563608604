"""What the statistics take, and in how many goes random procedures run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.statistics.arrays import (
    CELLS_AT_A_TIME,
    is_constant,
    levels,
    one_row,
    rounds,
    signs_of,
    topics_by_runs,
)


@given(st.integers(1, 100_000), st.integers(0, 3 * CELLS_AT_A_TIME))
def test_rounds_add_up_and_keep_to_the_limit(number: int, cells: int) -> None:
    some = rounds(number, cells)
    assert sum(some) == number
    assert all(each == 1 or each * cells <= CELLS_AT_A_TIME for each in some)


def test_rounding_is_no_spread() -> None:
    assert is_constant(np.array([0.3, 0.1 + 0.2]))
    assert is_constant(np.array([]))
    assert not is_constant(np.array([0.3, 0.31]))


def test_rounding_is_no_sign_and_no_level_of_its_own() -> None:
    assert signs_of([0.3 - 0.2 - 0.1, 1e-12, -1e-12, 1e-11, -0.5]).tolist() == [0, 0, 0, 1, -1]
    assert levels([0.3 - 0.2, 0.1, 0.4 - 0.3, 0.5, 0.0]).tolist() == [1, 1, 1, 2, 0]
    assert levels([]).tolist() == []


def test_values_on_both_sides_of_a_rounding_border_are_one_level() -> None:
    border = 0.1000000000005  # to twelve digits it is .1, and the next double .100000000001
    assert levels([border, np.nextafter(border, 1), 0.1000000001]).tolist() == [0, 0, 1]


@given(st.lists(st.tuples(st.integers(0, 10), st.integers(0, 10)), max_size=30))
def test_differences_of_tenths_have_the_signs_and_levels_of_whole_numbers(
    pairs: list[tuple[int, int]],
) -> None:
    exact = [one - other for one, other in pairs]
    told = [one / 10 - other / 10 for one, other in pairs]
    assert signs_of(told).tolist() == np.sign(exact).tolist()
    assert levels(told).tolist() == [sorted(set(exact)).index(each) for each in exact]


@pytest.mark.parametrize("values", [[[0.1]], 0.1, [np.inf]])
def test_a_row_has_one_dimension_and_finite_values(values: object) -> None:
    with pytest.raises(ValueError, match="one finite value"):
        one_row(values)  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [[0.1], [[np.nan]], np.empty((3, 0))])
def test_a_table_has_two_dimensions_a_run_and_finite_values(values: object) -> None:
    with pytest.raises(ValueError, match="topics by runs"):
        topics_by_runs(values)  # type: ignore[arg-type]
