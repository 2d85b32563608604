"""Measures of answers by nuggets: which of the facts that a good answer has does an answer hold?

Each is a function of `Assigned` that gives one value per answer, and one decorator line.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray
from workbench.core.registry import Entry, Registry

NUGGET_MEASURES: Registry[Entry] = Registry("measure of nuggets", "measures of nuggets", Entry)
measure = NUGGET_MEASURES.register


class Assigned(NamedTuple):
    """The nuggets of many answers, one answer after another.

    Attributes:
        start: int64 (answers + 1), where the nuggets of each answer begin, and where those of the last one end.
        vital: bool (nuggets), whether a nugget is vital.
        held: float64 (nuggets), what the answer holds of it: 1 all, 0.5 a part, 0 none.
        weight: float64 (nuggets), what a nugget weighs; that of a question is shared by its answers where each of them
            is judged by itself.
        contradicted: bool (nuggets), whether the answer contradicts it.
        by_nugget: whether measures are what each nugget adds to them, float64 (nuggets), not what that adds up to.
    """

    start: NDArray[np.int64]
    vital: NDArray[np.bool_]
    held: FloatArray
    weight: FloatArray
    contradicted: NDArray[np.bool_]
    by_nugget: bool = False

    def sums(self, values: FloatArray | NDArray[np.bool_]) -> FloatArray:
        """What the values of each answer's nuggets add up to, from left to right, float64 (answers)."""
        return np.bincount(self._answer, values, minlength=len(self.start) - 1).astype(np.float64)

    def share(
        self, held: FloatArray | NDArray[np.bool_], counted: FloatArray | NDArray[np.bool_]
    ) -> FloatArray:
        """Of each answer, what is held of the nuggets by what each counts, as a share; 0 where none counts."""
        total, earned = self.sums(counted), counted * held
        earned, total = (earned, total[self._answer]) if self.by_nugget else (self.sums(earned), total)
        return np.divide(earned, total, out=np.zeros(len(total)), where=total > 0)

    @property
    def _answer(self) -> NDArray[np.int64]:
        """The answer of each nugget, int64 (nuggets)."""
        return np.repeat(np.arange(len(self.start) - 1), np.diff(self.start))


def packed(answers: Iterable[Sequence[tuple[bool, float]]]) -> Assigned:
    """Answers as sequences of nuggets, each with whether it is vital and what is held of it."""
    return weighted([[(is_vital, 1.0, part) for is_vital, part in nuggets] for nuggets in answers])


def weighted(answers: Sequence[Sequence[tuple[bool, float, float]]]) -> Assigned:
    """The same with the weight of each nugget before what is held of it, which is below 0 where it is contradicted."""
    counts = [len(nuggets) for nuggets in answers]
    nuggets = np.array([nugget for nuggets in answers for nugget in nuggets], np.float64).reshape(-1, 3)
    vital, weight, held = nuggets.T
    start = np.concatenate(([0], np.cumsum(counts, dtype=np.int64)))
    return Assigned(start, vital > 0, np.maximum(held, 0.0), weight, held < 0)


@measure("strict_vital_score")
def strict_vital(assigned: Assigned) -> FloatArray:
    """Share of the vital nuggets that the answer holds whole.

    Formula: supported vital nuggets / vital nuggets

    An answer to a topic without a vital nugget has 0. An assignment that could not be read counts below the line and
    earns nothing.

    Source: castorini/nuggetizer, core/metrics.py, calculate_nugget_scores.
    """
    return assigned.share(np.floor(assigned.held), assigned.vital)


@measure("strict_all_score")
def strict_all(assigned: Assigned) -> FloatArray:
    """Share of all nuggets that the answer holds whole.

    Formula: supported nuggets / nuggets

    Source: as strict_vital_score.
    """
    return assigned.share(np.floor(assigned.held), np.ones(len(assigned.held), np.bool_))


@measure("vital_score")
def vital(assigned: Assigned) -> FloatArray:
    """Share of the vital nuggets that the answer holds, where one that it holds in part counts half.

    Formula: (supported + partly supported / 2, of the vital nuggets) / vital nuggets

    Source: as strict_vital_score.
    """
    return assigned.share(assigned.held, assigned.vital)


@measure("all_score")
def all_nuggets(assigned: Assigned) -> FloatArray:
    """Share of all nuggets that the answer holds, where one that it holds in part counts half.

    Formula: (supported + partly supported / 2) / nuggets

    Source: as strict_vital_score.
    """
    return assigned.share(assigned.held, np.ones(len(assigned.held), np.bool_))
