"""How far down the runs one has to go for every document: from this the size of a pool is known at any depth.

A document is in the pool of depth K when its best rank is at most K, and a run is alone in bringing it as long as the
second best rank is below K. So two ranks and one run per document answer for all depths at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray, Rankings

NOWHERE = np.iinfo(np.int32).max
"""The rank of a document that no run has; below every depth."""


class Reach(NamedTuple):
    """The ranks of every document of every topic, a cell each, over the runs that are pooled; shapes (cells,).

    `best` and `second` are the two best ranks that different runs give it (NOWHERE without such a run), `run` is the
    run that gives the best, the first of several (0 where there is none).
    """

    best: NDArray[np.int32]
    second: NDArray[np.int32]
    run: NDArray[np.int32]


def cell_starts(rankings: Rankings, n_topics: int) -> IntArray:
    """Where each topic's cells start, int64 (n_topics + 1): one cell for each document number up to the largest."""
    largest = np.zeros(n_topics, np.int64)
    rows = np.flatnonzero(rankings.lengths)
    if len(rows):
        last = np.maximum.reduceat(rankings.document, rankings.row_start[rows]).astype(np.int64)
        np.maximum.at(largest, rankings.topic[rows], last + 1)
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(largest)])


def reach_of(rankings: Rankings, starts: IntArray, runs: Iterable[int]) -> Reach:
    """The reach of these runs, by their numbers.

    Rows are in any order, their documents in the order in which they are to be pooled; `starts` is that of
    `cell_starts`, of these rankings or of more.
    """
    cells = int(starts[-1])
    nowhere = np.full(cells, NOWHERE, np.int32)
    reach = Reach(nowhere, nowhere.copy(), np.zeros(cells, np.int32))
    for run in runs:
        cell, rank = _ranks(rankings, starts, run)
        before = reach.best[cell]
        reach.second[cell] = np.minimum(reach.second[cell], np.maximum(before, rank))
        reach.best[cell] = np.minimum(before, rank)
        reach.run[cell[rank < before]] = run
    return reach


def pairs_by_depth(best: NDArray[np.int32], deepest: int) -> IntArray:
    """How many of these documents are in the pool at each depth 0 to `deepest`, int64 (deepest + 1,)."""
    near = best[best <= deepest]
    return np.cumsum(np.bincount(near, minlength=deepest + 1))


def pairs_by_topic(chosen: NDArray[np.bool_], starts: IntArray) -> IntArray:
    """How many cells of each topic a mask chooses, int64 (topics,)."""
    return np.diff(np.searchsorted(np.flatnonzero(chosen), starts))


def alone_at(reach: Reach, depth: int) -> NDArray[np.bool_]:
    """The cells that are in the pool of this depth because of one run only."""
    return (reach.best <= depth) & (reach.second > depth)


def added_by(
    rankings: Rankings, starts: IntArray, reach: Reach, runs: Sequence[int], depth: int
) -> list[int]:
    """How many pairs each of these runs would add to the pool of this depth, if it were pooled besides."""
    near = rankings.to_depth(depth) if runs else rankings
    cells = (_ranks(near, starts, run)[0] for run in runs)
    return [int(np.count_nonzero(reach.best[cell] > depth)) for cell in cells]


def _ranks(rankings: Rankings, starts: IntArray, run: int) -> tuple[IntArray, NDArray[np.int32]]:
    """The cells of a run's documents and their ranks from 1, both (documents of the run,)."""
    rows = np.flatnonzero(rankings.run == run)
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1:
        own = rankings.rows_between(int(rows[0]), int(rows[-1]) + 1)
    else:
        own = rankings.select(rows)
    cell = own.document.astype(np.int64) + np.repeat(starts[own.topic], own.lengths)
    return cell, own.entry_ranks.astype(np.int32)
