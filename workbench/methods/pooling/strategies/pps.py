"""Sampling with probabilities proportional to size."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, Rankings
from workbench.core.wording import counted
from workbench.methods.pooling.budgets import Budget, Percent, PerTopic, allot
from workbench.methods.pooling.frames import (
    Frame,
    Seed,
    designed,
    in_drawing_order,
    sampling_design,
    sizes_by_topic,
    topics_of,
)
from workbench.methods.pooling.ordering import Depth
from workbench.methods.pooling.registry import PoolPairs

Prior = Annotated[
    Literal["ap", "rbp"],
    Limits("what a document weighs: its expected part in AP, or the sum of its weights in RBP"),
]
Persistence = Annotated[float, Limits("the persistence of the weights of RBP", above=0, below=1)]


@sampling_design("pps", purpose="estimate the scores of the whole pool", down_to="depth")
def proportional_to_size(
    rankings: Rankings,
    *,
    depth: Depth,
    budget: Budget = None,
    percent: Percent = None,
    per_topic: PerTopic = False,
    prior: Prior = "ap",
    p: Persistence = 0.95,
    seed: Seed = 0,
) -> Frame:
    """A systematic sample in which documents near the top of many runs are more likely.

    Formula: π_d = min(1, c * w_d), with c such that the sum of π over a topic is its budget

    The weight w_d is the sum over the runs of ln((K + 1) / r) for the prior ap, of (1 - p) p^(r - 1) for rbp, where
    r is the rank of d within the depth K. statAP and the measures of its family estimate from it.

    Source: Aslam, Pavlu and Yilmaz, SIGIR 2006; the systematic draw after Madow, 1949.
    """
    near = rankings.to_depth(depth)
    pool = in_drawing_order(near)
    deepest = min(depth, int(near.lengths.max(initial=1)))
    weight = _weights(near, pool, deepest, p if prior == "rbp" else None)
    shares = allot(sizes_by_topic(pool), budget=budget, percent=percent, per_topic=per_topic)
    if percent is not None:
        shares = np.maximum(shares, np.bincount(pool.topic, minlength=len(shares)).clip(max=1))
    if short := int((shares[np.unique(pool.topic)] < 1).sum()):
        message = f"the budget gives nothing to {counted(short, 'topic')}; raise it to at least one document for each"
        raise UnknownName(message)
    probability, drawn = np.ones(len(weight)), np.zeros(len(weight), np.bool_)
    rng = np.random.default_rng(seed)
    for topic in topics_of(pool):
        probability[topic] = probabilities(weight[topic], int(shares[pool.topic[topic.start]]))
        drawn[topic] = drawn_systematically(probability[topic], rng)
    return Frame(designed(pool, np.ones(len(weight), np.int64), probability), drawn, has_strata=False)


def _weights(near: Rankings, pool: PoolPairs, depth: int, persistence: float | None) -> FloatArray:
    """The weight of each candidate, float64 (N)."""
    p, rank = persistence, near.entry_ranks
    # Rank by rank, so that sums do not depend on the order of the runs.
    by_rank = np.argsort(rank, kind="stable")
    row, rank = near.entry_rows[by_rank], rank[by_rank]
    parts = np.log((depth + 1) / rank) if p is None else (1 - p) * p ** (rank - 1.0)
    span = 1 + int(pool.document.max(initial=0))
    cell = near.topic[row].astype(np.int64) * span + near.document[by_rank]
    whole = np.bincount(cell, parts, minlength=1)
    weight: FloatArray = whole[pool.topic.astype(np.int64) * span + pool.document]
    return weight


def probabilities(weight: FloatArray, number: int) -> FloatArray:
    """min(1, c w) with c such that they add up to `number`, from 0 to n, float64 (n); weights are above 0."""
    certain = np.zeros(len(weight), np.bool_)
    while True:
        rest = number - int(certain.sum())
        scaled = np.where(certain, 1.0, rest * weight / max(weight[~certain].sum(), np.finfo(float).tiny))
        more = ~certain & (scaled >= 1)
        if not more.any():
            return scaled
        certain |= more


def drawn_systematically(probability: FloatArray, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Which places are drawn with these probabilities, which add up to a whole number n: exactly n, bool (n).

    What is certain is taken; of the others, from a random start between 0 and 1, every place where the running sum of
    the probabilities passes a whole step.
    """
    drawn = probability >= 1
    open_ = np.flatnonzero(~drawn)
    number = round(float(probability[open_].sum()))
    if number:
        ends: FloatArray = np.cumsum(probability[open_])
        steps = (np.arange(number) + rng.random()) * (ends[-1] / number)
        drawn[open_[np.searchsorted(ends, steps, side="right")]] = True
    return drawn
