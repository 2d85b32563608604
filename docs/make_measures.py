"""Makes docs/use/measures/ and the table in docs/use/measures.md from the registry: python docs/make_measures.py.

What is above the marker in docs/use/measures.md is written by hand and stays. Names in other programs come from
names_elsewhere.py. The conventions of each entry (nothing relevant, and so on) are not copied from anywhere: the
measure is asked, with a ranking of four documents.
"""

from __future__ import annotations

import runpy
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import KINDS, Parameter, written
from workbench.core.ranking import UNJUDGED, Labels, Rankings
from workbench.core.registry import Entry
from workbench.methods.answers.nuggets import NUGGET_MEASURES
from workbench.methods.answers.reports import REPORT_MEASURES
from workbench.methods.answers.rubrics import RUBRIC_MEASURES
from workbench.methods.answers.support import CONTRADICTING, SUPPORT_MEASURES
from workbench.methods.answers.whole import ANSWER_MEASURES
from workbench.methods.measures import MEASURES, BoundMeasure, JudgedRankings, Measure
from workbench.methods.measures.answers import ESTIMATED, VARIANCE
from workbench.methods.measures.gains import Gains, read_gains
from workbench.methods.measures.parameters import MODIFIERS, Value
from workbench.methods.measures.question_rankings import QUESTIONS, Answered, QuestionRankings
from workbench.methods.measures.reference_names import TrecEvalName
from workbench.methods.measures.registry import WHY_NO_BOUNDS, bind
from workbench.methods.measures.sampled_rankings import SampledRankings, sample_of_strata
from workbench.methods.measures.subtopics import SubtopicLabels, SubtopicRankings

DOCS = Path(__file__).resolve().parent
USE = DOCS / "use"
PAGE = USE / "measures.md"
MARKER = "<!-- made by docs/make_measures.py: change the docstring of the measure instead -->"
ELSEWHERE: dict[str, dict[str, str]] = runpy.run_path(str(DOCS / "names_elsewhere.py"))["ELSEWHERE"]
RANKED = (1, 0, 1, 2)
CUTOFF = 10
AFTER_A_DOT = ("2", "p=.5", "1=3,2=9", "1,-1,0,0", ".25,.5,.75")
"""Texts of which each name of the reference program that takes one understands at least one."""
UNUSUAL: tuple[dict[str, Value], ...] = (
    {"gains": read_gains("{1:-1}")},
    {"discount": "after-first", "base": 10.0},
)
"""Parameters with which some measures have no bounds."""
TITLES = {
    "counts": "Counts",
    "sets": "Sets",
    "binary": "Ranked, relevant or not",
    "levels": "Precision over recall",
    "graded": "Graded",
    "cascade": "Cascades",
    "user_models": "User models",
    "incomplete": "Incomplete judgments",
    "inferred": "Sampled strata",
    "weighted": "Samples with probabilities",
    "diversity": "Diversity",
    "questions": "Several questions",
}
"""The families in the order of the table."""


def pages() -> dict[Path, str]:
    """Every page that is made, with its whole text."""
    head, _, _ = PAGE.read_text(encoding="utf-8").partition(MARKER)
    made = {PAGE: "\n".join([head + MARKER, *index()]) + "\n"}
    made[USE / "measures" / "answers.md"] = "\n".join(answers_page()) + "\n"
    for family in families():
        made[USE / "measures" / f"{family}.md"] = "\n".join(family_page(family)) + "\n"
    return made


def families() -> list[str]:
    """The families in the order of their titles, then those that have none."""
    found = {entry.family for entry in MEASURES.values() if not entry.of_answers}
    return [*(family for family in TITLES if family in found), *sorted(found - TITLES.keys())]


def members(family: str) -> list[Measure]:
    """The measures of a family by name."""
    return sorted((e for e in MEASURES.values() if e.family == family), key=lambda e: e.name.lower())


def title(family: str) -> str:
    """A family's name in words."""
    return TITLES.get(family, family.replace("_", " ").capitalize())


def introduction(family: str) -> str:
    """What the module of a family says of it."""
    return (sys.modules[f"workbench.methods.measures.{family}"].__doc__ or "").strip()


def index() -> Iterator[str]:
    """The table of all measures, family by family, and the modifiers that all of them take."""
    yield from ("", "| measure | what it is |", "|---|---|")
    for family in families():
        yield f"| **[{title(family)}](measures/{family}.md)** | |"
        for entry in members(family):
            yield f"| [{entry.name}](measures/{family}.md#{entry.name.lower()}) | {entry.summary} |"
    yield "| **[Answers](measures/answers.md)** | nuggets, judged reports, rubrics, support of citations |"
    yield from (
        "",
        "## Modifiers",
        "",
        "They are written like parameters, of any measure: `AP(judged_only=true)`.",
    )
    yield "`bound`, `top_grade` and `least_grade` are for measures that have bounds; `mean` and `floor` are not for"
    yield "counts."
    yield from ("", "| modifier | |", "|---|---|")
    yield from (f"| `{name}` | {described(modifier)} |" for name, modifier in MODIFIERS.items())


