"""Sampling: with probabilities proportional to size, by strata of the best rank, and uniformly below a depth."""

from __future__ import annotations

import re
from typing import Annotated, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.core.wording import counted
from workbench.methods.pooling import frames
from workbench.methods.pooling.budgets import Budget, Percent, PerTopic, allot
from workbench.methods.pooling.ordering import Depth
from workbench.methods.pooling.registry import PoolPairs
from workbench.methods.pooling.strategies.fused import Persistence

Prior = Annotated[
    Literal["ap", "rbp"],
    Limits("what a document weighs: its expected part in AP, or the sum of its weights in RBP"),
]

EXAMPLE = "1-10:100%,11-40:20%,41-100:10%"

Strata = Annotated[
    str,
    Limits(
        f"best ranks and the share of each that is judged, from rank 1 on without gaps: {EXAMPLE}",
        example=EXAMPLE,
    ),
]

_ONE = re.compile(r"(?P<first>\d{1,9})(?:-(?P<last>\d{1,9}))?:(?P<rate>[0-9.]+)(?P<percent>%?)")

Whole = Annotated[int, Limits("how many documents at the top of each ranking are all judged", least=0)]

WHOLE, DRAWN = 1, 2
"""The strata."""


@frames.sampling_design("pps", down_to="depth")
def proportional_to_size(
    rankings: Rankings,
    *,
    depth: Depth,
    budget: Budget = None,
    percent: Percent = None,
    per_topic: PerTopic = False,
    prior: Prior = "ap",
    p: Persistence = 0.95,
    seed: frames.Seed = 0,
) -> frames.Frame:
    """A systematic sample in which documents near the top of many runs are more likely.

    Formula: π_d = min(1, c * w_d), with c such that the sum of π over a topic is its budget

    The weight w_d is the sum over the runs of ln((K + 1) / r) for the prior ap, of (1 - p) p^(r - 1) for rbp, where
    r is the rank of d within the depth K. statAP and the measures of its family estimate from it.

    Source: Aslam, Pavlu and Yilmaz, SIGIR 2006; the systematic draw after Madow, 1949.
    """
    near = rankings.to_depth(depth)
    pool = frames.in_drawing_order(near)
    rank = np.arange(1, 1 + min(depth, int(near.lengths.max(initial=1))))
    parts = np.asarray(np.log((len(rank) + 1) / rank) if prior == "ap" else (1 - p) * p ** (rank - 1.0))
    shares = allot(frames.sizes_by_topic(pool), budget=budget, percent=percent, per_topic=per_topic)
    weight = summed_over_runs(near, pool, parts)
    return drawn_by_size(pool, weight, shares, at_least_one=percent is not None, seed=seed)


def summed_over_runs(near: Rankings, pool: PoolPairs, parts: FloatArray) -> FloatArray:
    """The sum over the runs of what each candidate's rank, from 1, is worth, `parts`, float64 (ranks) to (N)."""
    rank = near.entry_ranks
    # Rank by rank, so that sums do not depend on the order of the runs.
    by_rank = np.argsort(rank, kind="stable")
    row, rank = near.entry_rows[by_rank], rank[by_rank]
    span = 1 + int(pool.document.max(initial=0))
    cell = near.topic[row].astype(np.int64) * span + near.document[by_rank]
    whole = np.bincount(cell, parts[rank - 1], minlength=1)
    summed: FloatArray = whole[pool.topic.astype(np.int64) * span + pool.document]
    return summed


def drawn_by_size(
    pool: PoolPairs, size: FloatArray, shares: IntArray, *, at_least_one: bool, seed: int
) -> frames.Frame:
    """A systematic sample of each topic's share of candidates in drawing order, with chances in proportion to a size.

    `size`, float64 (N), is above 0. UnknownName where a topic's share is nothing, unless `at_least_one` raises it.
    """
    if at_least_one:
        shares = np.maximum(shares, np.bincount(pool.topic, minlength=len(shares)).clip(max=1))
    if short := int((shares[np.unique(pool.topic)] < 1).sum()):
        message = f"the budget gives nothing to {counted(short, 'topic')}; raise it to at least one document for each"
        raise UnknownName(message)
    probability, drawn = np.ones(len(size)), np.zeros(len(size), np.bool_)
    rng = np.random.default_rng(seed)
    for topic in frames.topics_of(pool):
        probability[topic] = probabilities(size[topic], int(shares[pool.topic[topic.start]]))
        drawn[topic] = drawn_systematically(probability[topic], rng)
    return frames.Frame(
        frames.designed(pool, np.ones(len(size), np.int64), probability), drawn, has_strata=False
    )


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


