"""Battles as numbers, found once for all that is asked of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.core.battles import CLASSES, OUTCOMES, Battle
from workbench.methods.battles.counts import tally
from workbench.methods.statistics.arrays import FloatArray, IntArray


class Coded(NamedTuple):
    """Battles by the places of their runs, topics and classes in order, int64 (n,) each.

    Attributes:
        runs, topics: the names of all.
        winner: the place in OUTCOMES.
        kind: the place of the assessor's class in CLASSES.
        assessor: a number for each name, 0 for "".
        units: topic and two runs, the first one before the other, of which something is said, int64 (units, 3).
        unit: which of them a battle is of.
        prefers: the unit's first run (0), its second (1), or neither (2).
    """

    runs: Sequence[str]
    topics: Sequence[str]
    topic: IntArray
    left: IntArray
    right: IntArray
    winner: IntArray
    kind: IntArray
    assessor: IntArray
    units: IntArray
    unit: IntArray
    prefers: IntArray

    @property
    def outcome(self) -> IntArray:
        """0 where the left run won, 1 where the right one did; of two bad ones none is preferred, as in a tie (2)."""
        return np.minimum(self.winner, 2)

    def said(self) -> FloatArray:
        """How often each class prefers what of each unit, float64 (classes, units, 3)."""
        number = len(self.units)
        return tally(self.kind * number + self.unit, self.prefers, 3 * number).reshape(3, number, 3)


def coded(battles: Sequence[Battle]) -> Coded:
    """Battles as numbers; there is at least one."""

    def places(names: Sequence[str], field: str) -> IntArray:
        place = {name: number for number, name in enumerate(names)}
        return np.array([place[getattr(each, field)] for each in battles], np.int64)

    runs = sorted({run for each in battles for run in (each.left_run, each.right_run)})
    topics = sorted({each.topic_id for each in battles})
    topic, winner = places(topics, "topic_id"), places(OUTCOMES, "winner")
    left, right = places(runs, "left_run"), places(runs, "right_run")
    kind = places(CLASSES, "assessor_class")
    assessor = places(sorted({"", *(each.assessor for each in battles)}), "assessor")
    one, other = np.minimum(left, right), np.maximum(left, right)
    keys, unit = np.unique((topic * len(runs) + one) * len(runs) + other, return_inverse=True)
    units = np.stack(np.unravel_index(keys, (len(topics), len(runs), len(runs))), axis=1)
    prefers = np.where((left > right) & (winner < 2), 1 - winner, np.minimum(winner, 2))
    return Coded(runs, topics, topic, left, right, winner, kind, assessor, units, unit, prefers)
