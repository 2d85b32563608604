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

TOO_FEW = f"no interval with fewer than {FEWEST_UNITS} units"
RARE = f"no interval: fewer than {FEWEST_OTHERS} differ from all others"
NONE = "not defined: no list has what it counts"


class Estimate(NamedTuple):
    """A ratio of sums, or the difference of two.

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
        from scipy.special import stdtrit

        if self.value is None or self.error is None:
            return None
        reach = float(stdtrit(self.freedom, (1 + level) / 2)) * self.error
        return Interval(max(self.value - reach, lowest), min(self.value + reach, highest))

    @property
    def p(self) -> float | None:
        """The two-sided p-value of the t-test that it is 0; None without an error."""
        from scipy.special import stdtr

        if self.value is None or self.error is None:
            return None
        return float(2 * stdtr(self.freedom, -abs(self.value) / self.error))


def ratio(parts: FloatArray, wholes: FloatArray) -> Estimate:
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
        return Estimate(None, note=NONE)
    value = float(parts.sum()) / whole
    count = whole**2 / float((wholes**2).sum())
    if count < FEWEST_UNITS:
        return Estimate(value, note=TOO_FEW)
    each = parts / wholes
    others = min(int((each > each.min() + NOISE).sum()), int((each < each.max() - NOISE).sum()))
    if others < FEWEST_OTHERS:
        return Estimate(value, note=RARE)
    squares = float(((parts - value * wholes) ** 2).sum())
    return Estimate(value, math.sqrt(squares * users / (users - 1)) / whole, count - 1)


def difference(one: Estimate, other: Estimate) -> Estimate:
    """The ratio of `one` group minus that of the `other`, whose users are others.

    Welch's test: variances add up, degrees of freedom by Satterthwaite.

    Source: B. L. Welch, Biometrika 34, 1947; the variances as in `ratio`.
    """
    note = one.note or other.note
    value = None if one.value is None or other.value is None else one.value - other.value
    if one.error is None or other.error is None:
        return Estimate(value, note=note)
    squares = one.error**2, other.error**2
    freedom = sum(squares) ** 2 / (squares[0] ** 2 / one.freedom + squares[1] ** 2 / other.freedom)
    return Estimate(value, math.sqrt(sum(squares)), freedom)


def even_split(sizes: Sequence[int]) -> float:
    """How likely groups of users differ in size as much as these or more, where users are assigned evenly.

    A small one says that the assignment, or the log, prefers a group. Pearson's chi-square test.
    """
    from scipy.stats import chisquare

    return float(chisquare(np.asarray(sizes)).pvalue)
