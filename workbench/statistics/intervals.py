"""Bootstrap intervals of a mean over topics: topics are drawn again, with replacement."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.statistics.arrays import FloatArray, is_constant, one_row, rounds, topics_by_runs


class Interval(NamedTuple):
    """From `low` to `high`, in the unit of the values."""

    low: float
    high: float


def bootstrap_interval(
    values: ArrayLike, *, level: float = 0.95, resamples: int = 10_000, rng: np.random.Generator
) -> Interval | None:
    """The interval of the mean, corrected for bias and skew (BCa), by `scipy.stats.bootstrap`.

    Values without any spread give an interval without width; fewer than two give None.

    Source: B. Efron, Journal of the American Statistical Association 82, 1987.
    """
    row = one_row(values)
    if len(row) < 2:
        return None
    if is_constant(row):
        return Interval(float(row.mean()), float(row.mean()))
    from scipy.stats import bootstrap

    found = bootstrap(
        (row,),
        np.mean,
        n_resamples=resamples,
        batch=rounds(resamples, len(row))[0],
        confidence_level=level,
        method="BCa",
        rng=rng,
    ).confidence_interval
    return Interval(float(found.low), float(found.high))


def bootstrap_intervals(
    values: ArrayLike, *, level: float = 0.95, resamples: int = 10_000, rng: np.random.Generator
) -> FloatArray:
    """The intervals of the means of many runs, by percentiles, the same topics drawn for all runs.

    Args:
        values: float64 (topics, runs).
        level: the share of resamples between low and high.
        resamples: how often topics are drawn.
        rng: where chance comes from.

    Returns:
        float64 (runs, 2), low and high; with fewer than two topics both are the mean (0 with none).
    """
    table = topics_by_runs(values)
    topics = len(table)
    if topics < 2:
        return np.repeat(table.sum(axis=0)[:, None], 2, axis=1)
    means = resampled_means(table, resamples=resamples, rng=rng)
    tail = (1 - level) / 2
    return np.quantile(means, [tail, 1 - tail], axis=0).T


def resampled_means(values: FloatArray, *, resamples: int, rng: np.random.Generator) -> FloatArray:
    """The means over topics drawn with replacement, float64 (resamples, runs); `values` are (topics, runs)."""
    topics, evenly = len(values), np.full(len(values), 1 / len(values))
    drawn = [rng.multinomial(topics, evenly, size=some) for some in rounds(resamples, topics)]
    return np.concatenate([counts @ values for counts in drawn]) / topics
