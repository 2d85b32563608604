"""Pooling to a depth: the first K documents of every ranking."""

from __future__ import annotations

from math import inf
from typing import Annotated

import numpy as np

from workbench.core.parameters import Limits
from workbench.core.ranking import Rankings
from workbench.methods.pooling.outlook import Outlook, Pooling
from workbench.methods.pooling.reach import added_by, alone_at
from workbench.methods.pooling.registry import PoolPairs, candidates, strategy

# Beyond the longest ranking a depth changes nothing, so any is allowed.
Depth = Annotated[int, Limits("documents of each ranking to take", least=1, most=inf, example="10")]


def outlook_to_depth(pooling: Pooling, *, depth: int) -> Outlook:
    """The outlook from the best two ranks of every document, which answer for all depths at once."""
    rankings, reach = pooling.rankings, pooling.reach
    near = min(depth, int(rankings.lengths.max(initial=0)))
    lengths = np.minimum(rankings.lengths, near)
    return Outlook(
        chosen=reach.best <= near,
        brings=np.bincount(rankings.run, weights=lengths, minlength=pooling.n_runs).astype(np.int64),
        alone=alone_at(reach, near),
        adds=added_by(rankings, pooling.starts, reach, pooling.others, near),
        by_depth=reach.best,
    )


@strategy("depth", down_to="depth", outlook=outlook_to_depth)
def pool_to_depth(rankings: Rankings, *, depth: Depth) -> PoolPairs:
    """Every document that at least one run has among its first K for the topic.

    All pairs are to be judged. The classic pool of shared tasks: fair to every contributing run, and any two
    runs can be compared down to the depth without meeting an unjudged document.

    Source: Sparck Jones and van Rijsbergen, British Library report 5266, 1975.
    """
    return candidates(rankings.to_depth(depth))
