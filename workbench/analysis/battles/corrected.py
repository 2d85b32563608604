"""Strengths by the battles of models, corrected by those of people."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.battles.coded import Coded
from workbench.core.battles import CLASSES, MODEL, PERSON
from workbench.core.errors import CampaignError
from workbench.core.results import IN_JSON, Column
from workbench.methods.battles.corrected import HELD, Units, corrected
from workbench.methods.statistics.agreement import ratio


class CorrectedStrength(NamedTuple):
    """A run by the battles of models, corrected by people's.

    Attributes:
        run: its tag.
        strength: in log-odds, without a position effect.
        low, high: its interval over topics; None without one.
        note: why it has no interval.
    """

    run: Annotated[str, Column("Run")]
    strength: Annotated[float | None, Column("Corrected", kind="signed")]
    low: Annotated[float | None, Column(kind="signed")]
    high: Annotated[float | None, Column(kind="signed")]
    note: Annotated[str, IN_JSON]


class CorrectedStrengths(NamedTuple):
    """Strengths that people would have given by all units of models, estimated; they are consistent, not unbiased.

    Attributes:
        runs: the strongest first.
        units: pairs of runs on a topic that models judged.
        of_people: of them those that people judged too.
        holds: in how many simulations such intervals held the truth; "" without any.
    """

    runs: tuple[CorrectedStrength, ...]
    units: int
    of_people: int
    holds: str


def corrected_strengths(battles: Coded) -> CorrectedStrengths:
    """The strengths of the runs in battles of models; CampaignError where people judged too little of them."""
    names, units = _units(battles)
    here, number = int(units.has_people.sum()), len(units.topic)
    found = corrected(units)
    if found is None:
        why = ", since a run has no finite strength by both" if here else ""
        raise CampaignError(
            f"people judged {here:,} of the {number:,} pairs of runs on a topic that models judged: too few to correct "
            f"the models by{why}; have people judge more, drawn at random from the models'"
        )
    runs = []
    for name, each in zip(names, found, strict=True):
        low, high = each.interval or (None, None)
        runs.append(CorrectedStrength(name, each.value, low, high, each.note))
    runs.sort(key=lambda run: (-(run.strength or 0.0), run.run))
    return CorrectedStrengths(tuple(runs), number, here, HELD if any(each.interval for each in found) else "")


def _units(battles: Coded) -> tuple[list[str], Units]:
    """What models judged, and what people say of the same."""
    said = dict(zip(CLASSES, battles.said(), strict=True))
    here = said[MODEL].any(axis=1)
    model, people = (
        ratio(each, each.sum(axis=1, keepdims=True)) for each in (said[MODEL][here], said[PERSON][here])
    )
    topics, topic = np.unique(battles.units[here, 0], return_inverse=True)
    runs, places = np.unique(battles.units[here, 1:], return_inverse=True)
    one, other = places.reshape(-1, 2).T
    names = [battles.runs[run] for run in runs.tolist()]
    return names, Units(len(runs), len(topics), topic, one, other, model, people)
