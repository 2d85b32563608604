"""The Pareto front is what no other point dominates; percentiles are numpy's; freshness is that by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from workbench.methods.costs import freshness, pareto_front, percentile

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


TAIL = 0.025


@pytest.mark.parametrize("share", [0.5, 0.9, 0.95, 0.99])
def test_the_interval_is_the_narrowest_that_covers_by_the_binomial_on_both_sides(share: float) -> None:
    for number in range(1, 600):
        value, low, high = percentile(np.arange(1, number + 1), share)
        assert value == np.quantile(np.arange(1, number + 1), share)
        if low is None or high is None:
            assert share**number > TAIL or (1 - share) ** number > TAIL
            continue
        below = binom(number, share).cdf
        assert below(low - 1) <= TAIL < below(low)
        assert 1 - below(high - 1) <= TAIL < 1 - below(high - 2)


def test_equal_times_have_an_interval_of_one_value() -> None:
    assert percentile([3.0] * 100, 0.5) == (3.0, 3.0, 3.0)


NAN, END = np.nan, np.inf


@pytest.mark.parametrize(
    ("ages", "expected"),
    [
        # Ages, and the shares with a date, of recent ones, 1 / rank of the first recent one, and the median age.
        ([40, 7, NAN, 8], (3 / 4, 1 / 3, 1 / 2, 8)),
        ([0, 1, END, END], (1, 1, 1, 0.5)),
        ([NAN, NAN, 8, END], (1 / 3, 0, 0, 8)),
        ([NAN, END, END, END], (0, NAN, NAN, NAN)),
        ([END, END, END, END], (NAN, NAN, NAN, NAN)),
    ],
)
def test_recent_is_what_is_at_most_so_old(ages: list[float], expected: tuple[float, ...]) -> None:
    found = freshness(np.array([ages, [0, 0, 0, 0]], float), 7)
    np.testing.assert_allclose([column[0] for column in found], expected)
    assert [column[1] for column in found] == [1, 1, 1, 0]
