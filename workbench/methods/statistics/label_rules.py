"""Rules that make one grade of several assessors' grades of the same pair, in any order, at least one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence


def majority(grades: Sequence[int]) -> int:
    """The grade given most often; of several, the lowest."""
    count = Counter(grades)
    return min(count, key=lambda grade: (-count[grade], grade))


def median(grades: Sequence[int]) -> int:
    """The grade in the middle; of two in the middle, the lower."""
    return sorted(grades)[(len(grades) - 1) // 2]


def strictest(grades: Sequence[int]) -> int:
    """The lowest grade: a document is relevant if all say so."""
    return min(grades)


def most_lenient(grades: Sequence[int]) -> int:
    """The highest grade: a document is relevant if one says so."""
    return max(grades)
