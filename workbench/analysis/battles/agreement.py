"""How far assessors of the same battles agree, within their classes and between them."""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.battles.coded import Coded
from workbench.core.battles import CLASSES
from workbench.core.results import IN_JSON, Column
from workbench.methods.battles.counts import tally
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.over_topics import GRADED, estimate

SWAPPED = [1, 0, 2]


class BattleAgreement(NamedTuple):
    """How far assessors agree on the same two runs of a topic.

    Attributes:
        one, other: the classes of the assessors.
        pairs: pairs of battles by different assessors.
        same: the share of them with the same result; two bad sides count as a tie.
        kappa: Cohen's kappa; each pair counts with both runs as the first, so that their names do not matter.
        low, high: the interval of kappa over topics; None without one.
        note: why there is no interval.
    """

    one: Annotated[str, Column("Assessors")]
    other: Annotated[str, Column("And")]
    pairs: int
    same: float
    kappa: float | None
    low: float | None
    high: float | None
    note: Annotated[str, IN_JSON]


def agreements(battles: Coded) -> list[BattleAgreement]:
    """The agreement within each class and between each two of which assessors judged the same units.

    Battles without an assessor are compared with those of other classes alone.
    """
    said, found = battles.said(), []
    for one, other in combinations_with_replacement(range(len(CLASSES)), 2):
        met = _within(battles, one) if one == other else _outer(said[one], said[other])
        tables = np.zeros((len(battles.topics), 3, 3))
        np.add.at(tables, battles.units[:, 0], met)
        if tables.any():
            either_way = (tables + tables[:, SWAPPED][:, :, SWAPPED]) / 2
            whole, kappa = either_way.sum(axis=0), estimate(either_way, GRADED["Cohen's kappa"])
            low, high = kappa.interval or (None, None)
            same, number = float(np.trace(whole) / whole.sum()), round(whole.sum())
            names = CLASSES[one], CLASSES[other]
            found.append(BattleAgreement(*names, number, same, kappa.value, low, high, kappa.note))
    return found


def _outer(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(one[:, :, None] * other[:, None, :], np.float64)


def _within(battles: Coded, kind: int) -> FloatArray:
    """What different assessors of a class said of each unit, float64 (units, 3, 3): each pair of their battles once,
    half in each order.
    """
    here = (battles.kind == kind) & (battles.assessor > 0)
    unit, assessor, prefers = battles.unit[here], battles.assessor[here], battles.prefers[here]
    every = tally(unit, prefers, len(battles.units))
    by_unit, place = np.unique(np.stack([unit, assessor]), axis=1, return_inverse=True)
    alone = tally(place.ravel(), prefers, by_unit.shape[1])
    found = _outer(every, every)
    np.subtract.at(found, by_unit[0], _outer(alone, alone))
    return found / 2
