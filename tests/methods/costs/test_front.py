"""The Pareto front is what no other point dominates."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.costs.front import pareto_front

NUMBERS = st.sampled_from([0.0, 1.0, 2.0, float("nan")])


@given(st.lists(st.tuples(NUMBERS, NUMBERS), max_size=8))
def test_a_point_is_on_the_front_if_no_other_is_as_good_on_both_and_better_on_one(
    points: list[tuple[float, float]],
) -> None:
    one, other = np.array(points, float).reshape(-1, 2).T
    expected = [
        a == a and b == b and not any(c >= a and d >= b and (c > a or d > b) for c, d in points)
        for a, b in points
    ]
    assert pareto_front(one, other).tolist() == expected