class Stratum(NamedTuple):
    """The candidates with a best rank from `first` to `last`, of which the share `rate` is judged."""

    first: int
    last: int
    rate: float

    def number(self, size: int) -> int:
        """How many of `size` candidates are drawn: to the nearest, halves up, and at least one."""
        return max(1, int(np.floor(self.rate * size + 0.5)))


def read_strata(text: str) -> list[Stratum]:
    """The strata in a text such as `1-10:100%,11-40:20%`, by rank.

    UnknownName where one cannot be read, two overlap, there is a gap, or a rate is not above 0 and at most 1.
    """
    strata = sorted(_stratum(part.strip()) for part in text.split(",") if part.strip())
    if not strata:
        raise UnknownName(f"strata is empty; write ranks and rates such as {EXAMPLE}")
    before = 0
    for one in strata:
        if one.first <= before:
            message = f"the strata overlap at rank {one.first}; let each begin after the one before it"
            raise UnknownName(message)
        if one.first > before + 1:
            gap = f"{before + 1}" if one.first == before + 2 else f"{before + 1} to {one.first - 1}"
            message = f"the strata leave out rank {gap}; what is never drawn cannot be estimated, so add it"
            raise UnknownName(message)
        before = one.last
    return strata


def _stratum(text: str) -> Stratum:
    found = _ONE.fullmatch(text.replace(" ", ""))
    try:
        rate = float(found["rate"]) / (100 if found["percent"] else 1) if found else None
    except ValueError:
        rate = None
    if found is None or rate is None:
        raise UnknownName(f"{text!r} is not a stratum; write ranks and a rate, such as 11-40:20%")
    first, last = int(found["first"]), int(found["last"] or found["first"])
    if not 1 <= first <= last:
        raise UnknownName(f"{text!r}: ranks count from 1, and the first is not after the last")
    if not 0 < rate <= 1:
        message = (
            f"{text!r}: a rate is above 0 and at most 1 (100%); leave out the last stratum to pool less deep"
        )
        raise UnknownName(message)
    return Stratum(first, last, rate)


@frames.sampling_design("strata")
def by_strata(rankings: Rankings, *, strata: Strata, seed: frames.Seed = 0) -> frames.Frame:
    """A random sample of each stratum of best ranks, at a rate of its own.

    Each topic's candidates are put into strata by the best rank that any run gives them. From each stratum its share
    is drawn at random without replacement, at least one document. What is not drawn is not judged, and counts in
    xinfAP and infNDCG by what was judged of its stratum.

    Source: Yilmaz, Kanoulas and Aslam, SIGIR 2008.
    """
    bands = read_strata(strata)
    pool = frames.in_drawing_order(rankings.to_depth(bands[-1].last))
    number = 1 + np.searchsorted([band.last for band in bands], pool.best_rank)
    rng = np.random.default_rng(seed)
    return frames.stratified(pool, number, lambda stratum, size: bands[stratum - 1].number(size), rng)


@frames.sampling_design("uniform", down_to="depth")
def uniformly(
    rankings: Rankings,
    *,
    depth: Depth,
    whole: Whole = 0,
    budget: Budget = None,
    percent: Percent = None,
    per_topic: PerTopic = False,
    seed: frames.Seed = 0,
) -> frames.Frame:
    """A random sample of each topic's candidates, each with the same chance, below a depth that is judged whole.

    The budget counts both. Of each topic at least one document below the whole part is drawn. Without a whole part,
    infAP estimates average precision from it.

    Source: Yilmaz and Aslam, CIKM 2006.
    """
    pool = frames.in_drawing_order(rankings.to_depth(depth))
    stratum = np.where(pool.best_rank <= whole, WHOLE, DRAWN)
    sizes = frames.sizes_by_topic(pool)
    least = np.bincount(pool.topic[stratum == WHOLE], minlength=len(sizes))
    least[np.unique(pool.topic[stratum == DRAWN])] += 1
    shares = allot(sizes, budget=budget, percent=percent, per_topic=per_topic)
    if percent is not None:
        shares = np.maximum(shares, least)
    if short := int((shares < least).sum()):
        raise UnknownName(
            f"the budget leaves nothing to draw in {counted(short, 'topic')} after the part that is judged whole; "
            "raise the budget or lower whole"
        )
    left = shares - np.bincount(pool.topic[stratum == WHOLE], minlength=len(sizes))
    rng = np.random.default_rng(seed)
    numbers = iter(left[np.unique(pool.topic[stratum == DRAWN])].tolist())
    return frames.stratified(pool, stratum, lambda one, size: size if one == WHOLE else next(numbers), rng)
