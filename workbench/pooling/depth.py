"""Pooling to a depth: the first K documents of every ranking."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.pooling.registry import PoolPairs, strategy
from workbench.ranking import Rankings


class PoolSizes(NamedTuple):
    """How many pairs a pool would have: `sizes` int64 (topics, depths), for each of `depths`."""

    depths: tuple[int, ...]
    sizes: NDArray[np.int64]


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
    row = np.repeat(np.arange(len(near)), near.lengths)
    rank = np.arange(1, len(row) + 1) - near.row_start[row]
    pair = near.topic[row].astype(np.int64) << 32 | near.document
    order = np.lexsort((rank, pair))
    pair, rank = pair[order], rank[order]
    first = np.flatnonzero(np.diff(pair, prepend=-1))
    return PoolPairs(
        topic=(pair[first] >> 32).astype(np.int32),
        document=(pair[first] & 0xFFFFFFFF).astype(np.uint32),
        best_rank=rank[first].astype(np.int32),
        runs=np.diff(np.append(first, len(pair))).astype(np.int32),
        stratum=np.ones(len(first), np.int32),
        inclusion_probability=np.ones(len(first)),
    )


def size_by_depth(pairs: PoolPairs, depths: Sequence[int], *, n_topics: int) -> PoolSizes:
    """The size of each topic's pool at other depths, from the pairs of a pool at least as deep as all of them."""
    deepest = max(depths, default=0)
    near = pairs.best_rank <= deepest
    cell = pairs.topic[near].astype(np.int64) * (deepest + 1) + pairs.best_rank[near]
    counts = np.bincount(cell, minlength=n_topics * (deepest + 1)).reshape(n_topics, deepest + 1)
    return PoolSizes(tuple(depths), np.cumsum(counts, axis=1)[:, list(depths)])
