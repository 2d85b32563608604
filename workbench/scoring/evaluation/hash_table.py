"""A table of hashes in arrays: where each of very many hashes is in a list."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray

Hashes = NDArray[np.uint64]
Places = NDArray[np.int32 | np.int64]

LARGEST = np.uint64(2**64 - 1)
SLOTS_EACH = 4
"""At least this many slots for each hash of the table, so that few hashes share one."""


class HashTable:
    """The hashes of a list in ascending order, and for every value of their first bits where it begins there.

    The first bits of a hash lead to a place; from there it is sought upwards, mostly by no step at all.
    """

    def __init__(self, hashes: Hashes) -> None:
        """`hashes` are spread evenly over 64 bits; the same one may stand twice."""
        bits = max(1, (SLOTS_EACH * len(hashes)).bit_length())
        self._shift = np.uint64(64 - bits)
        self._row = np.argsort(hashes)
        self._ascending = np.append(hashes[self._row], LARGEST)
        counts = np.bincount(self._slots(self._ascending[:-1]), minlength=1 << bits)
        self._begin: Places = np.zeros(1 << bits, np.int32 if len(hashes) < 2**31 else np.int64)
        np.cumsum(counts[:-1], out=self._begin[1:])

    def find(self, hashes: Hashes) -> tuple[IntArray, IntArray]:
        """Which of the hashes (positions, ascending) are in the list, and where; of equal ones one of them."""
        place = self._begin.take(self._slots(hashes))
        there = self._ascending.take(place)
        below = np.flatnonzero(there < hashes)
        while len(below):
            place[below] += 1
            there[below] = self._ascending[place[below]]
            below = below[there[below] < hashes[below]]
        found = np.flatnonzero(there == hashes)
        place = place[found]
        inside = place < len(self._row)  # beyond stands LARGEST, which ends every search
        return found[inside], self._row[place[inside]]

    def _slots(self, hashes: Hashes) -> NDArray[np.intp]:
        return (hashes >> self._shift).astype(np.intp)
