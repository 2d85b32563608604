"""Sampling uniformly within a topic, below a depth that is judged whole."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import Rankings
from workbench.core.wording import counted
from workbench.methods.pooling.budgets import Budget, Percent, PerTopic, allot
from workbench.methods.pooling.frames import (
    Frame,
    Seed,
    in_drawing_order,
    sampling_design,
    sizes_by_topic,
    stratified,
)
from workbench.methods.pooling.ordering import Depth

Whole = Annotated[int, Limits("how many documents at the top of each ranking are all judged", least=0)]

WHOLE, DRAWN = 1, 2
"""The strata."""


@sampling_design("uniform", purpose="estimate the scores of the whole pool", down_to="depth")
def uniformly(
    rankings: Rankings,
    *,
    depth: Depth,
    whole: Whole = 0,
    budget: Budget = None,
    percent: Percent = None,
    per_topic: PerTopic = False,
    seed: Seed = 0,
) -> Frame:
    """A random sample of each topic's candidates, each with the same chance, below a depth that is judged whole.

    The budget counts both. Of each topic at least one document below the whole part is drawn. Without a whole part,
    infAP estimates average precision from it.

    Source: Yilmaz and Aslam, CIKM 2006.
    """
    pool = in_drawing_order(rankings.to_depth(depth))
    stratum = np.where(pool.best_rank <= whole, WHOLE, DRAWN)
    sizes = sizes_by_topic(pool)
    least = np.bincount(pool.topic[stratum == WHOLE], minlength=len(sizes))
    least[np.unique(pool.topic[stratum == DRAWN])] += 1
    shares = allot(sizes, budget=budget, percent=percent, per_topic=per_topic)
    if percent is not None:
        shares = np.maximum(shares, least)
    if short := int((shares < least).sum()):
        message = (
            f"the budget leaves nothing to draw in {counted(short, 'topic')} after the part that is judged whole; "
            "raise the budget or lower whole"
        )
        raise UnknownName(message)
    left = shares - np.bincount(pool.topic[stratum == WHOLE], minlength=len(sizes))
    rng = np.random.default_rng(seed)
    numbers = iter(left[np.unique(pool.topic[stratum == DRAWN])].tolist())
    return stratified(pool, stratum, lambda one, size: size if one == WHOLE else next(numbers), rng)
