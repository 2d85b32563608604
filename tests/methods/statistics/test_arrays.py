"""What the statistics take, in how many goes random procedures run, and assignments of signs."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.statistics import arrays
from workbench.methods.statistics.arrays import (
    CELLS_AT_A_TIME,
    is_constant,
    levels,
    one_row,
    rounds,
    signs_of,
    topics_by_runs,
)
from workbench.methods.statistics.shuffles import number_of_signs, signs, sums_by_chance


@given(st.integers(1, 100_000), st.integers(0, 3 * CELLS_AT_A_TIME))
def test_rounds_add_up_and_keep_to_the_limit(number: int, cells: int) -> None:
    some = rounds(number, cells)
    assert sum(some) == number
    assert all(each == 1 or each * cells <= CELLS_AT_A_TIME for each in some)


def test_rounding_is_no_spread_no_sign_and_no_level() -> None:
    assert is_constant(np.array([0.3, 0.1 + 0.2]))
    assert is_constant(np.array([]))
    assert not is_constant(np.array([0.3, 0.31]))
    assert signs_of([0.3 - 0.2 - 0.1, 1e-12, -1e-12, 1e-11, -0.5]).tolist() == [0, 0, 0, 1, -1]
    assert levels([0.3 - 0.2, 0.1, 0.4 - 0.3, 0.5, 0.0]).tolist() == [1, 1, 1, 2, 0]
    assert levels([]).tolist() == []
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


def drawn(topics: int, permutations: int) -> list[tuple[float, ...]]:
    found = np.concatenate(list(signs(topics, permutations, np.random.default_rng(1))))
    return [tuple(row) for row in found.tolist()]


def test_few_topics_have_each_assignment_once_without_the_observed_one() -> None:
    assert sorted(drawn(3, 7)) == sorted(set(product((1.0, -1.0), repeat=3)) - {(1.0, 1.0, 1.0)})
    assert number_of_signs(3, 7) == 7


def test_assignments_that_are_made_a_few_at_a_time_are_still_each_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(arrays, "CELLS_AT_A_TIME", 12)
    assert [len(some) for some in signs(4, 15, np.random.default_rng(1))] == [3, 3, 3, 3, 3]
    assert sorted(drawn(4, 15)) == sorted(set(product((1.0, -1.0), repeat=4)) - {(1.0,) * 4})


def test_many_topics_have_as_many_fair_signs_as_asked_for() -> None:
    found = drawn(3, 6)
    assert len(found) == number_of_signs(3, 6) == 6
    assert set(np.ravel(found)) == {1.0, -1.0}
    assert len(drawn(100, 50)) == 50
    assert abs(np.mean(drawn(50, 4000))) < 0.01


@pytest.mark.parametrize("topics", [3, 8, 21])
def test_sums_by_chance_are_those_of_the_signs(topics: int) -> None:
    d = np.random.default_rng(5).normal(size=topics)
    sums = np.concatenate(list(sums_by_chance(d, 40, np.random.default_rng(1))))
    assert sums.tolist() == pytest.approx([float(np.dot(row, d)) for row in drawn(topics, 40)])
