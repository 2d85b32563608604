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
    """

    start: NDArray[np.int64]
    vital: NDArray[np.bool_]
    held: FloatArray

    def sums(self, values: FloatArray | NDArray[np.bool_]) -> FloatArray:
        """What the values of each answer's nuggets add up to, from left to right, float64 (answers)."""
        lengths = np.diff(self.start)
        answer = np.repeat(np.arange(len(lengths)), lengths)
        return np.bincount(answer, values, minlength=len(lengths)).astype(np.float64)


def packed(answers: Iterable[Sequence[tuple[bool, float]]]) -> Assigned:
    """Answers as sequences of nuggets, each with whether it is vital and what is held of it."""
    each = list(answers)
    counts = np.fromiter((len(nuggets) for nuggets in each), np.int64, len(each))
    pairs = [pair for nuggets in each for pair in nuggets]
    vital = np.fromiter((is_vital for is_vital, _ in pairs), np.bool_, len(pairs))
    held = np.fromiter((part for _, part in pairs), np.float64, len(pairs))
    return Assigned(np.concatenate(([0], np.cumsum(counts))), vital, held)


def _share(assigned: Assigned, held: FloatArray, counted: NDArray[np.bool_]) -> FloatArray:
    """Of each answer, what is held of the nuggets that are counted, as a share; 0 where none is."""
    sums, total = assigned.sums(np.where(counted, held, 0.0)), assigned.sums(counted)
    return np.divide(sums, total, out=np.zeros(len(total)), where=total > 0)


@measure("strict_vital_score")
def strict_vital(assigned: Assigned) -> FloatArray:
    """Share of the vital nuggets that the answer holds whole.

    Formula: supported vital nuggets / vital nuggets

    An answer to a topic without a vital nugget has 0. An assignment that could not be read counts below the line and
    earns nothing.

    Source: castorini/nuggetizer, core/metrics.py, calculate_nugget_scores.
    """
    return _share(assigned, np.floor(assigned.held), assigned.vital)


@measure("strict_all_score")
def strict_all(assigned: Assigned) -> FloatArray:
    """Share of all nuggets that the answer holds whole.

    Formula: supported nuggets / nuggets

    Source: as strict_vital_score.
    """
    return _share(assigned, np.floor(assigned.held), np.ones(len(assigned.held), np.bool_))


@measure("vital_score")
def vital(assigned: Assigned) -> FloatArray:
    """Share of the vital nuggets that the answer holds, where one that it holds in part counts half.

    Formula: (supported + partly supported / 2, of the vital nuggets) / vital nuggets

    Source: as strict_vital_score.
    """
    return _share(assigned, assigned.held, assigned.vital)


@measure("all_score")
def all_nuggets(assigned: Assigned) -> FloatArray:
    """Share of all nuggets that the answer holds, where one that it holds in part counts half.

    Formula: (supported + partly supported / 2) / nuggets

    Source: as strict_vital_score.
    """
    return _share(assigned, assigned.held, np.ones(len(assigned.held), np.bool_))
