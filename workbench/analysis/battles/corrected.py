"""Strengths by the battles of models and of agents, corrected by those of people."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.battles.coded import Coded
from workbench.core.battles import CLASSES, PERSON
from workbench.core.results import IN_JSON, Column
from workbench.jobs.observing import observed_rows
from workbench.methods.battles.corrected import HELD, Units, corrected, estimates, without_each_topic
from workbench.methods.statistics.agreement import ratio
from workbench.methods.statistics.arrays import FloatArray


class CorrectedStrength(NamedTuple):
    """A run by the battles of a class of assessors, corrected by people's.

    Attributes:
        by: the class.
        run: its tag.
        strength: in log-odds, without a position effect.
        low, high: its interval over topics; None without one.
        note: why it has no interval.
    """

    by: Annotated[str, Column("Battles of")]
    run: Annotated[str, Column("Run")]
    strength: Annotated[float | None, Column("Corrected", kind="signed")]
    low: Annotated[float | None, Column(kind="signed")]
    high: Annotated[float | None, Column(kind="signed")]
    note: Annotated[str, IN_JSON]


class CorrectedStrengths(NamedTuple):
    """Strengths that people would have given by all units of a class, estimated; they are consistent, not unbiased.

    Attributes:
        by: the class, model or agent.
        runs: the strongest first; none where people judged too little.
        units: pairs of runs on a topic that the class judged.
        of_people: of them those that people judged too.
        holds: in how many simulations such intervals held the truth; "" without any.
        reason: why there are no runs; "" where there are.
    """

    by: str
    runs: tuple[CorrectedStrength, ...]
    units: int
    of_people: int
    holds: str
    reason: str


def corrections(battles: Coded) -> tuple[CorrectedStrengths, ...]:
    """The strengths by each class of assessors but people, where it judged."""
    said = dict(zip(CLASSES, battles.said(), strict=True))
    return tuple(_corrected(battles, name, said) for name in CLASSES if name != PERSON and said[name].any())


def _corrected(battles: Coded, by: str, said: dict[str, FloatArray]) -> CorrectedStrengths:
    names, units = _units(battles, said[by], said[PERSON])
    here, number, found = units.has_people, len(units.topic), corrected(units)
    nothing = CorrectedStrengths(by, (), number, int(here.sum()), "", "")
    if found is None:
        why = ", since a run has no finite strength by both" if here.any() else ""
        return nothing._replace(
            reason=f"people judged {nothing.of_people:,} of the {number:,} pairs of runs on a topic that {by}s judged: "
            f"too few to correct them{why}; have people judge more, drawn at random from theirs"
        )
    leaving = observed_rows(without_each_topic(units, found), units.topics, f"Leaving out topics of {by}s")
    runs = []
    for name, each in zip(names, estimates(units, found, np.array(list(leaving))), strict=True):
        low, high = each.interval or (None, None)
        runs.append(CorrectedStrength(by, name, each.value, low, high, each.note))
    runs.sort(key=lambda run: (-(run.strength or 0.0), run.run))
    return nothing._replace(runs=tuple(runs), holds=HELD if any(run.low is not None for run in runs) else "")


def _units(battles: Coded, theirs: FloatArray, peoples: FloatArray) -> tuple[list[str], Units]:
    """What a class judged, and what people say of the same."""
    here = theirs.any(axis=1)
    model, people = (ratio(each, each.sum(axis=1, keepdims=True)) for each in (theirs[here], peoples[here]))
    topics, topic = np.unique(battles.units[here, 0], return_inverse=True)
    runs, places = np.unique(battles.units[here, 1:], return_inverse=True)
    one, other = places.reshape(-1, 2).T
    names = [battles.runs[run] for run in runs.tolist()]
    return names, Units(len(runs), len(topics), topic, one, other, model, people)
