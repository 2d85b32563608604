"""How much two leaderboards agree on the order of the same runs.

Every function takes two sequences of scores of the same runs, larger is better: the `truth`, and an `estimate` whose
order is walked down. None means not defined: fewer than two runs, or what a function says of ties.

Scores that differ by no more than rounding are tied.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import FloatArray, Signs, levels, signs_of


def tau_b(truth: ArrayLike, estimate: ArrayLike) -> float | None:
    """Kendall's tau corrected for ties: the denominator counts the pairs that are not tied, of each side.

    None where one side ties all runs. Symmetric. The same as `scipy.stats.kendalltau`, except for scores that differ
    by rounding alone.

    Source: M. G. Kendall, Biometrika 33, 1945.
    """
    of_truth, of_estimate = _orders(truth, estimate)
    untied = math.sqrt(int(np.abs(of_truth).sum()) * int(np.abs(of_estimate).sum()))
    return float((of_truth * of_estimate).sum() / untied) if untied else None


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


def tau_ap_a(truth: ArrayLike, estimate: ArrayLike) -> float | None:
    """AP correlation where a tie means that the order is not known: the mean over all orders of tied runs.

    For a run in a group of t tied runs of the estimate that starts at rank p: its C runs above the group weigh
    sum over k = 1..t of 1 / (p + k - 2) / t, and its companions, half of which are in the right order on average,
    sum over k = 1..t-1 of k / (p + k - 1) / (2 t). A pair tied in truth counts half.

    Source: J. Urbano and M. Marrero, ICTIR 2017, for ties in the estimate.
    """
    return _averaged(*_orders(truth, estimate))


def tau_ap_b(truth: ArrayLike, estimate: ArrayLike) -> float | None:
    """AP correlation corrected for ties, the mean of both directions; symmetric.

    Without the group at the top, each run counts C / (p - 1), where its group starts at rank p and C runs above the
    group are above it on the other side too. None where one side ties all runs.

    Source: J. Urbano and M. Marrero, ICTIR 2017.
    """
    of_truth, of_estimate = _orders(truth, estimate)
    down, up = _corrected(of_truth, of_estimate), _corrected(of_estimate, of_truth)
    return None if down is None or up is None else (down + up) / 2


def _orders(truth: ArrayLike, estimate: ArrayLike) -> tuple[Signs, Signs]:
    """For each pair of runs (i, j) whether j is above i (1), below it (-1) or tied with it (0), of both sides."""
    one, other = levels(truth), levels(estimate)
    if len(one) != len(other):
        message = f"both sides need a score for the same runs, not {len(one)} and {len(other)} of them"
        raise ValueError(message)
    return signs_of(one[None, :] - one[:, None]), signs_of(other[None, :] - other[:, None])


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


def _corrected(of_truth: Signs, of_estimate: Signs) -> float | None:
    above = of_estimate > 0
    number = above.sum(axis=1)
    counted = number > 0
    if not counted.any():
        return None
    agreeing = (above & (of_truth > 0)).sum(axis=1)
    return float(2 * (agreeing[counted] / number[counted]).mean() - 1)
