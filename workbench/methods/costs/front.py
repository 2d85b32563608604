"""The Pareto front of two merits."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

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
