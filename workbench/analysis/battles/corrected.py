"""Strengths by the battles of models, corrected by those of people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.battles.agreement import said_of
from workbench.core.battles import MODEL, PERSON, Battle
from workbench.core.errors import CampaignError
from workbench.core.results import IN_JSON, Column
from workbench.methods.battles.corrected import Units, corrected
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.over_topics import Estimate


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


def corrected_strengths(battles: Sequence[Battle]) -> CorrectedStrengths:
    """The strengths of the runs in battles of models; CampaignError where people judged too little of them."""
    names, units = _units(battles)
    here = int(units.has_people.sum())
    found = corrected(units) if here else None
    if found is None:
        raise CampaignError(
            f"people judged {here:,} of the {len(units.topic):,} pairs of runs on a topic that models judged: too few "
            "to correct the models by; have people judge more, drawn at random from the models'"
        )
    runs = [_strength(name, each) for name, each in zip(names, found, strict=True)]
    runs.sort(key=lambda run: (-(run.strength or 0.0), run.run))
    return CorrectedStrengths(
        tuple(runs), len(units.topic), here, next((each.holds for each in found if each.holds), "")
    )


def _strength(name: str, found: Estimate) -> CorrectedStrength:
    low, high = found.interval or (None, None)
    return CorrectedStrength(name, found.value, low, high, found.note)


def _units(battles: Sequence[Battle]) -> tuple[list[str], Units]:
    """What models judged, and what people say of the same."""
    said = {unit: each for unit, each in said_of(battles).items() if any(of == MODEL for _, of, _ in each)}
    names = sorted({run for _, one, other in said for run in (one, other)})
    run = {name: place for place, name in enumerate(names)}
    topic = {name: place for place, name in enumerate(sorted({topic for topic, _, _ in said}))}
    places = np.array([(topic[t], run[one], run[other]) for t, one, other in said], np.int64).reshape(-1, 3)
    model, people = (
        np.array([_shares([what for _, of, what in each if of == kind]) for each in said.values()]).reshape(
            -1, 3
        )
        for kind in (MODEL, PERSON)
    )
    of_topic, one, other = places.T
    return names, Units(len(names), len(topic), of_topic, one, other, model, people)


def _shares(outcomes: Sequence[int]) -> FloatArray:
    """The share of each outcome, nan without any."""
    if not outcomes:
        return np.full(3, np.nan)
    return np.asarray(np.bincount(outcomes, minlength=3) / len(outcomes), np.float64)
