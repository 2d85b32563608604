"""How much two leaderboards agree on the order of the same runs.

Every function takes two sequences of scores of the same runs, larger is better: the `truth`, and an `estimate` whose
order is walked down. None means not defined: fewer than two runs, or what a function says of ties.

Scores that differ by no more than rounding are tied.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.methods.statistics.arrays import NOISE, FloatArray, Signs, levels, rounds, signs_of

Counts = NDArray[np.float32]
"""Whole numbers of runs, which are exact in float32 and quickly added up."""


def tau_b(truth: ArrayLike, estimate: ArrayLike) -> float | None:
    """Kendall's tau corrected for ties: the denominator counts the pairs that are not tied, of each side.

    None where one side ties all runs. Symmetric. The same as `scipy.stats.kendalltau`, except for scores that differ
    by rounding alone.

    Source: M. G. Kendall, Biometrika 33, 1945.
    """
    return _of_one("tau_b", truth, estimate)


def tau_b_of_each(truths: FloatArray, estimates: FloatArray) -> FloatArray:
    """`tau_b` of many pairs of leaderboards at once, float64 (pairs, runs) each: of those for which it is defined."""
    pairs, runs = truths.shape
    agreeing, untied, untied_too = np.zeros((3, pairs), np.int64)
    for run in range(1, runs):
        # Whether each earlier run is above this one (1), below it (-1) or tied with it (0).
        one, other = (signs_of(scores[:, :run] - scores[:, run, None]) for scores in (truths, estimates))
        agreeing += (one * other).sum(axis=1)
        untied += np.abs(one).sum(axis=1)
        untied_too += np.abs(other).sum(axis=1)
    defined = (untied > 0) & (untied_too > 0)
    return np.asarray(agreeing[defined] / np.sqrt(untied[defined] * untied_too[defined]), np.float64)


class Correlations(NamedTuple):
    """How each of many pairs of leaderboards agree, float64 (pairs,), nan where a coefficient is not defined.

    Attributes:
        tau: Kendall's tau over all pairs of runs, tied ones counting 0.
        tau_b: the same corrected for ties, see `tau_b`.
        tau_ap: AP correlation corrected for ties, see `tau_ap_b`.
        pearson: Pearson's correlation of the scores.
        spearman: Pearson's correlation of the ranks; tied runs share the mean of theirs.
    """

    tau: FloatArray
    tau_b: FloatArray
    tau_ap: FloatArray
    pearson: FloatArray
    spearman: FloatArray


def correlations_of_each(truths: FloatArray, estimates: FloatArray) -> Correlations:
    """All coefficients of many pairs of leaderboards, float64 (pairs, runs) each, at once.

    The same numbers as those of the functions for one pair, and nan for None. Scores are tied here if they differ by
    rounding alone, pair by pair.
    """
    boards, runs = truths.shape
    if not boards or runs < 2:
        return Correlations(*(np.full(boards, np.nan) for _ in Correlations._fields))
    ends = np.cumsum(rounds(boards, runs**2))[:-1]
    parts = zip(np.split(truths, ends), np.split(estimates, ends), strict=True)
    found = [_correlated(*part) for part in parts]
    return Correlations(*map(np.concatenate, zip(*found, strict=True)))


def _correlated(truths: FloatArray, estimates: FloatArray) -> tuple[FloatArray, ...]:
    # Whether run j is above run i (1), below it (-1) or tied with it (0).
    one, other = (
        signs_of(side[:, None, :] - side[:, :, None]).astype(np.float32) for side in (truths, estimates)
    )
    runs = truths.shape[1]
    each, pairs = np.ones(runs, np.float32), runs * (runs - 1)
    agreeing = ((one * other) @ each).sum(axis=1, dtype=np.float64)
    above, above_too = np.maximum(one, 0), np.maximum(other, 0)
    number, number_too = above @ each, above_too @ each
    # Of each pair that is not tied one run is above the other.
    untied, untied_too = (2 * counts.sum(axis=1, dtype=np.float64) for counts in (number, number_too))
    both = (above * above_too) @ each
    return (
        _share(agreeing, np.full(len(one), float(pairs))),
        _share(agreeing, np.sqrt(untied * untied_too)),
        (_walked(both, number_too) + _walked(both, number)) / 2,
        _pearson(truths, estimates),
        _pearson(2 * number + _tied(one, each), 2 * number_too + _tied(other, each)),
    )


def _walked(both: Counts, number: Counts) -> FloatArray:
    """AP correlation in one direction: of `number` runs above each, `both` are above it on the other side too."""
    counted = (number > 0).sum(axis=1, dtype=np.float64)
    shares = (both / np.maximum(number, 1).astype(np.float64)).sum(axis=1)
    return 2 * _share(shares, counted) - 1


def _tied(signs: Counts, each: Counts) -> FloatArray:
    """How many runs each run is tied with, itself too."""
    return np.asarray((1 - np.abs(signs)) @ each, np.float64)


def _pearson(one: FloatArray, other: FloatArray) -> FloatArray:
    x, y = (side - side.mean(axis=1, keepdims=True) for side in (one.astype(np.float64), other))
    spread = [np.where(np.ptp(side, axis=1) > NOISE, np.sqrt((side**2).sum(axis=1)), 0.0) for side in (x, y)]
    return np.clip(_share((x * y).sum(axis=1), spread[0] * spread[1]), -1, 1)


def _share(part: FloatArray, whole: FloatArray) -> FloatArray:
    """Part by whole, nan where the whole is nothing."""
    return np.asarray(np.divide(part, whole, out=np.full(len(part), np.nan), where=whole > 0), np.float64)


def tau_ap_a(truth: ArrayLike, estimate: ArrayLike) -> float | None:
    """AP correlation where a tie means that the order is not known: the mean over all orders of tied runs.

    For a run in a group of t tied runs of the estimate that starts at rank p: its C runs above the group weigh
    sum over k = 1..t of 1 / (p + k - 2) / t, and its companions, half of which are in the right order on average,
    sum over k = 1..t-1 of k / (p + k - 1) / (2 t). A pair tied in truth counts half.

    Source: J. Urbano and M. Marrero, ICTIR 2017, for ties in the estimate.
    """
    # Of each pair of runs (i, j) whether j is above i (1), below it (-1) or tied with it (0), of both sides.
    return _averaged(*(signs_of(side[None, :] - side[:, None]) for side in _levels(truth, estimate)))


def tau_ap_b(truth: ArrayLike, estimate: ArrayLike) -> float | None:
    """AP correlation corrected for ties, the mean of both directions; symmetric.

    Without the group at the top, each run counts C / (p - 1), where its group starts at rank p and C runs above the
    group are above it on the other side too. None where one side ties all runs.

    Source: J. Urbano and M. Marrero, ICTIR 2017.
    """
    return _of_one("tau_ap", truth, estimate)


def _of_one(name: str, truth: ArrayLike, estimate: ArrayLike) -> float | None:
    one, other = _levels(truth, estimate)
    value = float(getattr(correlations_of_each(one[None], other[None]), name)[0])
    return None if math.isnan(value) else value


def _levels(truth: ArrayLike, estimate: ArrayLike) -> tuple[FloatArray, FloatArray]:
    one, other = (levels(side).astype(np.float64) for side in (truth, estimate))
    if len(one) != len(other):
        message = f"both sides need a score for the same runs, not {len(one)} and {len(other)} of them"
        raise ValueError(message)
    return one, other


def _averaged(of_truth: Signs, of_estimate: Signs) -> float | None:
    n = len(of_truth)
    if n < 2:
        return None
    above = of_estimate > 0
    agreeing = (above * (1 + of_truth.astype(np.float64)) / 2).sum(axis=1)
    start, size = above.sum(axis=1) + 1, (of_estimate == 0).sum(axis=1)
    # What the runs above a group of t tied ones that starts at rank p weigh, and what its companions do.
    weights = {
        p: (
            sum(1 / (p + k - 2) for k in range(1, t + 1)) if p > 1 else 0.0,
            sum(k / (p + k - 1) for k in range(1, t)),
        )
        for p, t in set(zip(start.tolist(), size.tolist(), strict=True))
    }
    total = 0.0
    for c, p, t in zip(agreeing.tolist(), start.tolist(), size.tolist(), strict=True):
        of_above, of_companions = weights[p]
        total += c * of_above / t
        total += of_companions / (2 * t)
    return 2 * total / (n - 1) - 1