def family_page(family: str) -> Iterator[str]:
    """The lines of one family's page."""
    yield from (f"# {title(family)}", "", MARKER, "", introduction(family), "")
    yield "[The symbols](../measures.md#symbols), and [what holds for all measures](../measures.md)"
    for entry in members(family):
        yield from entry_of(entry)


ANSWERS = {
    "Nuggets": NUGGET_MEASURES,
    "Reports": REPORT_MEASURES,
    "Rubrics": RUBRIC_MEASURES,
    "Support of citations": SUPPORT_MEASURES,
    "Whole answers": ANSWER_MEASURES,
}
"""The registries of measures of answers, by the titles of their sections."""


def answers_page() -> Iterator[str]:
    """The lines of the page of measures of answers; names of one function are one entry."""
    yield from (
        "# Answers",
        "",
        MARKER,
        "",
        "`workbench eval-answers` prints them: see [answers](../answers.md). All but `citation_relevance`,",
        "`character_count` and `question_score` are also measures of a question about such units:",
        "`workbench score CAMPAIGN --question support`. `f1` and `f1_weighted` need one about citations and one about",
        "nuggets, and are on the board of either; `f1(question=NAME)` names the other one where there are several.",
        "",
        (sys.modules["workbench.methods.measures.answers"].__doc__ or "").partition("\n\n")[2].strip(),
    )
    for heading, registry in ANSWERS.items():
        module = sys.modules[next(iter(registry.values())).function.__module__]
        yield from ("", f"## {heading}", "", (module.__doc__ or "").partition("\n")[0])
        functions = dict[object, list[Entry]]()
        for entry in registry.values():
            functions.setdefault(entry.function, []).append(entry)
        for entries in functions.values():
            yield from ("", f"### {', '.join(entry.name for entry in entries)}", "", entries[0].prose)
    turned = [name for name in MEASURES if name.startswith(CONTRADICTING)]
    yield f"\nOf documents that are cited as contradicting a sentence: {', '.join(map(code, turned))}."
    yield "\n## Estimates"
    for name, prose in (("stat_NAME", ESTIMATED), ("stat_NAME_variance", VARIANCE)):
        yield from ("", f"### {name}", "", prose.format(name="NAME"))
    named = [name for name in MEASURES if f"stat_{name}" in MEASURES]
    yield f"NAME is one of {', '.join(map(code, named))}. The best of several citations is no sum and has no estimate."


def entry_of(entry: Measure) -> Iterator[str]:
    """The lines of one measure."""
    yield from ("", f"### {entry.name}", "", entry.summary)
    if entry.formula:
        yield from ("", "```text", entry.formula, "```")
    if entry.conventions:
        yield from ("", entry.conventions)
    yield from ("", "| | |", "|---|---|")
    yield from (f"| {label} | {value} |" for label, value in summarise_campaign(entry))


def summarise_campaign(entry: Measure) -> Iterator[tuple[str, str]]:
    """Names, parameters, range and conventions of a measure, each with its label."""
    yield "written", ", ".join(map(code, spellings(entry)))
    if entry.aliases:
        yield "also called", ", ".join(map(code, entry.aliases))
    reference = [text for name in entry.trec_eval for text in of_reference(entry, name)]
    yield "in trec_eval", ", ".join(map(code, reference)) or "none"
    for tool, name in ELSEWHERE.get(entry.name, {}).items():
        yield f"in {tool}", name
    for parameter in entry.parameters:
        yield f"`{parameter.name}`", described(parameter)
    yield "range", range_of(entry)
    yield "over topics", "added up" if entry.is_count else "averaged"
    if entry.has_bounds:
        yield "bounds", "; ".join(["`bound=lower`, `bound=upper`", *sorted(reasons_for_no_bounds(entry))])
    yield from conventions_of(usual(entry))
    yield from declared(entry)
    yield "source", entry.source.removesuffix(".")


def of_reference(entry: Measure, name: TrecEvalName) -> Iterator[str]:
    """A name of the reference program as it is printed, and with a text after a dot if it takes one."""
    yield name.printed(values_of(entry, name.defaults))
    if name.reads is not None:
        yield f"{name.family}.{next(text for text in AFTER_A_DOT if is_read(name, text))}"


def is_read(name: TrecEvalName, text: str) -> bool:
    """Whether a name of the reference program understands this text after its dot."""
    try:
        return name.reads is not None and bool(name.reads(text))
    except ValueError:
        return False


def reasons_for_no_bounds(entry: Measure) -> set[str]:
    """Why there are no bounds with some parameters."""
    why_not = WHY_NO_BOUNDS.get(entry.name)
    values = values_of(entry)
    found = {why_not({**values, **unusual}) for unusual in UNUSUAL} if why_not else set()
    return {reason for reason in found if reason}


