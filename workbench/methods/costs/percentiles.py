"""Percentiles of times, with intervals that hold whatever their distribution."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike


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
