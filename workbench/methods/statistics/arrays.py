"""What the statistics take: differences per topic, or scores of topics by runs, without gaps."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]
Signs = NDArray[np.int8]
Numbers = Sequence[float] | FloatArray

Progress = Callable[[int], None]
"""Called with the number of rounds of a random procedure done since the last call."""

CELLS_AT_A_TIME = 1 << 20
"""Random procedures hold about this many numbers in memory at once."""

NOISE = 1e-12
"""Scores are sums and quotients of doubles: differences smaller than this are rounding, not findings."""


def one_row(values: ArrayLike) -> FloatArray:
    """The values as float64 (n,); ValueError for more than one dimension, or a value that is not finite."""
    row = np.asarray(values, np.float64)
    if row.ndim != 1 or not np.isfinite(row).all():
        raise ValueError(f"one finite value for each topic is needed, not an array of shape {row.shape}")
    return row


def topics_by_runs(values: ArrayLike) -> FloatArray:
    """The values as float64 (topics, runs); ValueError for other dimensions, no run, or a value that is not finite."""
    table = np.asarray(values, np.float64)
    if table.ndim != 2 or not table.shape[1] or not np.isfinite(table).all():
        raise ValueError(f"finite values of topics by runs are needed, not an array of shape {table.shape}")
    return table


def is_constant(values: FloatArray) -> bool:
    """Whether all values are the same, up to rounding; so is an empty array."""
    return not len(values) or float(np.ptp(values)) <= NOISE


def signs_of(differences: ArrayLike) -> Signs:
    """1 where a difference is above 0, -1 below, and 0 up to rounding; int8 of the same shape."""
    d = np.asarray(differences, np.float64)
    return (d > NOISE).view(np.int8) - (d < -NOISE).view(np.int8)


def levels(values: ArrayLike) -> IntArray:
    """The place of each value among the different ones, 0 for the smallest, int64 (n,).

    Neighbours in order are one level where they differ by rounding alone: 0.3 - 0.2 is 0.1. Whatever ranks scores
    ranks their levels.
    """
    row = one_row(values)
    order = np.argsort(row, kind="stable")
    found = np.empty(len(row), np.int64)
    found[order] = np.cumsum(np.diff(row[order], prepend=row[order[:1]]) > NOISE)
    return found


def rounds(number: int, cells: int) -> list[int]:
    """How many rounds of `cells` numbers each are done together, one entry for each time; they sum to `number`.

    ValueError for fewer than one round.
    """
    if number < 1:
        raise ValueError(f"a random procedure needs at least one round, not {number}")
    at_once = max(1, CELLS_AT_A_TIME // max(cells, 1))
    whole, rest = divmod(number, at_once)
    return [at_once] * whole + [rest] * (rest > 0)
