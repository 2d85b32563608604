"""Writes docs/measures/ and the table in docs/measures.md anew from the registry: python docs/make_measures.py.

What stands above the marker in docs/measures.md is written by hand and stays. Names in other programs come from
names_elsewhere.py. The conventions of each entry (nothing relevant, and so on) are not copied from anywhere: the
measure is asked, with a ranking of four documents.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from workbench.measures import MEASURES, BoundMeasure, JudgedRankings, Measure
from workbench.measures.modifiers import MODIFIERS
from workbench.measures.parameters import Parameter, Value, written
from workbench.measures.registry import bind
from workbench.ranking import UNJUDGED, Labels, Rankings

DOCS = Path(__file__).resolve().parent
PAGE = DOCS / "measures.md"
MARKER = "<!-- made by docs/make_measures.py: change the docstring of the measure instead -->"
ELSEWHERE: dict[str, dict[str, str]] = runpy.run_path(str(DOCS / "names_elsewhere.py"))["ELSEWHERE"]
RANKED = (1, 0, 1, 2)
KINDS = {"int": "whole number", "float": "number", "bool": "true or false", "str": "word", "Gains": "gains"}
USUAL = {"cutoff": 10, "recall": 0.1, "collection": 528155}


def pages() -> dict[Path, str]:
    """Every page that is made, with its whole text."""
    head, _, _ = PAGE.read_text(encoding="utf-8").partition(MARKER)
    made = {PAGE: "\n".join([head + MARKER, *index()]) + "\n"}
    for family in families():
        made[DOCS / "measures" / f"{family}.md"] = "\n".join(family_page(family)) + "\n"
    return made


def families() -> list[str]:
    """The families in the order in which their modules are named."""
    return sorted({entry.family for entry in MEASURES.values()})


def members(family: str) -> list[Measure]:
    """The measures of a family by name."""
    return sorted((e for e in MEASURES.values() if e.family == family), key=lambda e: e.name.lower())


def title(family: str) -> str:
    """A family's name in words."""
    return family.replace("_", " ").capitalize()


def introduction(family: str) -> str:
    """What the module of a family says of it."""
    return (sys.modules[f"workbench.measures.{family}"].__doc__ or "").strip()


def index() -> Iterator[str]:
    """The table of all measures, family by family, and the modifiers that all of them take."""
    yield from ("", "| measure | what it is |", "|---|---|")
    for family in families():
        yield f"| **[{title(family)}](measures/{family}.md)** | |"
        for entry in members(family):
            yield f"| [{entry.name}](measures/{family}.md#{entry.name.lower()}) | {entry.summary} |"
    yield from ("", "These may be said of any of them:", "", "| modifier | |", "|---|---|")
    yield from (f"| `{name}` | {described(modifier)} |" for name, modifier in MODIFIERS.items())


def family_page(family: str) -> Iterator[str]:
    """The lines of one family's page."""
    yield from (f"# {title(family)}", "", MARKER, "", introduction(family), "")
    yield "[What holds for all measures](../measures.md)"
    for entry in members(family):
        yield from entry_of(entry)


def entry_of(entry: Measure) -> Iterator[str]:
    """The lines of one measure."""
    yield from ("", f"### {entry.name}", "", entry.summary)
    if entry.formula:
        yield from ("", "```text", entry.formula, "```")
    if entry.conventions:
        yield from ("", entry.conventions)
    yield from ("", "| | |", "|---|---|")
    yield from (f"| {label} | {value} |" for label, value in facts_of(entry))


def facts_of(entry: Measure) -> Iterator[tuple[str, str]]:
    """Names, parameters, range and conventions of a measure, each with its label."""
    yield "written", ", ".join(map(code, spellings(entry)))
    if entry.aliases:
        yield "also called", ", ".join(map(code, entry.aliases))
    reference = [code(name.printed(values_of(entry, name.defaults))) for name in entry.trec_eval]
    yield "in the reference program", ", ".join(reference) or "none"
    for tool, name in ELSEWHERE.get(entry.name, {}).items():
        yield f"in {tool}", name
    for parameter in entry.parameters:
        yield f"`{parameter.name}`", described(parameter)
    yield "range", range_of(entry)
    yield "over topics", "added up" if entry.is_count else "averaged"
    if entry.has_bounds:
        yield "bounds", "`bound=lower`, `bound=upper`"
    if entry.of == "judgments":
        yield from conventions_of(usual(entry))
    yield "source", entry.source.removesuffix(".")


def range_of(entry: Measure) -> str:
    """The lowest and the highest value."""
    if entry.lowest is None:
        return "any number" if entry.highest is None else f"up to {entry.highest:g}"
    return f"from {entry.lowest:g}" if entry.highest is None else f"{entry.lowest:g} to {entry.highest:g}"


def values_of(entry: Measure, defaults: Sequence[Value] = ()) -> dict[str, Value]:
    """Likely values of all parameters; those without a default are settled."""
    values = {each.name: USUAL.get(each.name, each.default) for each in entry.parameters}
    free = [name for name, value in values.items() if value is None and defaults]
    return values | dict.fromkeys(free, defaults[0] if defaults else None)


def spellings(entry: Measure) -> list[str]:
    """The measure by its own name, bare and with some of its parameters."""
    names = {parameter.name: parameter for parameter in entry.parameters}
    given: dict[str, Value] = {name: USUAL[name] for name, parameter in names.items() if parameter.required}
    asked = [given]
    if "cutoff" in names and not given:
        asked.append({"cutoff": USUAL["cutoff"]})
    if "rel" in names:
        asked.append({**given, "rel": 2})
    return [str(bind(entry, values)) for values in asked]


def described(parameter: Parameter) -> str:
    """What a parameter means, its kind, limits and default."""
    limits = f" {parameter.limits}" if str(parameter.limits) else ""
    default = "must be given" if parameter.required else f"default {written(parameter.default)}"
    if not parameter.required and parameter.default is None:
        default = "may be left out"
    return f"{parameter.limits.help}: {KINDS[parameter.kind.__name__]}{limits}; {default}"


def usual(entry: Measure) -> BoundMeasure:
    """The measure with its defaults."""
    return bind(entry, {each.name: USUAL[each.name] for each in entry.parameters if each.required})


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
    return float(
        measure(JudgedRankings.join(rankings, Labels(np.array([0, len(labels)], np.int64), labels)))[0]
    )


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`"


if __name__ == "__main__":
    (DOCS / "measures").mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