def declared(entry: Measure) -> Iterator[tuple[str, str]]:
    """What the registry promises of a measure, which tests hold it to."""
    yield "unjudged documents added at the end", "may change it" if entry.end_counts else "change nothing"
    changes = "may change it" if entry.nonrelevant_counts else "changes nothing"
    yield "judging an unjudged document as non-relevant", changes
    yield (
        "moving a relevant document up past one that is not",
        "never lowers it" if entry.rises else "may lower it",
    )


def range_of(entry: Measure) -> str:
    """The lowest and the highest value."""
    if entry.lowest is None:
        return "any number" if entry.highest is None else f"up to {entry.highest:g}"
    return f"from {entry.lowest:g}" if entry.highest is None else f"{entry.lowest:g} to {entry.highest:g}"


def values_of(entry: Measure, defaults: Sequence[Value] = ()) -> dict[str, Value]:
    """Likely values of all parameters; those without a default are settled."""
    values = {each.name: example(each) if each.required else each.default for each in entry.parameters}
    values |= {"cutoff": CUTOFF} if "cutoff" in values else {}
    free = [name for name, value in values.items() if value is None and defaults]
    return values | dict.fromkeys(free, defaults[0] if defaults else None)


def spellings(entry: Measure) -> list[str]:
    """The measure by its own name, bare and with some of its parameters."""
    names = {parameter.name: parameter for parameter in entry.parameters}
    given: dict[str, Value] = {each.name: example(each) for each in entry.parameters if each.required}
    asked = [given]
    if "cutoff" in names and not given:
        asked.append({"cutoff": CUTOFF})
    if "rel" in names:
        asked.append({**given, "rel": 2})
    return [str(bind(entry, values)) for values in asked]


def described(parameter: Parameter) -> str:
    """What a parameter means, its kind, limits and default."""
    default = "must be given" if parameter.required else f"default {code(written(parameter.default))}"
    if not parameter.required and parameter.default is None:
        default = "may be left out"
    return f"{parameter.limits.help}: {kind_of(parameter)}; {default}"


def kind_of(parameter: Parameter) -> str:
    """What values a parameter takes."""
    limits = str(parameter.limits)
    if parameter.limits.choices:
        return limits
    kind = KINDS[parameter.kind].name
    if parameter.kind is Gains:
        kind = "a table of numbers" if limits else "gains"
    return f"{kind} {limits}".rstrip()


def usual(entry: Measure) -> BoundMeasure:
    """The measure with its defaults."""
    return bind(entry, {each.name: example(each) for each in entry.parameters if each.required})


def example(parameter: Parameter) -> Value:
    """A likely value of a parameter."""
    value: Value = parameter.read(parameter.limits.example)
    return value


def conventions_of(measure: BoundMeasure) -> Iterator[tuple[str, str]]:
    """What the measure says where there is nothing to measure, and of documents that nobody judged."""
    if measure.is_count:
        return
    nothing = value(measure, [0, 0, 0, 0])
    if nothing != value(measure, [1, 0, 2, 0]):
        yield "nothing relevant", told([nothing, value(measure, [0, 0, 0], [0])])
    yield "nothing retrieved", told([value(measure, [], others) for others in ([1, 2, 0], [1, 0])])
    yield "unjudged documents", of_unjudged(measure)


def told(values: Sequence[float]) -> str:
    """The value, if it is the same for different topics and rankings."""
    return f"{values[0]:g}" if len(set(values)) == 1 else "depends on the case"


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
    if measure.measure.of == "subtopics":
        return float(measure(SubtopicRankings.join(rankings, of_one_subtopic(labels)))[0])
    start = np.array([0, len(labels)], np.int64)
    judged = JudgedRankings.join(rankings, Labels(start, labels))
    if measure.measure.of == QUESTIONS:  # the answers are the same as the judgments of relevance
        return float(measure(QuestionRankings(judged, {"one": Answered(judged, 1, 2)}))[0])
    if measure.measure.of_sample:
        sample = sample_of_strata(start, np.where(labels > UNJUDGED, 0, -1), labels)
        return float(measure(SampledRankings.join(rankings, sample))[0])
    return float(measure(judged)[0])


def of_one_subtopic(labels: NDArray[np.int16]) -> SubtopicLabels:
    """The judgments of documents for the one subtopic that their topic has."""
    cell = np.flatnonzero(labels >= 0)
    cell_start = np.array([0, len(labels)], np.int64)
    return SubtopicLabels(cell_start, np.array([0, 1], np.int64), cell, np.zeros_like(cell), labels[cell])


def code(text: str) -> str:
    """Text as code."""
    return f"`{text}`"


if __name__ == "__main__":
    (USE / "measures").mkdir(exist_ok=True)
    for path, text in pages().items():
        path.write_text(text, encoding="utf-8")
