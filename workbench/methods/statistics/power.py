"""How many topics a comparison needs, and what a number of topics can show.

For the two-sided paired t-test of differences that are normal with standard deviation `sd`. Its statistic has a
noncentral t distribution with n - 1 degrees of freedom and noncentrality difference * sqrt(n) / sd, and the power is
the probability that it lies beyond the critical value of Student's t. The normal approximation is not good enough: it
takes sd for known, and plans about two topics too few.

Sources: J. Cohen, Statistical Power Analysis for the Behavioral Sciences, 1988; for topic sets T. Sakai,
Information Retrieval Journal 19, 2016.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import FloatArray, topics_by_runs

NORMAL = NormalDist()

LEAST = 2
"""A t-test takes two topics."""

ENOUGH = 1e-9
"""By so much the power may fall short, so that rounding costs no topic."""


def topics_needed(sd: float, difference: float, *, alpha: float = 0.05, power: float = 0.8) -> int:
    """How many topics show a true mean difference with this power; at least 2, and 2 where there is no spread.

    `sd` is the standard deviation of the difference over topics, `alpha` the probability of a false positive. The sign
    of the difference does not matter.

    ValueError for a difference of 0, a negative `sd`, or an `alpha` or `power` not between 0 and 1.
    """
    if difference == 0:
        raise ValueError("no number of topics shows a difference of 0")

    def is_reached(topics: int) -> bool:
        return power_of(sd, difference, topics, alpha=alpha) >= power - ENOUGH

    by_normal = math.ceil((_quantiles(alpha, power) * _spread(sd) / difference) ** 2)
    few, many = LEAST - 1, max(LEAST, by_normal + 3)
    while not is_reached(many):
        few, many = many, 2 * many
    while many - few > 1:
        middle = (few + many) // 2
        few, many = (few, middle) if is_reached(middle) else (middle, many)
    return many


def power_of(sd: float, difference: float, topics: int, *, alpha: float = 0.05) -> float:
    """The chance that this number of topics finds a true difference significant; arguments as in `topics_needed`.

    0 with fewer than two topics, where there is no t-test.
    """
    if topics < LEAST:
        return 0.0
    if _spread(sd) == 0:
        return 1.0 if difference else alpha
    return _power(abs(difference) * math.sqrt(topics) / sd, topics - 1, alpha)


def detectable(sd: float, topics: int, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest true difference that this number of topics shows with this power; arguments as in `topics_needed`.

    ValueError for fewer than two topics, or as there.
    """
    from scipy.optimize import brentq

    _quantiles(alpha, power)
    if topics < LEAST:
        raise ValueError(f"a t-test takes two topics, and {topics} show nothing")
    if power <= alpha or _spread(sd) == 0:
        return 0.0
    above = 4.0
    while _power(above, topics - 1, alpha) < power:
        above *= 2
    shift = brentq(lambda each: _power(each, topics - 1, alpha) - power, 0.0, above, xtol=1e-12)
    return float(shift) * sd / math.sqrt(topics)


def sd_of_differences(values: ArrayLike) -> FloatArray:
    """The standard deviation over topics of the difference of each pair of runs, float64 (runs, runs).

    ValueError for fewer than two topics.
    """
    table = topics_by_runs(values)
    if len(table) < 2:
        raise ValueError("a standard deviation needs at least two topics")
    return np.stack([(table - table[:, [run]]).std(axis=0, ddof=1) for run in range(table.shape[1])])


def _power(shift: float, freedom: int, alpha: float) -> float:
    """The probability of |t| beyond its critical value; `shift` is the noncentrality.

    The wrong tail is written as the upper tail of the mirrored distribution: scipy has digits there, and none below.
    `scipy.special.nctdtr` is not taken since it gives 1 for some of these (138 degrees of freedom, t 3.4, shift 6.1).
    """
    from scipy.special import stdtrit
    from scipy.stats import nct

    critical = stdtrit(freedom, 1 - alpha / 2)
    return min(1.0, float(nct.sf(critical, freedom, shift) + nct.sf(critical, freedom, -shift)))


def _quantiles(alpha: float, power: float) -> float:
    if not (0 < alpha < 1 and 0 < power < 1):
        raise ValueError(f"alpha ({alpha}) and power ({power}) must lie between 0 and 1")
    return NORMAL.inv_cdf(1 - alpha / 2) + NORMAL.inv_cdf(power)


def _spread(sd: float) -> float:
    if sd < 0:
        raise ValueError(f"a standard deviation is not negative, as {sd} is")
    return sd
