"""How many topics a comparison needs, and what a number of topics can show.

For a two-sided test of the mean of paired differences with standard deviation `sd`, by the normal distribution:
n = ceil(((z(1 - alpha/2) + z(power)) * sd / difference)^2). With few topics (below about 20) the t-test needs one or
two more.

Sources: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; for topic sets T. Sakai,
Information Retrieval Journal 19, 2016.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from workbench.statistics.arrays import FloatArray, topics_by_runs

NORMAL = NormalDist()


def topics_needed(sd: float, difference: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many topics show a true difference with this power; at least 1, and 1 where there is no spread.

    Args:
        sd: the standard deviation of the difference over topics.
        difference: the true mean difference to be found, its sign does not matter.
        alpha: the chance of a false alarm.
        power: the chance to find the difference.

    Raises:
        ValueError: a difference of 0, a negative `sd`, or an `alpha` or `power` not between 0 and 1.
    """
    if difference == 0:
        message = "no number of topics shows a difference of 0"
        raise ValueError(message)
    needed = (_quantiles(alpha, power) * _spread(sd) / abs(difference)) ** 2
    return max(1, math.ceil(needed - 1e-9))


def power_of(sd: float, difference: float, topics: int, *, alpha: float = 0.05) -> float:
    """The chance that a true difference is found significant with so many topics; arguments as in `topics_needed`."""
    if _spread(sd) == 0:
        return 1.0 if difference else alpha
    shift, critical = abs(difference) * math.sqrt(topics) / sd, NORMAL.inv_cdf(1 - alpha / 2)
    return NORMAL.cdf(shift - critical) + NORMAL.cdf(-shift - critical)


def detectable(sd: float, topics: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest true difference that so many topics show with this power; arguments as in `topics_needed`.

    Raises:
        ValueError: fewer than one topic, or as in `topics_needed`.
    """
    if topics < 1:
        message = f"{topics} topics show nothing"
        raise ValueError(message)
    return _quantiles(alpha, power) * _spread(sd) / math.sqrt(topics)


def sd_of_differences(values: ArrayLike) -> FloatArray:
    """The standard deviation over topics of the difference of each pair of runs.

    Args:
        values: float64 (topics, runs), at least two topics.

    Returns:
        float64 (runs, runs), symmetric, 0 on the diagonal.
    """
    table = topics_by_runs(values)
    if len(table) < 2:
        message = "a standard deviation needs at least two topics"
        raise ValueError(message)
    return np.stack([(table - table[:, [run]]).std(axis=0, ddof=1) for run in range(table.shape[1])])


def _quantiles(alpha: float, power: float) -> float:
    if not (0 < alpha < 1 and 0 < power < 1):
        message = f"alpha ({alpha}) and power ({power}) must lie between 0 and 1"
        raise ValueError(message)
    return NORMAL.inv_cdf(1 - alpha / 2) + NORMAL.inv_cdf(power)


def _spread(sd: float) -> float:
    if sd < 0:
        message = f"a standard deviation is not negative, as {sd} is"
        raise ValueError(message)
    return sd
