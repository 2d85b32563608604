"""Pooling to a depth: the first K documents of every ranking."""

from __future__ import annotations

import numpy as np

from workbench.pooling.reach import NOWHERE, cell_starts
from workbench.pooling.registry import PoolPairs, strategy
from workbench.ranking import Rankings


@strategy("depth")
def pool_to_depth(rankings: Rankings, *, depth: int) -> PoolPairs:
    """Every document that at least one run has among its first `depth` for the topic.

    All pairs are to be judged. The classic pool of shared tasks: fair to every contributing run, and any two
    runs can be compared down to the depth without meeting an unjudged document.

    Source: Sparck Jones and van Rijsbergen, British Library report 5266, 1975.
    """
    if depth < 1:
        message = f"depth is {depth}; it must be at least 1"
        raise ValueError(message)
    near = rankings.to_depth(depth)
    starts = cell_starts(near, 1 + int(near.topic.max(initial=-1)))
    row = np.repeat(np.arange(len(near)), near.lengths)
    rank = (np.arange(1, len(row) + 1) - near.row_start[row]).astype(np.int32)
    cell = starts[near.topic[row]] + near.document
    best = np.full(int(starts[-1]), NOWHERE, np.int32)
    np.minimum.at(best, cell, rank)
    pooled = np.flatnonzero(best < NOWHERE)
    topic = np.searchsorted(starts, pooled, side="right") - 1
    return PoolPairs(
        topic=topic.astype(np.int32),
        document=(pooled - starts[topic]).astype(np.uint32),
        best_rank=best[pooled],
        runs=np.bincount(cell, minlength=len(best))[pooled].astype(np.int32),
        stratum=np.ones(len(pooled), np.int32),
        inclusion_probability=np.ones(len(pooled)),
    )
