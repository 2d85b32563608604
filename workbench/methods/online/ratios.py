"""Ratios of sums over users, such as clicks for each list, with intervals and the test of two groups: delta method.

Users are the sample: lists of one user resemble each other, and users differ in how many they see.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.methods.statistics.arrays import NOISE, FloatArray
from workbench.methods.statistics.intervals import Interval

FEWEST_UNITS = 20
"""With fewer users there is no interval and no test (`benchmarks/users.py`)."""
FEWEST_OTHERS = 10
"""So many users need another value than all the others have: a rate of a few clicks has a skewed error."""

TOO_FEW = f"no interval with fewer than {FEWEST_UNITS}"
RARE = f"no interval: fewer than {FEWEST_OTHERS} differ from all others"
NONE = "not defined: nothing that it is about"


class Ratio(NamedTuple):
    """A ratio of sums.

    Attributes:
        value: None where there is nothing to divide by.
        error: its standard error, None where nothing can be claimed.
        freedom: degrees of freedom.
        note: why there is no error.
    """

    value: float | None
    error: float | None = None
    freedom: float = 0.0
    note: str = ""

    def interval(
        self, level: float = 0.95, *, lowest: float = -math.inf, highest: float = math.inf
    ) -> Interval | None:
        """The interval by Student's t, within bounds; None without an error."""
        if self.value is None or self.error is None:
            return None
        reach = _quantile(self.freedom, level) * self.error
        return Interval(max(self.value - reach, lowest), min(self.value + reach, highest))


class Difference(NamedTuple):
    """A ratio of one group minus that of another, with the interval of 95 % and the two-sided p-value."""

    value: float | None
    interval: Interval | None = None
    p: float | None = None
    note: str = ""


def ratio(parts: FloatArray, wholes: FloatArray) -> Ratio:
    """The sum of the parts by the sum of the wholes, one of each for each user, float64 (users,).

    Formula: R = Σx / Σn; variance m / (m - 1) · Σ (x - R n)² / (Σn)², over the m users with n > 0. Degrees of freedom
    are (Σn)² / Σn² - 1: where few users have most lists, there are fewer.

    Source: A. Deng, U. Knoblich, J. Lu, Applying the delta method in metric analytics, KDD 2018; degrees of freedom by
    L. Kish, Survey Sampling, 1965.
    """
    here = wholes > 0
    parts, wholes = parts[here], wholes[here]
    users, whole = len(wholes), float(wholes.sum())
    if not users:
        return Ratio(None, note=NONE)
    value = float(parts.sum()) / whole
    count = whole**2 / float((wholes**2).sum())
    if count < FEWEST_UNITS:
        return Ratio(value, note=TOO_FEW)
    each = parts / wholes
    others = min(int((each > each.min() + NOISE).sum()), int((each < each.max() - NOISE).sum()))
    if others < FEWEST_OTHERS:
        return Ratio(value, note=RARE)
    squares = float(((parts - value * wholes) ** 2).sum())
    return Ratio(value, math.sqrt(squares * users / (users - 1)) / whole, count - 1)


def difference(one: Ratio, other: Ratio) -> Difference:
    """The ratio of `one` group minus that of the `other`, whose users are others.

    Welch's test: variances add up, degrees of freedom by Satterthwaite.

    Source: B. L. Welch, Biometrika 34, 1947; the variances as in `ratio`.
    """
    from scipy.special import stdtr

    if one.value is None or other.value is None:
        return Difference(None, note=one.note or other.note)
    value = one.value - other.value
    if one.error is None or other.error is None:
        return Difference(value, note=one.note or other.note)
    squares = one.error**2, other.error**2
    error = math.sqrt(sum(squares))
    freedom = sum(squares) ** 2 / (squares[0] ** 2 / one.freedom + squares[1] ** 2 / other.freedom)
    reach = _quantile(freedom, 0.95) * error
    return Difference(
        value, Interval(value - reach, value + reach), float(2 * stdtr(freedom, -abs(value) / error))
    )


def _quantile(freedom: float, level: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + level) / 2))


def even_split(sizes: Sequence[int]) -> float:
    """How likely groups of users differ in size as much as these or more, where users are assigned evenly.

    A small one says that the assignment, or the log, prefers a group. Pearson's chi-square test.
    """
    from scipy.stats import chisquare

    return float(chisquare(np.asarray(sizes)).pvalue)
