"""What the labels of pooled pairs are learned by: ranks, how many runs have a pair and which, and its pool."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import POOLED, FloatArray, IntArray, starts_of
from workbench.methods.pooling.reach import NOWHERE
from workbench.methods.statistics.relevance_priors import Features
from workbench.scoring.board import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

BEND = 4
"""Curves over ranks may bend at its powers."""

MOST_BENT = 2e9
"""Pairs times the square of the columns: with more, the curve of each run is straight."""


class Unjudged(NamedTuple):
    """The pooled pairs: what is known of each, and which of them wait for a judgment.

    Attributes:
        cell: int64 (n). Their cells of the labels.
        topic: int64 (n).
        features: what their labels are learned by.
        waits: bool (n).
        pool: int64 (n). The number of the pool that each is from; None where that is not known.
        probe: bool (n). The judged pairs that chance drew from what a strategy had left, where labels are learned from
            these (see `probe`); else None.
    """

    cell: IntArray
    topic: IntArray
    features: Features
    waits: NDArray[np.bool_]
    pool: IntArray | None = None
    probe: NDArray[np.bool_] | None = None

    @property
    def learned(self) -> NDArray[np.bool_]:
        """The pairs that labels are learned from, bool (n)."""
        return ~self.waits if self.probe is None else self.probe

    def rows(self, chosen: NDArray[np.bool_]) -> Unjudged:
        """Some of the pairs."""
        return Unjudged(
            self.cell[chosen],
            self.topic[chosen],
            self.features.rows(chosen),
            self.waits[chosen],
            None if self.pool is None else self.pool[chosen],
            None if self.probe is None else self.probe[chosen],
        )


def pooled_pairs(campaign: Campaign, scoring: Scoring, columns: Sequence[int] | None = None) -> Unjudged:
    """The pairs of the pools in force, with what their labels are learned by; `columns` as in `features_of`."""
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    cells, topic, pool = [], [], []
    for pair in pools.pooled_pairs(campaign, as_of=scoring.head.seq):
        at = place[pair.pooled.topic_id]
        cells.append(
            int(scoring.labels.topic_start[at])
            + scoring.numbers[pair.pooled.topic_id][pair.pooled.document_id]
        )
        topic.append(at)
        pool.append(pair.pool)
    cell = np.array(cells, np.int64)
    label = scoring.labels.label[cell]
    # "Can't tell" is a judgment: the pair waits no more, and counts as not relevant.
    kept = ~np.isin(cell, cells_of(scoring, scoring.without_grade))
    of_pool = np.array(pool, np.int64)
    features = features_of(scoring, cell, of_pool, columns)
    if not kept.all():
        features = features.rows(kept)
    waits = (label == POOLED)[kept]
    return Unjudged(cell[kept], np.array(topic, np.int64)[kept], features, waits, of_pool[kept])


def cells_of(scoring: Scoring, pairs: Iterable[tuple[str, str]]) -> IntArray:
    """The cells of pairs of topic and document id, as many as are known."""
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    found = [
        int(scoring.labels.topic_start[place[topic_id]]) + number
        for topic_id, document_id in pairs
        if topic_id in place and (number := scoring.numbers.get(topic_id, {}).get(document_id)) is not None
    ]
    return np.array(found, np.int64)


def features_of(
    scoring: Scoring, cell: IntArray, pool: IntArray | None = None, columns: Sequence[int] | None = None
) -> Features:
    """What labels are learned by.

    `pool` is the number of each pair's pool, None where all are of one. `columns` are the runs of which it counts how
    high they have a pair, None for all; for a pair's best rank and the number of its runs all count.
    """
    of_pools = np.zeros((len(cell), 0)) if pool is None else _of_pools(pool)
    contributing = [
        column
        for column in (range(len(scoring.runs)) if columns is None else columns)
        if scoring.runs[column].record.contributes
    ]
    ranks, of_runs = _ranks(scoring, cell), _of_runs(scoring, cell, contributing)
    return Features(np.column_stack([ranks, of_pools]), of_runs, _bends(ranks[:, 1], of_runs))


def _bends(log_rank: FloatArray, of_runs: Any) -> tuple[Any, ...]:
    """How far down each pair is in each stretch of ranks from 1 to BEND, from there to BEND squared, and so on.

    Of its best rank, and of its rank in each run where that is not too much: what is learned of one stretch says only
    how much the next ones may differ.
    """
    from scipy.sparse import csr_array, hstack

    stretches = max(1, math.ceil(float(log_rank.max(initial=0.0)) / math.log(BEND)))
    best = csr_array(_stretches(log_rank, stretches))
    if of_runs.shape[0] * float(of_runs.shape[1] * (1 + stretches)) ** 2 > MOST_BENT:
        return (best,)
    # The columns of runs hold 1 / log2(rank + 1).
    each = _stretches(np.log(np.exp2(1.0 / of_runs.data) - 1.0), stretches).T
    parts = [csr_array((part, of_runs.indices, of_runs.indptr), shape=of_runs.shape) for part in each]
    by_run = hstack(parts, format="csr")
    by_run.eliminate_zeros()
    return best, by_run


def _stretches(log_rank: FloatArray, number: int) -> FloatArray:
    """The part of each stretch that is above ranks, float64 (n, number)."""
    return np.clip(log_rank[:, None] / math.log(BEND) - np.arange(number), 0.0, 1.0)


def _ranks(scoring: Scoring, cell: IntArray) -> FloatArray:
    """1, and the logarithms of the best rank of each document and of how many runs have it as far down as any pool."""
    contributing = [column for column, run in enumerate(scoring.runs) if run.record.contributes]
    everywhere = np.arange(len(scoring.labels.label))
    best = np.full(len(everywhere), NOWHERE, np.int64)
    for column in contributing:
        at, rank = _places_of_run(scoring, column, everywhere)
        best[at] = np.minimum(best[at], rank)
    deepest = int(best[cell][best[cell] < NOWHERE].max(initial=1))
    number = np.zeros(len(everywhere), np.int64)
    for column in contributing:
        at, rank = _places_of_run(scoring, column, everywhere)
        number[at[rank <= deepest]] += 1
    runs = number[cell]
    return np.column_stack(
        [
            np.ones(len(cell)),
            np.log(np.minimum(best[cell], deepest + 1)),
            np.log1p(runs),
        ]
    )


def _of_runs(scoring: Scoring, cell: IntArray, columns: Sequence[int]) -> Any:
    """A column for each of some runs: 1 / log2(rank + 1) of the document, 0 where it lacks it; sparse.

    Entries are counted first, and then written to their places, so that they are in memory once.
    """
    from scipy.sparse import csr_array

    place = np.full(len(scoring.labels.label), -1, np.int64)
    place[cell] = np.arange(len(cell))
    number = np.zeros(len(cell), np.int64)
    for column in columns:
        number[_places_of_run(scoring, column, place)[0]] += 1
    start = starts_of(number)
    runs, heights = np.empty(start[-1], np.int32), np.empty(start[-1])
    free = start[:-1].copy()
    for which, column in enumerate(columns):
        at, rank = _places_of_run(scoring, column, place)
        runs[free[at]], heights[free[at]] = which, 1.0 / np.log2(1.0 + rank)
        free[at] += 1
    return csr_array((heights, runs, start), shape=(len(cell), len(columns)))


def _places_of_run(scoring: Scoring, column: int, place: IntArray) -> tuple[IntArray, IntArray]:
    """Where the documents of a run are among others, and their ranks."""
    rankings = scoring.rankings.of_runs([column])
    row = np.repeat(np.arange(len(rankings)), rankings.lengths)
    rank = np.arange(1, len(row) + 1) - rankings.row_start[row]
    at = place[scoring.labels.topic_start[rankings.topic[row]] + rankings.document]
    return at[at >= 0], rank[at >= 0]


def _of_pools(pool: IntArray) -> FloatArray:
    """A column for each pool but the first: whether the pair is from it."""
    return np.asarray(pool[:, None] == np.unique(pool)[None, 1:], np.float64)
