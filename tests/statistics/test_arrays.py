"""What the statistics take, and in how many goes random procedures run."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.statistics.arrays import CELLS_AT_A_TIME, is_constant, one_row, rounds, topics_by_runs


@given(st.integers(1, 100_000), st.integers(0, 3 * CELLS_AT_A_TIME))
def test_rounds_add_up_and_keep_to_the_limit(number: int, cells: int) -> None:
    some = rounds(number, cells)
    assert sum(some) == number
    assert all(each == 1 or each * cells <= CELLS_AT_A_TIME for each in some)


def test_rounding_is_no_spread() -> None:
    assert is_constant(np.array([0.3, 0.1 + 0.2]))
    assert is_constant(np.array([]))
    assert not is_constant(np.array([0.3, 0.31]))


@pytest.mark.parametrize("values", [[[0.1]], 0.1, [np.inf]])
def test_a_row_has_one_dimension_and_finite_values(values: object) -> None:
    with pytest.raises(ValueError, match="one finite value"):
        one_row(values)  # type: ignore[arg-type]


@pytest.mark.parametrize("values", [[0.1], [[np.nan]], np.empty((3, 0))])
def test_a_table_has_two_dimensions_a_run_and_finite_values(values: object) -> None:
    with pytest.raises(ValueError, match="topics by runs"):
        topics_by_runs(values)  # type: ignore[arg-type]
