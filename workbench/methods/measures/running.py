"""Sums, products and maxima that run along the rows of packed arrays, from left to right, separately in every row."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray, starts_of

Number = TypeVar("Number", bound=np.number)

SMALL_GRID = 1 << 15
"""Up to this many cells, rows of different lengths are not sorted by length."""


def running_sums(values: FloatArray, start: IntArray) -> FloatArray:
    """The sum of each value and those before it in its row, float64 (N).

    `start` is int64 (R + 1): row i has the values start[i] to start[i + 1] - 1.
    """
    return _running(np.add, values, start)


def running_products(values: FloatArray, start: IntArray) -> FloatArray:
    """The product of each value and those before it in its row; arguments and result as in `running_sums`."""
    return _running(np.multiply, values, start)


def maxima_from_here(values: FloatArray, start: IntArray) -> FloatArray:
    """The largest of each value and those after it in its row, for values that are not negative.

    Arguments and result as in `running_sums`.
    """
    return _running(np.maximum, values[::-1], start[-1] - start[::-1])[::-1]


def sums_down(grid: FloatArray) -> FloatArray:
    """The sum of each column of a grid (rows, columns), from the first row to the last, float64 (columns,).

    numpy adds whole rows to one another, in their order, if there are at least two columns and each row is one
    stretch of memory; it adds the values of a single column in pairs, which differs in the last digit.
    """
    if len(grid) == 0:
        return np.zeros(grid.shape[1])
    if grid.shape[1] == 1:
        last: FloatArray = np.cumsum(grid, axis=0)[-1]
        return last
    summed: FloatArray = np.add.reduce(np.ascontiguousarray(grid), axis=0)
    return summed


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Each value once, ascending: `np.unique`, which without counts imports numpy.ma, a tenth of a short evaluation."""
    found: NDArray[Number] = np.unique(values, return_counts=True)[0]
    return found


def _running(combine: np.ufunc, values: FloatArray, start: IntArray) -> FloatArray:
    """Rows of like length (up to twofold) are done at once, in grids that are at least half full.

    One sum over everything, less what was before each row, would carry the rounding of one row into the next.
    """
    length = np.diff(start)
    longest = int(length.max(initial=0))
    if len(length) * longest <= SMALL_GRID:
        return _in_one_grid(combine, values, start, longest)
    # The smallest power of two that is at least each length; 0 for 0.
    exponent = np.frexp(np.maximum(2 * length - 1, 0).astype(np.float64))[1]
    width = np.where(length > 0, 1 << np.maximum(exponent - 1, 0).astype(np.int64), 0)
    by_width = np.argsort(width, kind="stable")
    place_of_row = np.empty_like(length)
    place_of_row[by_width] = starts_of(width[by_width])[:-1]
    place = np.arange(len(values)) + np.repeat(place_of_row - start[:-1], length)
    grid = np.zeros(int(width.sum()))
    grid[place] = values
    done = 0
    for each, number in zip(*np.unique(width, return_counts=True), strict=True):
        part = grid[done : done + each * number].reshape(number, each)
        combine.accumulate(part, axis=1, out=part)
        done += each * number
    return grid[place]


def _in_one_grid(combine: np.ufunc, values: FloatArray, start: IntArray, width: int) -> FloatArray:
    """The same in one grid, however empty: quicker where all of it is small."""
    rows = len(start) - 1
    place = np.arange(len(values)) + np.repeat(np.arange(rows) * width - start[:-1], np.diff(start))
    grid = np.zeros(rows * width)
    grid[place] = values
    running: FloatArray = combine.accumulate(grid.reshape(rows, width), axis=1).ravel()[place]
    return running
