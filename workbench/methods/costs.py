"""What effectiveness costs: the Pareto front of scores and costs, times of queries, and how recent rankings are."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.methods.statistics.arrays import FloatArray

Mask = NDArray[np.bool_]


def pareto_front(one: ArrayLike, other: ArrayLike) -> Mask:
    """Which of n points no other point dominates, by two numbers of which more is better, each (n,).

    A point dominates another if it is at least as good by both and better by one. So of equal points all are on the
    front or none, and a point with a nan is not on it and dominates none.

    Source: V. Pareto, Manuale di economia politica, 1906, as the maxima of a set of vectors: Kung, Luccio and
    Preparata, Journal of the ACM 22(4), 1975.
    """
    first, second = np.asarray(one, np.float64), np.asarray(other, np.float64)
    as_good = (first[:, None] >= first) & (second[:, None] >= second)
    better = (first[:, None] > first) | (second[:, None] > second)
    is_dominated = (as_good & better).any(axis=0)
    return ~(is_dominated | np.isnan(first) | np.isnan(second))


class Percentile(NamedTuple):
    """The value below which a share of times is, and its interval; None where there are too few for one."""

    value: float
    low: float | None
    high: float | None


def percentile(times: ArrayLike, share: float, *, level: float = 0.95) -> Percentile:
    """The percentile of a sample, and a distribution-free interval for that of what it was drawn from.

    Formula: of the sorted times x_1 to x_n, x at the place 1 + (n - 1) share, interpolated. The interval is from x_l to
    x_u for the largest l and the smallest u with P(B < l) and P(B >= u) at most (1 - level) / 2 each, where B is
    binomial with n and share. Its coverage is at least `level` for times that are drawn independently, whatever their
    distribution; there is none where n is too small for such l and u. It is wrong for times that depend on each other,
    as those of a machine that slows down do.

    Source: R. J. Hyndman and Y. Fan, The American Statistician 50(4), 1996; H. A. David and H. N. Nagaraja, Order
    Statistics, 3rd edition, 2003, section 7.1.
    """
    from scipy.special import bdtr

    ordered = np.sort(np.asarray(times, np.float64))
    number = len(ordered)
    value = float(np.quantile(ordered, share, method="linear"))
    below = np.asarray(bdtr(np.arange(number + 1), number, share))  # P(B <= k)
    tail = (1 - level) / 2
    low = int(np.searchsorted(below, tail, side="right"))  # P(B <= low - 1) is at most the tail
    high = int(np.searchsorted(below, 1 - tail, side="left")) + 1  # P(B <= high - 1) is at least 1 - tail
    if low < 1 or high > number:
        return Percentile(value, None, None)
    return Percentile(value, float(ordered[low - 1]), float(ordered[high - 1]))


def freshness(ages: FloatArray, within: float) -> FloatArray:
    """The freshness of rankings by the ages in days of their first k documents, float64 (rankings, k).

    An age is nan for a document without a date, and inf beyond the end of a ranking. Recent is an age of at most
    `within`. With D the documents of the first k that have a date and R those of them that are recent, the result has
    four rows, float64 (4, rankings): dated = |D| / documents of the first k, recent = |R| / |D|, first = 1 / min rank
    of R (0 without one), age = median over D. Without D it is nan, but for dated.

    Source: ours; `first` is the reciprocal rank (Kantor and Voorhees, Information Retrieval 2, 2000) of recency in the
    place of relevance.
    """
    has_date = np.isfinite(ages)
    is_recent = has_date & (ages <= within)
    known, here = has_date.sum(axis=1), (~np.isposinf(ages)).sum(axis=1)
    rows = known > 0
    with np.errstate(invalid="ignore"):  # 0 of 0 is nan
        dated, recent = known / here, is_recent.sum(axis=1) / known
    first = np.where(rows, is_recent.any(axis=1) / (is_recent.argmax(axis=1) + 1), np.nan)
    age = np.full(len(ages), np.nan)
    if rows.any():
        age[rows] = np.nanmedian(np.where(has_date, ages, np.nan)[rows], axis=1)
    return np.stack([dated, recent, first, age])


def found_within(days: FloatArray, found: Mask) -> tuple[FloatArray, FloatArray]:
    """After how many days documents are found, and the estimated share that is found by then.

    `days` (n,) are those until a document was found or, where it was not, until it was last looked for. The result is
    each number of days at which some were found, ascending, and the share, both float64.

    Formula: 1 - Π (1 - d / n) over the days up to then, with d found on that day, and n not found before and still
    looked for.

    Source: E. L. Kaplan and P. Meier, Journal of the American Statistical Association 53, 1958.
    """
    after, events = np.unique(days[found], return_counts=True)
    waiting = len(days) - np.searchsorted(np.sort(days), after)
    return after, np.asarray(1 - np.cumprod(1 - events / waiting), np.float64)
