"""What draws by chance come to."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np


class Range(NamedTuple):
    """What lies in the middle 95 % of the draws, and their mean."""

    low: float
    mean: float
    high: float


def middle_of(values: Iterable[float | None]) -> Range | None:
    """The range of those that are known; None without any."""
    known = np.array([value for value in values if value is not None], np.float64)
    if not len(known):
        return None
    low, high = np.quantile(known, [0.025, 0.975]).tolist()
    return Range(low, float(known.mean()), high)
