"""Strengths of runs from battles: closed forms, published equations, symmetries, and another optimiser."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from workbench.methods.battles import davidson
from workbench.methods.battles.counts import Counts, counts_of
from workbench.methods.battles.davidson import NO_SIDES, ONE_SIDE, Fit, without_each_topic
from workbench.methods.statistics.arrays import FloatArray

LEFT, RIGHT, TIE = 0, 1, 2


def battles(*rows: tuple[int, int, int, int, int, int]) -> Counts:
    """Counts from rows of topic, left run, right run, left wins, right wins and ties."""
    each = [(t, i, j, kind) for t, i, j, *n in rows for kind in range(3) for _ in range(n[kind])]
    return counts_of(each, 1 + max(max(row[1:3]) for row in rows))


def drawn(seed: int, topics: int = 6, each: int = 60, runs: int = 4) -> Counts:
    rng = np.random.default_rng(seed)
    left, right = rng.permuted(np.tile(np.arange(runs), (topics * each, 1)), axis=1)[:, :2].T
    outcome = [
        rng.choice(3, p=[0.45, 0.35, 0.2]) if i > j else rng.choice(3)
        for i, j in zip(left, right, strict=True)
    ]
    return counts_of(np.stack([np.repeat(np.arange(topics), each), left, right, outcome], axis=1), runs)


def fit(counts: Counts, *, position: bool = True) -> Fit:
    found = davidson.fit(counts, position=position)
    assert found is not None
    return found


def by_topic(counts: Counts, found: Fit) -> FloatArray:
    return np.array(list(without_each_topic(counts, found)))


def shares(counts: Counts, a: FloatArray, g: float, t: float) -> FloatArray:
    """The chances of left, right and tie as Davidson and Beaver write them, float64 (rows, 3)."""
    one, other = np.exp(a[counts.left] + g), np.exp(a[counts.right])
    each = np.stack([one, other, math.exp(t) * np.sqrt(one * other)], axis=1)
    return np.asarray(each / each.sum(axis=1, keepdims=True), np.float64)


def log_likelihood(counts: Counts, a: FloatArray, g: float, t: float) -> float:
    return float((counts.won * np.log(shares(counts, a, g, t))).sum())


def test_of_two_runs_strengths_are_half_the_log_odds_of_wins() -> None:
    found = fit(battles((0, 0, 1, 30, 10, 0)), position=False)
    assert found.strengths == pytest.approx([math.log(3) / 2, -math.log(3) / 2], abs=1e-12)
    assert (found.position, found.ties) == (None, None)


@pytest.mark.parametrize("wins", [1.0, 1e3, 1e7])
def test_few_losses_among_many_wins_have_the_closed_form_too(wins: float) -> None:
    counts = battles((0, 0, 1, 1, 1, 0), (0, 1, 2, 1, 1, 0))
    found = fit(counts._replace(won=counts.won * [wins, 1, 1]), position=False)
    assert found.strengths == pytest.approx([math.log(wins), 0, -math.log(wins)], rel=1e-6, abs=1e-6)


def test_ties_of_two_runs_leave_their_strengths_and_give_nu() -> None:
    found = fit(battles((0, 0, 1, 20, 5, 15)), position=False)
    assert found.strengths == pytest.approx([math.log(4) / 2, -math.log(4) / 2], abs=1e-9)
    assert found.ties == pytest.approx(math.log(15 / math.sqrt(20 * 5)), abs=1e-9)


def test_strength_and_position_of_two_runs_are_the_mean_and_half_difference_of_both_sides() -> None:
    found = fit(battles((0, 0, 1, 30, 10, 0), (0, 1, 0, 20, 10, 0)))
    as_left, as_right = math.log(3), math.log(1 / 2)
    assert found.strengths[0] - found.strengths[1] == pytest.approx((as_left + as_right) / 2, abs=1e-9)
    assert found.position == pytest.approx((as_left - as_right) / 2, abs=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_the_optimum_meets_davidsons_equations_and_is_scipys(seed: int) -> None:
    counts = drawn(seed)
    found = fit(counts)
    assert found.position is not None
    assert found.ties is not None
    wins, ties, total = counts.won, counts.won[:, 2], counts.won.sum(axis=1, keepdims=True)
    left, right, tie = (shares(counts, found.strengths, found.position, found.ties) * total).T
    for run in range(counts.runs):  # wins and half the ties of a run are what the model expects
        here, there = counts.left == run, counts.right == run
        seen = (wins[:, 0] + ties / 2)[here].sum() + (wins[:, 1] + ties / 2)[there].sum()
        assert seen == pytest.approx((left + tie / 2)[here].sum() + (right + tie / 2)[there].sum(), abs=1e-7)
    assert ties.sum() == pytest.approx(tie.sum(), abs=1e-7)
    assert (wins[:, 0] - wins[:, 1]).sum() == pytest.approx((left - right).sum(), abs=1e-7)

    best = minimize(
        lambda x: -log_likelihood(counts, np.array([*x[:3], 0.0]), x[3], x[4]), np.zeros(5), tol=1e-10
    )
    a = np.array([*best.x[:3], 0.0])
    assert found.strengths == pytest.approx(a - a.mean(), abs=1e-4)
    assert [found.position, found.ties] == pytest.approx(best.x[3:], abs=1e-4)


def test_strengths_do_not_change_where_sides_and_winners_are_swapped_together() -> None:
    counts = drawn(4)
    swapped = counts._replace(left=counts.right, right=counts.left, won=counts.won[:, [1, 0, 2]])
    one, other = fit(counts), fit(swapped)
    assert one.strengths == pytest.approx(other.strengths, abs=1e-9)
    assert one.position == pytest.approx(-(other.position or 0), abs=1e-9)
    assert one.ties == pytest.approx(other.ties, abs=1e-9)
    changes, mirrored = by_topic(counts, one), by_topic(swapped, other)
    assert changes == pytest.approx(mirrored * [1, 1, 1, 1, -1, 1], abs=1e-9)


def test_the_step_without_a_topic_is_near_the_fit_without_it() -> None:
    counts = drawn(5, topics=20)
    whole = fit(counts)
    changes = by_topic(counts, whole)
    for topic in range(3):
        rows = counts.topic != topic
        without = fit(Counts(counts.runs, counts.topics, *(each[rows] for each in counts[2:])))
        assert whole.parameters - without.parameters == pytest.approx(changes[topic], abs=5e-3)


def test_a_topic_that_alone_connects_the_runs_has_no_step_without_it() -> None:
    counts = battles((0, 0, 1, 3, 2, 1), (1, 0, 1, 2, 2, 1), (1, 1, 2, 2, 1, 0))
    changes = by_topic(counts, fit(counts, position=False))
    assert np.isnan(changes).any(axis=1).tolist() == [False, True]


@pytest.mark.parametrize(
    ("rows", "reason"),
    [([(0, 0, 1, 30, 10, 0)], NO_SIDES), ([(0, 0, 1, 5, 0, 0), (0, 1, 0, 5, 0, 0)], ONE_SIDE)],
)
def test_a_position_effect_without_a_finite_value_is_left_out(
    rows: list[tuple[int, int, int, int, int, int]], reason: str
) -> None:
    counts = battles(*rows)
    found = fit(counts)
    assert (found.position, found.no_position) == (None, reason)
    assert found.strengths == pytest.approx(fit(counts, position=False).strengths)


@pytest.mark.parametrize(
    "rows", [[(0, 0, 1, 0, 0, 4)], [(0, 0, 1, 0, 0, 1), (0, 1, 2, 0, 0, 1), (0, 2, 0, 1, 0, 0)]]
)
def test_ties_alone_determine_no_strengths(rows: list[tuple[int, int, int, int, int, int]]) -> None:
    assert davidson.fit(battles(*rows)) is None
