"""The documents of rankings that were pooled and are not judged yet, and running sums over them, row by row."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.core.ranking import IntArray, starts_of
from workbench.methods.measures.judged import FloatArray, Hits, JudgedRankings
from workbench.methods.measures.running import running_sums


class Undecided(NamedTuple):
    """The undecided documents of R rows; U of them are in the rankings, down to the cutoff.

    Attributes:
        hits: those in the rankings, each (U).
        start: int64 (R + 1). Row i has the hits start[i] to start[i + 1] - 1.
        outside: int64 (R). How many others the row's topic has.
    """

    hits: Hits
    start: IntArray
    outside: IntArray

    @classmethod
    def of(cls, judged: JudgedRankings, cutoff: int | None) -> Undecided:
        """Those of these rankings, looked at down to `cutoff` (None: to the end)."""
        hits = judged.undecided.within(cutoff)
        number = np.bincount(hits.row, minlength=len(judged))
        return cls(hits, starts_of(number), judged.num_undecided - number)

    @property
    def from_bottom(self) -> IntArray:
        """The place of each one in its row, counted from 1 at the bottom, int64 (U)."""
        counted: IntArray = self.start[self.hits.row + 1] - self.start[self.hits.row] - self.hits.nth + 1
        return counted

    def running(self, values: FloatArray) -> FloatArray:
        """The sum of each one's value and those above it in its row, float64 (U)."""
        return running_sums(values, self.start)

    def running_up(self, values: FloatArray) -> FloatArray:
        """The sum of each one's value and those below it in its row, float64 (U)."""
        return running_sums_up(values, self.start)

    def most(self, values: FloatArray, candidates: FloatArray) -> FloatArray:
        """The highest of each row's value (R) and its candidates (U), float64 (R)."""
        return self._reduced(np.maximum, values, candidates)

    def least(self, values: FloatArray, candidates: FloatArray) -> FloatArray:
        """The lowest of each row's value (R) and its candidates (U), float64 (R)."""
        return self._reduced(np.minimum, values, candidates)

    def _reduced(self, choose: np.ufunc, values: FloatArray, candidates: FloatArray) -> FloatArray:
        chosen = values.copy()
        rows = np.flatnonzero(np.diff(self.start))
        if len(rows):
            chosen[rows] = choose(values[rows], choose.reduceat(candidates, self.start[rows]))
        return chosen


def running_sums_up(values: FloatArray, start: IntArray) -> FloatArray:
    """The sum of each value and those after it in its row; arguments and result as in `running_sums`."""
    return running_sums(values[::-1], start[-1] - start[::-1])[::-1]
