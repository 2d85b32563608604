"""Intervals of strengths over topics, since battles of a topic depend on each other, and what narrows them."""

from __future__ import annotations

import math
from itertools import repeat

import numpy as np

from workbench.methods.battles.counts import Counts
from workbench.methods.battles.davidson import Fit
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.intervals import FEWEST_TOPICS, resampled_means
from workbench.methods.statistics.over_topics import Estimate, jackknifed

HELD = "94 to 99 %"
"""In how many simulations these intervals held the truth (`benchmarks/coverage_of_battles.py`)."""
MOST_TIMES = 10_000
"""No plan asks for more than this many times the topics that there are."""


def estimates(counts: Counts, found: Fit, changes: FloatArray) -> list[Estimate]:
    """All parameters of a fit with their intervals, by what they lose without each topic, float64 (topics, parameters).

    A topic weighs as many battles as the run has on it, and for effects all; `over_topics.estimate` has the formula.
    """
    by_run = counts.by_topic()
    weights = [*by_run.T, *[by_run.sum(axis=1)] * (len(found.parameters) - counts.runs)]
    return list(map(jackknifed, found.parameters.tolist(), changes.T, weights, repeat(HELD)))


def drawn_strengths(
    found: Fit, changes: FloatArray, draws: int, rng: np.random.Generator
) -> FloatArray | None:
    """The strengths when topics are drawn again with replacement, float64 (draws, runs), to the first order.

    They spread as those of fits to the drawn topics do, and are always finite. `changes` are what they lose without
    each topic, float64 (topics, runs). None with fewer than FEWEST_TOPICS topics, or where strengths hinge on one.
    """
    if len(changes) < FEWEST_TOPICS or not np.isfinite(changes).all():
        return None
    about = changes - changes.mean(axis=0)
    return found.strengths + len(about) * resampled_means(about, resamples=draws, rng=rng)


def rank_ranges(drawn: FloatArray | None, runs: int) -> list[tuple[int, int] | None]:
    """From which rank to which each run stands in 95 % of the draws of strengths, float64 (draws, runs)."""
    if drawn is None:
        return [None] * runs
    ranks = 1 + np.argsort(np.argsort(-drawn, axis=1, kind="stable"), axis=1)
    low, high = np.quantile(ranks, [0.025, 0.975], axis=0, method="inverted_cdf")
    return list(zip(low.astype(int).tolist(), high.astype(int).tolist(), strict=True))


def half_width(estimate: Estimate) -> float:
    """Half the width of its interval, infinite without one."""
    return math.inf if estimate.interval is None else (estimate.interval.high - estimate.interval.low) / 2


def times_needed(half: float, topics: float, wanted: float) -> float:
    """How many times as many topics make half the width of an interval `wanted`; infinite beyond MOST_TIMES.

    `topics` are those whose spread the interval rests on, `effective`. The standard error falls with the root of the
    number of topics, and t with its degrees of freedom.
    """
    from scipy.optimize import brentq
    from scipy.special import stdtrit

    def beyond(times: float) -> float:
        t = stdtrit(topics * times - 1, 0.975) / stdtrit(topics - 1, 0.975)
        return float(half * t / math.sqrt(times) - wanted)

    if beyond(MOST_TIMES) > 0:
        return math.inf
    least = 2 / topics
    return least if beyond(least) < 0 else float(brentq(beyond, least, MOST_TIMES))


def effective(weights: FloatArray) -> FloatArray:
    """As how many topics of the same weight those of each column count, weights float64 (topics, n)."""
    return np.asarray(weights.sum(axis=0) ** 2 / (weights**2).sum(axis=0), np.float64)
