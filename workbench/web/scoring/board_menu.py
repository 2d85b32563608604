"""The measures that the leaderboard offers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from workbench.core.errors import UnknownName
from workbench.methods.measures import MEASURES, BoundMeasure, Measure, parse_measure
from workbench.scoring.board import DEFAULT_MEASURES

SHOWN_MEASURES = ("nDCG@10", "AP", "P@10")
"""What the board shows by default."""

USUAL_CUTOFF = 10


class Choice(NamedTuple):
    """A measure in the menu; those that are neither `usual` nor chosen are folded away."""

    name: str
    summary: str
    chosen: bool
    usual: bool


def choices(chosen: Sequence[str]) -> list[Choice]:
    """The menu: the usual measures, then the others of the registry, then what else was chosen."""
    menu = _menu(tuple(MEASURES.values()))
    summaries = {**menu.summaries, **{name: parse_measure(name).measure.summary for name in chosen}}
    return [
        Choice(name, summary, name in chosen, name in menu.usual or name in chosen)
        for name, summary in summaries.items()
    ]


class _Menu(NamedTuple):
    """What every board offers: the summaries of measures by their names, and which of these are usual."""

    summaries: Mapping[str, str]
    usual: frozenset[str]


@lru_cache(maxsize=1)
def _menu(entries: tuple[Measure, ...]) -> _Menu:
    """Made again only when a measure was added to the registry."""
    usual = [parse_measure(name) for name in (*SHOWN_MEASURES, *DEFAULT_MEASURES)]
    families = {measure.name for measure in usual}
    others = [_usual(entry) for entry in entries if is_offered(entry) and entry.name not in families]
    summaries = {str(measure): measure.measure.summary for measure in [*usual, *others]}
    return _Menu(summaries, frozenset(map(str, usual)))


def known(names: Sequence[str], *, sampled: bool = False) -> tuple[list[str], list[str]]:
    """Those that a campaign can be scored by, and the others; `sampled` is whether its pool is a sample."""
    fitting: list[str] = []
    wrong: list[str] = []
    for name in names:
        try:
            measure = parse_measure(name).measure
            fits = measure.of == "judgments" or (sampled and measure.of_sample)
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
