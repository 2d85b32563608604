"""How fast an assessor judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.methods.statistics.intervals import Interval

FASTER, SLOWER = 0.5, 2.0
"""An assessor needs attention whose median is surely below half, or above twice, that of the assessors' medians."""

ENOUGH_TIMED = 20
"""A median of fewer judgments tells nothing yet."""

LEVEL = 0.99
"""Of the interval of a median."""


class Pace(NamedTuple):
    """Active seconds for a judgment on the screen: how many judgments say them, all of them in hours, the median, the
    quartiles around it, how many judgments an hour holds, and the 99 % interval of the median; None where not known.
    """

    timed: int
    hours: float
    median: float | None
    low: float | None
    high: float | None
    per_hour: float | None
    interval: Interval | None = None


def pace_of(seconds: Sequence[float]) -> Pace:
    """The pace by the active seconds of judgments, those above 0."""
    if not seconds:
        return Pace(0, 0.0, None, None, None, None)
    low, median, high = np.percentile(np.asarray(seconds, np.float64), [25, 50, 75]).tolist()
    total = float(np.sum(seconds))
    return Pace(
        len(seconds), total / 3600, median, low, high, 3600 * len(seconds) / total, _of_median(seconds)
    )


def _of_median(seconds: Sequence[float]) -> Interval | None:
    """The interval of a median between two values of the sample, whatever the distribution (binomial).

    As many values are left out at each end as a fair coin gives heads, or fewer, with probability (1 - LEVEL) / 2.
    """
    from scipy.stats import binom

    out = int(binom.ppf((1 - LEVEL) / 2, len(seconds), 0.5)) - 1
    if out < 0:
        return None
    ordered = sorted(map(float, seconds))
    return Interval(ordered[out], ordered[-1 - out])


def is_unusual(pace: Pace, others: Sequence[Pace]) -> str:
    """Whether an assessor is much `faster` or `slower` than the others; "" when not, or when too little is known.

    The intervals of all medians are taken at their ends that are nearer to each other.
    """
    known = [each.interval for each in others if each.interval is not None and each.timed >= ENOUGH_TIMED]
    if pace.interval is None or pace.timed < ENOUGH_TIMED or not known:
        return ""
    lows, highs = zip(*known, strict=True)
    if pace.interval.high < FASTER * float(np.median(lows)):
        return "faster"
    return "slower" if pace.interval.low > SLOWER * float(np.median(highs)) else ""
