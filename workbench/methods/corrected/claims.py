"""Intervals over topics that say what holds of them: 95 %, at least 90 %, or why there is none.

Student's t over topics holds the mean of the topics that these were drawn from, whatever the estimates of each topic
were made from, as long as they are not too skewed for their number. What is claimed here is what simulations found
(`benchmarks/coverage_of_corrected.py`): a claim belongs to an interval and not to the page that shows it.

Source: W. Cochran, Sampling Techniques, third edition, 1977, chapter 2 (n > 25 G^2 for an interval of 95 %, where G is
the skewness) and chapter 6 (a bias below a tenth of the standard error can be left out).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.core.ranking import FloatArray
from workbench.methods.statistics.arrays import topics_by_runs
from workbench.methods.statistics.intervals import Interval, t_intervals, why_none

LEVEL, WIDE = 0.95, 0.975
"""The level of Student's t where 95 % holds of it, and where a wider one is taken, of which at least 90 % holds."""
FEWEST = 10
"""With fewer topics skewness cannot be seen, and nothing is called 95 %."""
FEWEST_OF_THIN = 25
"""With fewer topics there is no interval where most of the variance between topics comes from the draw."""
SKEWED, VERY_SKEWED = 25, 5
"""So many topics are needed for a squared skewness of 1: to be called 95 %, and to have an interval at all."""
MOST_NOISE = 0.5
"""More of the variance between topics must not come from the draw of documents, whose skewness may not show."""
LEAST_CHANCE = 0.2
"""With a smaller chance of what a measure looks at the draw counts as such, whatever its few documents say."""
OF_RATIOS = "not called 95 %: a ratio of two estimates"
MOST_BIAS = 0.25
"""As a share of the standard error: what a jackknife takes off may be so much, of which it leaves a part."""


class Claim(NamedTuple):
    """An interval of a mean over topics, and what holds of it.

    Attributes:
        interval: None where there is none.
        level: the share of samples whose interval holds the true mean, 0.95 or 0.9; None without an interval.
        exact: whether the share is that, within one hundredth; else it is at least that.
        why: why nothing, or no more, is claimed; "" for 95 %.
    """

    interval: Interval | None
    level: float | None
    exact: bool
    why: str

    @property
    def words(self) -> str:
        """What may be said of it: "95 %", "at least 90 %", or ""."""
        if self.level is None:
            return ""
        return (
            f"{self.level:.0%}".replace("%", " %") if self.exact else f"at least {round(100 * self.level)} %"
        )


def claims(
    values: ArrayLike, taken_off: ArrayLike = 0.0, noise: ArrayLike = 0.0, *, of_sums: bool = True
) -> list[Claim]:
    """The interval of each column's mean; `values` are estimates, (topics, columns), of runs or of differences.

    `taken_off` is the bias that was taken off each column's mean, and `noise` what `noise_of` says of the estimates
    from people alone, since a model's rare errors may not be among what was drawn; (columns), or one for all.
    Of ratios (`of_sums` is not) more than 95 % hold, so that none is called that.
    """
    table = topics_by_runs(values)
    needed = topics_needed(table)
    error = table.std(axis=0, ddof=1 if len(table) > 1 else 0) / math.sqrt(max(1, len(table)))
    biased = np.abs(np.broadcast_to(taken_off, error.shape)) > MOST_BIAS * error
    noisy = np.broadcast_to(np.asarray(noise) > MOST_NOISE, error.shape)
    narrow, wide = (t_intervals(table, level=level) for level in (LEVEL, WIDE))
    found = []
    for column, why in enumerate(why_none(table)):
        why = why or _why(len(table), float(needed[column]), bool(biased[column]), bool(noisy[column]))
        why = why or ("" if of_sums else OF_RATIOS)
        thin = bool(noisy[column]) and len(table) < FEWEST_OF_THIN
        rough = thin or needed[column] * VERY_SKEWED / SKEWED > len(table) or biased[column]
        low, high = (wide if why else narrow)[column].tolist()
        if math.isnan(low) or rough:
            found.append(Claim(None, None, exact=False, why=why))
        else:
            found.append(Claim(Interval(low, high), 0.9 if why else LEVEL, exact=not why, why=why))
    return found


def noise_of(values: FloatArray, variance: FloatArray, chance: float = 1.0) -> FloatArray:
    """The share of the variance between topics that comes from the draw of documents, float64 (columns).

    `values` and their variances by the design of the sample are (topics, columns); 1 where values do not vary, or the
    effective chance of a document is below LEAST_CHANCE.
    """
    if chance < LEAST_CHANCE:
        return np.ones(values.shape[1])
    whole = values.var(axis=0, ddof=1) if len(values) > 1 else np.zeros(values.shape[1])
    share = np.ones(len(whole))
    np.divide(variance.mean(axis=0), whole, out=share, where=whole > 0)
    return share


def topics_needed(table: FloatArray) -> FloatArray:
    """How many topics an interval of 95 % needs by the skewness of each column, float64 (columns); 0 of a constant.

    Formula: 25 G^2, G = m3 / m2^1.5 sqrt(n (n - 1)) / (n - 2)
    """
    n = len(table)
    if n < 3:
        return np.zeros(table.shape[1])
    off = table - table.mean(axis=0)
    second, third = (off**2).mean(axis=0), (off**3).mean(axis=0)
    skewness = np.divide(third, second**1.5, out=np.zeros_like(third), where=second > 0)
    return np.asarray(SKEWED * (skewness * math.sqrt(n * (n - 1)) / (n - 2)) ** 2, np.float64)


def _why(topics: int, needed: float, biased: bool, noisy: bool) -> str:
    if biased:
        return "no interval: too few judged documents for a ratio, whose bias would be as large as its error"
    if noisy and topics < FEWEST_OF_THIN:
        return "no interval: too few documents of each topic are judged for so few topics"
    if topics < FEWEST:
        return f"not called 95 %: fewer than {FEWEST} topics"
    if topics < needed:
        return f"not called 95 %: values as skewed as these need {math.ceil(needed)} topics, and there are {topics}"
    if noisy:
        return "not called 95 %: too few documents of each topic are judged"
    return ""
