"""How much of a run other runs have too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.run_profiles.one_run import alone
from workbench.core.ranking import FloatArray, IntArray, Rankings, starts_of
from workbench.scoring.board import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.log.cache import Cache

DEPTHS = (10, 100)
"""The ranks to which overlap is computed."""

AT_ONCE = 25
"""Topics whose documents are compared together: few enough for the processor's cache, where fresh memory is slow."""


class Overlap(NamedTuple):
    """Another run, and for each depth the share of this run's first documents that it has among its own first ones,
    from 0 to 1: the mean over the topics that this run has.
    """

    run: StoredRun
    shares: tuple[float, ...]


_shares: Cache[list[FloatArray]] = Cache()


def overlaps(
    campaign: Campaign, scoring: Scoring, run: StoredRun, depths: Sequence[int] = DEPTHS
) -> list[Overlap]:
    """The overlap of a run, withdrawn or not, with every other run that takes part; most alike first.

    Runs that are alike at the last of the depths are in the order in which they were added. What was found is cached.
    """
    shares = _shares.at(
        campaign,
        scoring.head,
        (run.run, tuple(depths)),
        lambda: shared(_own(campaign, scoring, run), scoring.rankings, depths, len(scoring.runs)),
    )
    columns = zip(*(share.tolist() for share in shares), strict=True) if scoring.runs else ()
    found = [Overlap(other, tuple(column)) for other, column in zip(scoring.runs, columns, strict=False)]
    others = (overlap for overlap in found if overlap.run.run != run.run)
    return sorted(others, key=lambda overlap: [-share for share in reversed(overlap.shares)])


def _own(campaign: Campaign, scoring: Scoring, run: StoredRun) -> Rankings:
    """The rankings of a run, a row for each topic; they are read where it does not take part."""
    numbers = [each.run for each in scoring.runs]
    if run.run not in numbers:
        return alone(campaign, scoring, run).rankings
    return scoring.rankings.select(
        np.arange(numbers.index(run.run), len(scoring.rankings), len(numbers), dtype=np.int64)
    )


def shared(own: Rankings, grid: Rankings, depths: Sequence[int], n_runs: int) -> list[FloatArray]:
    """For each depth and run the share of `own`'s first documents that it has among its own first, float64 (n_runs,).

    `own` has a row per topic, `grid` a row per topic and run (`topic * n_runs + run`). The mean is over the topics
    that `own` has; 0 when it has none.
    """
    has = own.lengths > 0
    if not has.any():
        return [np.zeros(n_runs) for _ in depths]
    deepest = max(depths)
    common = [
        _common(
            own.rows_between(first, last).to_depth(deepest),
            grid.rows_between(first * n_runs, last * n_runs).to_depth(deepest),
            depths,
            len(own),
        )
        for first, last in pairwise((*range(0, len(own), AT_ONCE), len(own)))
    ]
    found = []
    for depth, counts in zip(depths, zip(*common, strict=True), strict=True):
        by_topic = np.concatenate(counts).reshape(len(own), n_runs)[has]
        found.append(np.asarray((by_topic / np.minimum(own.lengths[has], depth)[:, None]).mean(axis=0)))
    return found


def _common(own: Rankings, others: Rankings, depths: Sequence[int], n_topics: int) -> list[IntArray]:
    """For each depth how many of the first documents of each row of `others` are among the first of the row of `own`
    for its topic, int64 (R).
    """
    starts = _starts(own, others, n_topics)
    deepest = max(depths)
    rank = np.full(int(starts[-1]), deepest, np.min_scalar_type(deepest))
    rank[_cells(own, starts)] = np.arange(len(own.document)) - np.repeat(own.row_start[:-1], own.lengths)
    found = rank[_cells(others, starts)]
    return [_count(found, others, depth) for depth in depths]


def _count(rank: NDArray[Any], others: Rankings, depth: int) -> IntArray:
    """How many of the first `depth` documents of each row have a rank, counted from 0, below it, int64 (R)."""
    if (others.lengths <= depth).all():
        count, full = np.zeros(len(others), np.int64), np.flatnonzero(others.lengths)
        count[full] = np.add.reduceat(rank < depth, others.row_start[full], dtype=np.int64)
        return count
    place, length = np.arange(depth), others.lengths[:, None]
    position = np.minimum(others.row_start[:-1, None] + place, len(rank) - 1)
    return np.asarray(((rank[position] < depth) & (place < length)).sum(axis=1))


def _starts(first: Rankings, others: Rankings, n_topics: int) -> IntArray:
    """Where each topic's cells start: one for each number up to the largest, int64 (n_topics + 1)."""
    sizes = np.zeros(n_topics, np.int64)
    for rankings in (first, others):
        full = np.flatnonzero(rankings.lengths)
        largest = np.maximum.reduceat(rankings.document, rankings.row_start[full])
        np.maximum.at(sizes, rankings.topic[full], largest.astype(np.int64) + 1)
    return starts_of(sizes)


def _cells(rankings: Rankings, starts: IntArray) -> IntArray:
    """The cell of each document, int64 (N,)."""
    return np.repeat(starts[rankings.topic], rankings.lengths) + rankings.document
