"""Intervals of means over topics by Student's t, and means over topics drawn again.

The t interval covers better than bootstrap intervals (percentiles, BCa) where topics are few and for differences of two
runs; `benchmarks/coverage_of_intervals.py` measures all of them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import NOISE, FloatArray, one_row, rounds, topics_by_runs

FEWEST_TOPICS = 5
"""With fewer topics there is no interval: that of AP on three topics would be .6 wide, most of the range there is, and
would still not cover where scores are skewed."""

TOO_FEW = f"no interval with fewer than {FEWEST_TOPICS} topics"
NO_SPREAD = "no interval: all topics have the same value, which does not mean that others would"


class Interval(NamedTuple):
    """From `low` to `high`, in the unit of the values."""

    low: float
    high: float


def t_interval(
    values: ArrayLike, *, level: float = 0.95, lowest: float = -math.inf, highest: float = math.inf
) -> Interval | None:
    """The interval of one mean, values (topics,); see `t_intervals`. None where there is none."""
    low, high = t_intervals(one_row(values)[:, None], level=level, lowest=lowest, highest=highest)[0].tolist()
    return None if math.isnan(low) else Interval(low, high)


def t_intervals(
    values: ArrayLike, *, level: float = 0.95, lowest: float = -math.inf, highest: float = math.inf
) -> FloatArray:
    """The intervals of the means of many runs: mean -+ t * s / sqrt(n), with n - 1 degrees of freedom.

    `level` is the share of samples of topics whose interval holds the mean of all topics, were scores normal; no
    interval reaches beyond `lowest` and `highest`. Low and high are float64 (runs, 2), nan where `why_none` has a
    reason.

    Source: Student, Biometrika 6, 1908.
    """
    from scipy.special import stdtrit

    table = topics_by_runs(values)
    topics = len(table)
    found = np.full((table.shape[1], 2), np.nan)
    defined = [not reason for reason in why_none(table)]
    if any(defined):
        here = table[:, defined]
        reach = stdtrit(topics - 1, (1 + level) / 2) * here.std(axis=0, ddof=1) / math.sqrt(topics)
        found[defined] = np.clip(here.mean(axis=0)[:, None] + reach[:, None] * [-1, 1], lowest, highest)
    return found


def why_none(values: ArrayLike) -> list[str]:
    """Why each of many runs, values (topics, runs), has no interval; "" where it has one."""
    table = topics_by_runs(values)
    if len(table) < FEWEST_TOPICS:
        return [TOO_FEW] * table.shape[1]
    return [NO_SPREAD if spread <= NOISE else "" for spread in np.ptp(table, axis=0).tolist()]


def resampled_means(values: FloatArray, *, resamples: int, rng: np.random.Generator) -> FloatArray:
    """The means over topics drawn with replacement, float64 (resamples, runs); `values` are (topics, runs)."""
    topics, evenly = len(values), np.full(len(values), 1 / len(values))
    drawn = [rng.multinomial(topics, evenly, size=some) for some in rounds(resamples, topics)]
    return np.concatenate([counts @ values for counts in drawn]) / topics


def most_in_population(population: int, drawn: int, found: int, alpha: float) -> int:
    """The exact upper confidence limit for the number of marked members of a population.

    The largest K with P(at most `found` marked in the draw | K marked in all) > alpha, under the hypergeometric
    distribution. Whatever the true number is, the probability that it is larger than this is at most alpha, above 0.
    `drawn` of the population are drawn at random without replacement.

    Source: Clopper and Pearson, Biometrika 26 (1934), for draws without replacement.
    """
    from scipy.stats import hypergeom

    possible = np.arange(found, population - (drawn - found) + 1)
    probability = hypergeom.cdf(found, population, possible, drawn)
    return int(possible[probability > alpha].max(initial=found))
