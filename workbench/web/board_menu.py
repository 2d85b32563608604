"""The measures that the leaderboard offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from workbench.errors import UnknownName
from workbench.measures import MEASURES, BoundMeasure, Measure, parse_measure
from workbench.scoring import DEFAULT_MEASURES

SHOWN_MEASURES = ("nDCG@10", "AP", "P@10")
"""What the board shows to somebody who has not chosen."""

USUAL_CUTOFF = 10


class Choice(NamedTuple):
    """A measure in the menu; those that are neither `usual` nor chosen are folded away."""

    name: str
    summary: str
    chosen: bool
    usual: bool


def choices(chosen: Sequence[str]) -> list[Choice]:
    """The menu: the usual measures, then the others of the registry, then what else was chosen."""
    usual = [parse_measure(name) for name in (*SHOWN_MEASURES, *DEFAULT_MEASURES)]
    at_hand = {*map(str, usual), *chosen}
    families = {measure.name for measure in usual}
    others = [
        _usual(entry) for entry in MEASURES.values() if is_offered(entry) and entry.name not in families
    ]
    names = dict.fromkeys([*(str(measure) for measure in [*usual, *others]), *chosen])
    return [
        Choice(name, parse_measure(name).measure.summary, name in chosen, name in at_hand) for name in names
    ]


def known(names: Sequence[str]) -> tuple[list[str], list[str]]:
    """Those that a campaign can be scored by, and the others."""
    fitting: list[str] = []
    wrong: list[str] = []
    for name in names:
        try:
            fits = parse_measure(name).measure.of == "judgments"
        except UnknownName:
            fits = False
        (fitting if fits else wrong).append(name)
    return fitting, wrong


def is_offered(entry: Measure) -> bool:
    """Whether the menu has it: it needs no judgments of subtopics, and no parameter but a cutoff must be given."""
    needed = {parameter.name for parameter in entry.parameters if parameter.required}
    return entry.of == "judgments" and needed <= {"cutoff"}


def _usual(entry: Measure) -> BoundMeasure:
    needs_cutoff = any(parameter.required for parameter in entry.parameters)
    return parse_measure(f"{entry.name}@{USUAL_CUTOFF}" if needs_cutoff else entry.name)
