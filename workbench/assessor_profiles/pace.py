"""How fast an assessor judges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

FASTER, SLOWER = 0.5, 2.0
"""An assessor deserves a look whose median is below half, or above twice, that of the assessors' medians."""

ENOUGH_TIMED = 20
"""A median of fewer judgments tells nothing yet."""


class Pace(NamedTuple):
    """Active seconds for a judgment on the screen: how many judgments say them, all of them in hours, the median, the
    quartiles around it, and how many judgments an hour holds; None where nothing is known.
    """

    timed: int
    hours: float
    median: float | None
    low: float | None
    high: float | None
    per_hour: float | None


def pace_of(seconds: Sequence[float]) -> Pace:
    """The pace by the active seconds of judgments, those above 0."""
    if not seconds:
        return Pace(0, 0.0, None, None, None, None)
    low, median, high = np.percentile(np.asarray(seconds, np.float64), [25, 50, 75]).tolist()
    total = float(np.sum(seconds))
    return Pace(len(seconds), total / 3600, median, low, high, 3600 * len(seconds) / total)


def is_unusual(pace: Pace, others: Sequence[Pace]) -> str:
    """Whether somebody is `faster` or `slower` than the others by far; "" when not, or when too little is known."""
    known = [each.median for each in others if each.median is not None and each.timed >= ENOUGH_TIMED]
    if pace.median is None or pace.timed < ENOUGH_TIMED or not known:
        return ""
    ratio = pace.median / float(np.median(known))
    return "faster" if ratio < FASTER else "slower" if ratio > SLOWER else ""
