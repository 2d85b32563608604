"""Writes the entries of docs/measures.md anew from the registry: python docs/make_measures.py.

What stands above the marker is written by hand and stays. The last lines of each entry (nothing relevant, and so
on) are not copied from anywhere: the measure is asked, with a ranking of four documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from workbench.measures import MEASURES, BoundMeasure, JudgedRankings, Measure
from workbench.measures.parameters import Parameter
from workbench.measures.registry import bind
from workbench.ranking import UNJUDGED, Labels, Rankings

PAGE = Path(__file__).with_name("measures.md")
MARKER = "<!-- made by docs/make_measures.py: change the docstring of the measure instead -->"
CUTOFF = 10
RANKED = (1, 0, 1, 2)
KINDS = {int: "whole number", float: "number", bool: "true or false", str: "word"}


def page(old: str) -> str:
    """The page with its entries made anew; `old` lends what stands above the marker."""
    head, _, _ = old.partition(MARKER)
    entries = sorted(MEASURES.values(), key=lambda entry: entry.name.lower())
    return "\n".join([head + MARKER, *(line for entry in entries for line in entry_of(entry))]) + "\n"


def entry_of(entry: Measure) -> Iterator[str]:
    """The lines of one measure."""
    what, _, conventions = entry.prose.partition("Source:")[0].strip().partition("\n")
    yield from ("", f"### {entry.name}", "", what)
    if conventions.strip():
        yield from ("", conventions.strip())
    yield from ("", "| | |", "|---|---|")
    yield from (f"| {label} | {value} |" for label, value in facts_of(entry))


def facts_of(entry: Measure) -> Iterator[tuple[str, str]]:
    """Names, parameters, range and conventions of a measure, each with its label."""
    yield "written", ", ".join(map(code, spellings(entry)))
    if entry.aliases:
        yield "also called", ", ".join(map(code, entry.aliases))
    reference = [name.template.replace("{cutoff}", str(CUTOFF)) for name in entry.trec_eval]
    yield "in the reference program", ", ".join(map(code, reference)) or "none"
    for parameter in entry.parameters:
        yield f"`{parameter.name}`", described(parameter)
    yield "range", f"{entry.lowest:g} to {entry.highest:g}" if entry.highest is not None else "from 0"
    yield "over topics", "added up" if entry.is_count else "averaged"
    yield from conventions_of(usual(entry))
    yield "source", entry.source.removesuffix(".")


def spellings(entry: Measure) -> list[str]:
    """The measure by its own name, bare and with each of its parameters."""
    names = {parameter.name: parameter for parameter in entry.parameters}
    given = {name: CUTOFF for name, parameter in names.items() if parameter.required}
    asked = [given]
    if "cutoff" in names and not given:
        asked.append({"cutoff": CUTOFF})
    if "rel" in names:
        asked.append({**given, "rel": 2})
    return [str(bind(entry, values)) for values in asked]


def described(parameter: Parameter) -> str:
    """What a parameter means, its kind, limits and default."""
    limits = f" {parameter.limits}" if str(parameter.limits) else ""
    default = "must be given" if parameter.required else f"default {parameter.default}"
    if not parameter.required and parameter.default is None:
        default = "may be left out"
    return f"{parameter.limits.help}: {KINDS[parameter.kind]}{limits}; {default}"


def usual(entry: Measure) -> BoundMeasure:
    """The measure with its defaults."""
    return bind(entry, {parameter.name: CUTOFF for parameter in entry.parameters if parameter.required})


def conventions_of(measure: BoundMeasure) -> Iterator[tuple[str, str]]:
    """What the measure says where there is nothing to measure, and of documents that nobody judged."""
    if measure.is_count:
        return
    nothing = value(measure, [0, 0, 0, 0])
    if nothing != value(measure, [1, 0, 2, 0]):
        yield "nothing relevant", f"{nothing:g}"
    yield "nothing retrieved", f"{value(measure, [], [1, 2, 0]):g}"
    yield "unjudged documents", of_unjudged(measure)


def of_unjudged(measure: BoundMeasure) -> str:
    """How an unjudged document counts, from what changes when it is judged or taken out."""
    others = [0, 0, 0, 2]
    places = range(4)
    with_it = [value(measure, [*RANKED[:at], UNJUDGED, *RANKED[at:]], others) for at in places]
    if with_it == [value(measure, [*RANKED[:at], 0, *RANKED[at:]], others) for at in places]:
        return "as non-relevant"
    passed_over = with_it == [value(measure, RANKED, others)] * len(places)
    return "passed over" if passed_over else "as the text above says"


def value(measure: BoundMeasure, retrieved: Sequence[int], others: Sequence[int] = ()) -> float:
    """The measure of one ranking: the labels of its documents in rank order, and those of the topic's others."""
    size = len(retrieved)
    one = np.zeros(1, np.int32)
    row = np.array([0, size], np.int64)
    rankings = Rankings(row, np.arange(size, dtype=np.uint32), run=one, topic=one)
    labels = np.array([*retrieved, *others], np.int16)
    return float(measure(JudgedRankings.join(rankings, Labels(np.array([0, len(labels)], np.int64), labels)))[0])


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`"


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
