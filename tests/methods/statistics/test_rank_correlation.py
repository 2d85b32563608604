"""Correlations of rankings: values of the R package ircor, all orders of ties one by one, and scipy."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from workbench.methods.statistics.rank_correlation import (
    correlations_of_each,
    tau_ap_a,
    tau_ap_b,
    tau_b,
    tau_b_of_each,
)

SETS = {
    "set1": (
        [0.897, 0.372, 0.908, 0.898, 0.661, 0.062, 0.177, 0.384, 0.498, 0.992],
        [0.82, 0.406, 0.817, 0.953, 0.673, 0.073, 0.364, 0.547, 0.589, 0.988],
    ),
    "set2": (
        [0.266, 0.573, 0.202, 0.945, 0.629, 0.206, 0.687, 0.77, 0.718, 0.38],
        [0.263, 0.843, 0.728, 0.928, 0.08, 0.114, 0.467, 0.641, 0.973, 0.644],
    ),
    "set3": (
        [0.185, 0.573, 0.944, 0.129, 0.468, 0.553, 0.761, 0.405, 0.976, 0.445],
        [0.845, 0.272, 0.275, 0.924, 0.605, 0.334, 0.162, 0.872, 0.018, 0.25],
    ),
}
"""Truth and estimate; with ties they are rounded to one decimal."""

# AP correlation without ties, then with ties: plain tau, tau_AP, tau_AP,a, tau_AP,b, tau_AP,b untied, tau_b
KNOWN = {
    "set1": (0.9111, 0.8519, 0.7454, 0.7321, 0.8333, 0.9398),
    "set2": (0.2889, 0.2504, 0.2692, 0.2970, 0.2880, 0.3765),
    "set3": (-0.6889, -0.6971, -0.5558, -0.7047, -0.6680, -0.6510),
}


def tied(scores: list[float]) -> list[float]:
    """To one decimal as the reference data are; .25 is .2 there, and .45 does not occur."""
    return [round(score, 1) for score in scores]


@pytest.mark.parametrize("name", SETS)
def test_the_values_of_ircor(name: str) -> None:
    x, y = SETS[name]
    found = (
        tau_b(x, y), tau_ap_a(x, y), tau_ap_a(x, tied(y)), tau_ap_b(tied(x), tied(y)), tau_ap_b(x, y),
        tau_b(tied(x), tied(y)),
    )  # fmt: skip
    assert found == pytest.approx(KNOWN[name], abs=6e-5)


@pytest.mark.parametrize("function", [tau_b, tau_ap_a, tau_ap_b])
def test_fewer_than_two_runs_have_no_order(function: type) -> None:
    assert function([], []) is None
    assert function([1.0], [1.0]) is None


@pytest.mark.parametrize("function", [tau_b, tau_ap_b])
def test_where_one_side_ties_all_runs_there_is_nothing_to_agree_on(function: type) -> None:
    assert function([1, 2, 3], [5, 5, 5]) is None
    assert function([5, 5, 5], [1, 2, 3]) is None


def test_rounding_is_no_order_and_both_sides_have_the_same_runs() -> None:
    assert tau_b([0.3, 0.1 + 0.2, 0.5], [1, 2, 3]) == tau_b([0.3, 0.3, 0.5], [1, 2, 3])
    with pytest.raises(ValueError, match="the same runs"):
        tau_b([1, 2], [1, 2, 3])


scores = st.integers(2, 6).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5).map(float), min_size=n, max_size=n)] * 2)
)
four = st.lists(st.integers(0, 5).map(float), min_size=4, max_size=4)
orders = st.integers(2, 9).flatmap(lambda n: st.tuples(*[st.permutations(range(n))] * 2))


@given(scores)
def test_tau_b_is_that_of_scipy(pair: tuple[list[float], list[float]]) -> None:
    found = tau_b(*pair)
    if len(set(pair[0])) > 1 and len(set(pair[1])) > 1:
        assert found == pytest.approx(float(stats.kendalltau(*pair).statistic))
    else:
        assert found is None


@given(st.lists(st.tuples(four, four), min_size=1, max_size=5))
def test_many_at_once_are_those_one_by_one(pairs: list[tuple[list[float], list[float]]]) -> None:
    one_by_one = [found for pair in pairs if (found := tau_b(*pair)) is not None]
    truths, estimates = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
    assert tau_b_of_each(truths, estimates).tolist() == pytest.approx(one_by_one)


@given(st.lists(st.tuples(four, four), min_size=1, max_size=5))
def test_all_coefficients_at_once_are_those_one_by_one_and_of_scipy(
    pairs: list[tuple[list[float], list[float]]],
) -> None:
    truths, estimates = (np.array([pair[side] for pair in pairs]) for side in (0, 1))
    found = correlations_of_each(truths, estimates)
    for place, (x, y) in enumerate(pairs):
        row = [None if np.isnan(each[place]) else float(each[place]) for each in found]
        if len(set(x)) == 1 or len(set(y)) == 1:
            assert row[1:] == [None] * 4  # one side ties all runs
            assert row[0] == 0
            continue
        agreeing = sum((x[i] - x[j]) * (y[i] - y[j]) > 0 for i in range(4) for j in range(i))
        opposed = sum((x[i] - x[j]) * (y[i] - y[j]) < 0 for i in range(4) for j in range(i))
        pearson, spearman = stats.pearsonr(x, y).statistic, stats.spearmanr(x, y).statistic
        expected = [(agreeing - opposed) / 6, tau_b(x, y), tau_ap_b(x, y), pearson, spearman]
        assert row == pytest.approx(expected)


def test_all_coefficients_of_more_boards_than_are_looked_at_together() -> None:
    rng = np.random.default_rng(3)
    truths, estimates = rng.normal(size=(2, 60, 200))  # 60 times 200 x 200 signs are more than a million
    taus = correlations_of_each(truths, estimates).tau_b
    assert taus.tolist() == pytest.approx([tau_b(*pair) for pair in zip(truths, estimates, strict=True)])


def test_without_boards_or_with_one_run_there_are_no_coefficients() -> None:
    assert [len(each) for each in correlations_of_each(np.ones((0, 3)), np.ones((0, 3)))] == [0] * 5
    assert np.isnan(correlations_of_each(np.ones((2, 1)), np.ones((2, 1)))).all()
    assert np.isnan(correlations_of_each(np.ones((2, 0)), np.ones((2, 0)))).all()


def tau_ap(truth: Sequence[float], estimate: Sequence[float]) -> float:
    """AP correlation as it is defined without ties (Yilmaz, Aslam and Robertson, SIGIR 2008)."""
    down = sorted(range(len(truth)), key=lambda run: -estimate[run])
    agreeing = (
        sum(truth[above] > truth[run] for above in down[:place]) / place
        for place, run in enumerate(down)
        if place
    )
    return 2 / (len(truth) - 1) * sum(agreeing) - 1


@given(orders)
def test_without_ties_all_variants_are_one(pair: tuple[list[int], list[int]]) -> None:
    plain, back = tau_ap(*pair), tau_ap(pair[1], pair[0])
    assert tau_ap_a(*pair) == pytest.approx(plain)
    assert tau_ap_b(*pair) == pytest.approx((plain + back) / 2)


def all_orders(ranked: list[float]) -> list[list[int]]:
    """Every order without ties that keeps what the scores tell: larger is better, also in the result."""
    groups = [[run for run, score in enumerate(ranked) if score == value] for value in sorted(set(ranked))]
    found = []
    for chosen in product(*(permutations(group) for group in groups)):
        order = [0] * len(ranked)
        for place, run in enumerate(run for group in chosen for run in group):
            order[run] = place
        found.append(order)
    return found


@given(
    st.lists(st.integers(0, 3).map(float), min_size=4, max_size=4),
    st.lists(st.integers(0, 3).map(float), min_size=4, max_size=4),
)
def test_the_a_variant_is_the_mean_over_all_orders_of_tied_runs(
    truth: list[float], estimate: list[float]
) -> None:
    values = [tau_ap(one, other) for one in all_orders(truth) for other in all_orders(estimate)]
    assert tau_ap_a(truth, estimate) == pytest.approx(np.mean(values))


@given(scores)
def test_the_b_variant_is_symmetric_and_1_for_a_ranking_with_itself(
    pair: tuple[list[float], list[float]],
) -> None:
    one, other = pair
    assert tau_ap_b(one, other) == pytest.approx(tau_ap_b(other, one))
    assert tau_ap_b(one, one) == (pytest.approx(1.0) if len(set(one)) > 1 else None)
