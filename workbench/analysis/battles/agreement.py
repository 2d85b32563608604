"""How far assessors of the same battles agree, within their classes and between them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.battles.strengths import OUTCOME
from workbench.core.battles import CLASSES, Battle
from workbench.core.results import Column
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.over_topics import GRADED, Estimate, estimate

Unit = tuple[str, str, str]
"""A topic and two runs, in order."""
SHOWN = ("one", "other", "pairs", "same", "kappa", "low", "high")
Said = tuple[str, str, int]
"""Assessor, class, and what is preferred: the unit's first run (0), its second (1), or neither (2)."""


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
    note: str


def said_of(battles: Sequence[Battle]) -> Mapping[Unit, list[Said]]:
    """What was said of each unit."""
    found = defaultdict[Unit, list[Said]](list)
    for each in battles:
        left, right, outcome = each.left_run, each.right_run, OUTCOME[each.winner]
        if left > right:
            left, right, outcome = right, left, (1, 0, 2)[outcome]
        found[each.topic_id, left, right].append((each.assessor, each.assessor_class, outcome))
    return found


def agreements(battles: Sequence[Battle]) -> list[BattleAgreement]:
    """The agreement within each class and between each two of which assessors judged the same units.

    Battles without an assessor are compared with those of other classes alone.
    """
    said = said_of(battles)
    topics = {topic: place for place, topic in enumerate(sorted({topic for topic, _, _ in said}))}
    of_topic = np.array([topics[topic] for topic, _, _ in said])
    rows = [(unit, *each) for unit, every in enumerate(said.values()) for each in every]
    present = [kind for kind in CLASSES if any(of == kind for _, _, of, _ in rows)]
    by_class = {
        kind: _counts([(unit, what) for unit, _, of, what in rows if of == kind], len(said))
        for kind in present
    }
    found = []
    for one, other in combinations_with_replacement(present, 2):
        met = _met(rows, one, len(said)) if one == other else _outer(by_class[one], by_class[other])
        tables = np.zeros((len(topics), 3, 3))
        np.add.at(tables, of_topic, met)
        if tables.any():
            found.append(_agreement(one, other, _either_way(tables)))
    return found


def _counts(places: Sequence[tuple[int, int]], number: int) -> FloatArray:
    """How often each was preferred in each of a number of places, float64 (number, 3)."""
    at = np.array(places, np.int64).reshape(-1, 2)
    return np.bincount(at[:, 0] * 3 + at[:, 1], minlength=3 * number).reshape(-1, 3).astype(np.float64)


def _outer(one: FloatArray, other: FloatArray) -> FloatArray:
    return np.asarray(one[:, :, None] * other[:, None, :], np.float64)


def _met(rows: Sequence[tuple[int, str, str, int]], kind: str, units: int) -> FloatArray:
    """What different assessors of a class said of each unit, float64 (units, 3, 3): each pair of their battles once,
    half in each order.
    """
    named = [(unit, assessor, what) for unit, assessor, of, what in rows if of == kind and assessor]
    place = {each: number for number, each in enumerate(dict.fromkeys((unit, who) for unit, who, _ in named))}
    alone = _counts([(place[unit, who], what) for unit, who, what in named], len(place))
    every = _counts([(unit, what) for unit, _, what in named], units)
    found = _outer(every, every)
    np.subtract.at(found, np.array([unit for unit, _ in place], np.int64), _outer(alone, alone))
    return found / 2


def _either_way(tables: FloatArray) -> FloatArray:
    """Tables with either run of a unit as its first, each half."""
    swapped = [1, 0, 2]
    return (tables + tables[:, swapped][:, :, swapped]) / 2


def _agreement(one: str, other: str, tables: FloatArray) -> BattleAgreement:
    same = float(np.trace(tables.sum(axis=0)) / tables.sum())
    kappa: Estimate = estimate(tables, GRADED["Cohen's kappa"])
    low, high = kappa.interval or (None, None)
    return BattleAgreement(one, other, round(tables.sum()), same, kappa.value, low, high, kappa.note)
