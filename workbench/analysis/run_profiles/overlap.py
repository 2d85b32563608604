"""How much of a run other runs have too."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.analysis.run_profiles.one_run import alone
from workbench.core.ranking import FloatArray, IntArray, Rankings, starts_of
from workbench.scoring.board import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.runs import StoredRun

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


def overlaps(
    campaign: Campaign, scoring: Scoring, run: StoredRun, depths: Sequence[int] = DEPTHS
) -> list[Overlap]:
    """The overlap of a run, withdrawn or not, with every other run that takes part; most alike first.

    Runs that are alike at the last of the depths are in the order in which they were added.
    """
    own = alone(campaign, scoring, run).rankings
    shares = [shared(own, scoring.rankings, depth, len(scoring.runs)).tolist() for depth in depths]
    columns = zip(*shares, strict=True) if scoring.runs else ()
    found = [Overlap(other, tuple(column)) for other, column in zip(scoring.runs, columns, strict=False)]
    others = (overlap for overlap in found if overlap.run.run != run.run)
    return sorted(others, key=lambda overlap: [-share for share in reversed(overlap.shares)])


def shared(own: Rankings, grid: Rankings, depth: int, n_runs: int) -> FloatArray:
    """For each run the share of `own`'s first `depth` documents that it has among its own first, float64 (n_runs,).

    `own` has a row per topic, `grid` a row per topic and run (`topic * n_runs + run`). The mean is over the topics
    that `own` has; 0 when it has none.
    """
    lengths = np.minimum(own.lengths, depth)
    if not lengths.any():
        return np.zeros(n_runs)
    common = [
        _common(
            own.rows_between(first, last).to_depth(depth),
            grid.rows_between(first * n_runs, last * n_runs).to_depth(depth),
            len(own),
        )
        for first, last in pairwise((*range(0, len(own), AT_ONCE), len(own)))
    ]
    has = lengths > 0
    by_topic = np.concatenate(common).reshape(len(own), n_runs)[has] / lengths[has][:, None]
    return np.asarray(by_topic.mean(axis=0))


def _common(first: Rankings, others: Rankings, n_topics: int) -> IntArray:
    """How many documents of each row of `others` are in the row of `first` for its topic, int64 (R)."""
    starts = _starts(first, others, n_topics)
    is_own = np.zeros(int(starts[-1]), np.bool_)
    is_own[_cells(first, starts)] = True
    common, full = np.zeros(len(others), np.int64), np.flatnonzero(others.lengths)
    common[full] = np.add.reduceat(is_own[_cells(others, starts)], others.row_start[full], dtype=np.int64)
    return common


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
