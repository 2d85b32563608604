"""The registry of measures: a measure is one function over `JudgedRankings` and one decorator line.

The function's docstring is its help text and its entry in the documentation: what it is in one line, then the
conventions, then a last paragraph that begins with "Source:". Its keyword-only parameters are the measure's
parameters (see parameters.py). The module it is in is its family. What all registries have is in core/registry.py.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import inf
from typing import Any

import numpy as np

from workbench.core.about import ANSWERS, CITATIONS, NUGGETS
from workbench.core.errors import UnknownName
from workbench.core.parameters import Parameter, written
from workbench.core.plugins import PluginFailed
from workbench.core.registry import Entry, Registry
from workbench.methods.measures.answer_rankings import (
    NO_REPORTS,
    REPORTS,
    AnswerRankings,
    AnyAnswers,
    ReportRankings,
)
from workbench.methods.measures.judged import FloatArray, JudgedRankings
from workbench.methods.measures.parameters import (
    MODIFIERS,
    POSSIBLE_GRADES,
    Value,
    check_alternatives,
    check_together,
)
from workbench.methods.measures.question_rankings import NO_QUESTIONS, QUESTIONS, QuestionRankings
from workbench.methods.measures.reference_names import TrecEvalName
from workbench.methods.measures.sampled_rankings import SampledRankings
from workbench.methods.measures.subtopics import SubtopicRankings

SAMPLED = "sampled "
OF_SAMPLE = ("sample", "strata", *(SAMPLED + kind for kind in (CITATIONS, NUGGETS, ANSWERS)))

MeasureFunction = Callable[..., FloatArray]
AnyRankings = JudgedRankings | SubtopicRankings | SampledRankings | AnyAnswers | QuestionRankings
BoundsFunction = Callable[..., tuple[FloatArray, FloatArray]]


@dataclass(frozen=True, eq=False)
class Measure(Entry):
    """One measure as the registry knows it: `function(judged, **parameters)` -> float64 (R), one value per row.

    Attributes:
        trec_eval: its names in the reference program.
        aliases: further names.
        lowest, highest: the range of values per topic; None where there is no bound.
        is_count: added up over topics, not averaged.
        end_counts: whether unjudged documents added at the end of a ranking may change it.
        nonrelevant_counts: whether judging an unjudged document as non-relevant may change it.
        rises: whether moving a relevant document up past one that is not never lowers it.
        best: which value of several runs is marked as the best: "highest", "lowest", or "none" where neither is
            a merit of a run, as with counts, the share of judged documents and residuals.
        of: "judgments", or "subtopics" for a function over `SubtopicRankings`; for one over `SampledRankings` "sample",
            or "strata" where it needs strata in which all documents had the same chance; "citations", "nuggets" or
            "answers" for one over `AnswerRankings`, with "sampled " before it where it looks at the design of a sample;
            REPORTS for one over `ReportRankings`, QUESTIONS for one over `QuestionRankings`.
        takes_as_sample: whether it takes what is judged of a topic for one uniform sample of its pool.
    """

    function: MeasureFunction
    trec_eval: tuple[TrecEvalName, ...] = ()
    aliases: tuple[str, ...] = ()
    lowest: float | None = 0.0
    highest: float | None = 1.0
    is_count: bool = False
    end_counts: bool = False
    nonrelevant_counts: bool = False
    rises: bool = True
    best: str = "highest"
    of: str = "judgments"
    takes_as_sample: bool = False

    @property
    def family(self) -> str:
        """The name of the module that defines it."""
        return self.function.__module__.rpartition(".")[2]

    @property
    def reach(self) -> tuple[float, float]:
        """The range of values per topic, infinite where there is no bound."""
        return -inf if self.lowest is None else self.lowest, inf if self.highest is None else self.highest

    @property
    def formula(self) -> str:
        """The formula, as plain text."""
        return self._paragraphs("Formula:")

    @property
    def conventions(self) -> str:
        """What is to be known besides summary, formula and source."""
        paragraphs = self.prose.split("\n\n")[1:]
        return "\n\n".join(p for p in paragraphs if not p.startswith(("Formula:", "Source:"))).strip()

    @property
    def source(self) -> str:
        """Where the definition comes from."""
        return " ".join(self._paragraphs("Source:").split())

    def _paragraphs(self, label: str) -> str:
        found = (p for p in self.prose.split("\n\n") if p.startswith(label))
        return inspect.cleandoc(next(found, "").removeprefix(label).strip())

    @property
    def of_sample(self) -> bool:
        """Whether it looks at the design of a sample."""
        return self.of in OF_SAMPLE

    @property
    def of_answers(self) -> str:
        """Which units it is a measure of, CITATIONS, NUGGETS, ANSWERS, or two of these, REPORTS; "" for documents."""
        return next((kind for kind in (CITATIONS, NUGGETS, ANSWERS, REPORTS) if self.of.endswith(kind)), "")

    def fits(self, about: str, *, sampled: bool = False, asked: bool = False) -> bool:
        """Whether one grade for each unit of this kind is enough, or of documents one for each question where that is
        QUESTIONS; `sampled` is whether a sample of them was drawn, `asked` whether another question is beside.
        """
        is_beside = self.of == REPORTS and asked and about in (CITATIONS, NUGGETS)
        of_units = is_beside or (self.of_answers in ("", about) and self.of != "subtopics")
        return of_units and (sampled or not self.of_sample) and (self.of != QUESTIONS or about == QUESTIONS)

    @property
    def has_bounds(self) -> bool:
        """Whether it has a lower and an upper value under unjudged documents."""
        return self.name in BOUNDS

    @cached_property
    def after_at(self) -> str | None:
        """The parameter that is written after `@`."""
        return next((parameter.name for parameter in self.parameters if parameter.limits.after_at), None)

    def parameter(self, name: str) -> Parameter | None:
        """The parameter or modifier of that name, or None."""
        return super().parameter(name) or (MODIFIERS.get(name) if self._allows(name) else None)

    def _allows(self, modifier: str) -> bool:
        if modifier == "judged_only":
            return not self.of_sample and not self.of_answers
        if modifier == "bound":
            return self.has_bounds
        if modifier in POSSIBLE_GRADES:
            return self.has_bounds and modifier in inspect.signature(BOUNDS[self.name]).parameters
        return not self.is_count


@dataclass(frozen=True)
class BoundMeasure:
    """A measure with all its parameters set: `nDCG@10`. Equal when name and values are; hashable.

    `values` are all parameters of the function in their order, then the modifiers that differ from their default.
    """

    name: str
    values: tuple[tuple[str, Value], ...]

    @property
    def measure(self) -> Measure:
        """The registry's entry."""
        return MEASURES[self.name]

    @property
    def parameters(self) -> dict[str, Any]:
        """The parameters of the measure's function, without modifiers."""
        return {name: value for name, value in self.values if name not in MODIFIERS}

    @property
    def is_count(self) -> bool:
        """Whether topics are added up instead of averaged."""
        return self.measure.is_count

    @property
    def best(self) -> str:
        """Which value of several runs is the best: "highest", "lowest" or "none"."""
        return self.measure.best

    @property
    def sign(self) -> int:
        """-1 where the lowest value is the best, else 1: times this, larger is better."""
        return -1 if self.best == "lowest" else 1

    @property
    def rel(self) -> int:
        """The smallest relevant grade; 1 for a measure that does not ask."""
        value = self._given.get("rel", 1)
        return value if isinstance(value, int) else 1

    def modifier(self, name: str) -> Any:
        """The value of a modifier."""
        return self._given.get(name, MODIFIERS[name].default)

    @cached_property
    def _given(self) -> dict[str, Value]:
        return dict(self.values)

    def __call__(self, judged: AnyRankings) -> FloatArray:
        """One value per row, float64 (R); UnknownName where `why_not` has a reason, PluginFailed by a plugin's."""
        if reason := why_not(self.measure, judged):
            raise UnknownName(f"{self} {reason}")
        given = self.parameters
        if self.modifier("judged_only") and not isinstance(judged, AnyAnswers | SampledRankings):
            judged = judged.condensed
        side = None if isinstance(judged, SampledRankings) else self.modifier("bound")
        if side is None:
            values = self.measure.function(judged, **given)
            plugin, rows = MEASURES.plugin_of(self.name), getattr(judged, "topic", values).shape
            if plugin is not None and (values.shape != rows or values.dtype.kind not in "fiub"):
                got = f"it gave {values.dtype} of shape {values.shape}"
                raise plugin.failed(f"measure {self.name}", f"{got}, not a number for each of {rows[0]} rows")
            return values if plugin is None else values.astype(np.float64)
        for name in POSSIBLE_GRADES:
            if self.modifier(name) is not None:
                given[name] = self.modifier(name)
        found = BOUNDS[self.name](judged, **given)[("lower", "upper").index(side)]
        # The sums of a bound run in another order than those of the value, so it may be 1.0000000000000002.
        highest = self.measure.highest
        return found if highest is None else np.minimum(found, highest)

    def or_nan(self, judged: AnyRankings, rows: int) -> FloatArray:
        """The same, nan in all rows where a plugin's measure fails, as one of several that are shown together."""
        try:
            return self(judged)
        except PluginFailed:
            return np.full(rows, np.nan)

    def __str__(self) -> str:
        """The canonical name: defaults left out (but for those always shown), the cutoff after `@`."""
        return _canonical_name(self)

    def _written(self) -> str:
        given = dict(self.values)
        after = given.pop(self.measure.after_at or "", None)
        assignments = []
        for name, value in given.items():
            parameter = self.measure.parameter(name)
            if self._is_changed(name, value) or (parameter is not None and parameter.limits.shown):
                assignments.append(f"{name}={written(value)}")
        inside = f"({','.join(assignments)})" if assignments else ""
        return f"{self.name}{inside}{'' if after is None else f'@{written(after)}'}"

    @property
    def trec_eval(self) -> str | None:
        """The name under which the reference program prints this, whatever `rel` is; None if it has none."""
        given = {name: value for name, value in self.values if value is not None}
        free = {name for name, value in given.items() if name != "rel" and self._is_changed(name, value)}
        for name in self.measure.trec_eval:
            wanted = set(name.fixed) | ({name.parameter} if name.parameter else set())
            fits = all(given.get(fixed) == value for fixed, value in name.fixed.items())
            if free <= wanted <= given.keys() and fits:
                return name.printed(given)
        return None

    def _is_changed(self, name: str, value: Value) -> bool:
        parameter = self.measure.parameter(name)
        return parameter is None or parameter.required or value != parameter.default


@lru_cache(maxsize=1024)
def _canonical_name(measure: BoundMeasure) -> str:
    """A page asks for the names of its measures hundreds of times."""
    return measure._written()


def why_not(measure: Measure, judged: AnyRankings) -> str | None:
    """Why the measure cannot be computed of these judgments, as what follows its name; None if it can."""
    needed, units = measure.of, measure.of_answers
    if needed == REPORTS:
        return None if isinstance(judged, ReportRankings) else NO_REPORTS
    if isinstance(judged, AnswerRankings):
        if units != judged.answers.kind:
            return f"is no measure of {judged.answers.kind}"
        return NO_SAMPLE if measure.of_sample and judged.sampled is None else None
    if needed == QUESTIONS:
        return None if isinstance(judged, QuestionRankings) else NO_QUESTIONS
    if units:
        return f"is of whole answers, of which the {units} are judged: score a question about {units}"
    if isinstance(judged, SubtopicRankings):
        if needed == "subtopics":
            return None
        if needed == "judgments":
            return "needs one grade for each document, and these judgments have one for each subtopic"
    if needed == "subtopics":
        return "needs qrels with subtopics (topic subtopic document grade), and these have none"
    if not isinstance(judged, SampledRankings):
        return None if needed == "judgments" else NO_SAMPLE
    if needed == "judgments":
        return "needs one grade for each document, and these judgments are a sample"
    if needed == "strata" and not judged.labels.has_strata:
        return (
            "needs strata in which all documents had the same chance, and here each document had a chance of its own; "
            "statAP and the measures of its family estimate from such a sample"
        )
    return None


NO_SAMPLE = (
    "estimates from a sample with known probabilities, and these judgments are none; pool by strata, pps or uniform, "
    "or give qrels of five columns (topic 0 document stratum grade) or prels (topic document grade method probability)"
)


MEASURES = Registry("measure", "measures", Measure, np.ndarray)
BOUNDS: dict[str, BoundsFunction] = {}
"""Lower and upper values of some measures: `function(judged, **parameters)` -> two float64 (R).

The parameters are the measure's own; where grades count, also `top_grade`, and with gains `least_grade`
(int or None).
"""
WHY_NO_BOUNDS: dict[str, Callable[[Mapping[str, Value]], str | None]] = {}
"""For some of these: the reason why there are none with these parameters, or None if there are."""


def measure(
    name: str,
    *,
    trec_eval: str | TrecEvalName | tuple[str | TrecEvalName, ...] = (),
    count: bool = False,
    **attributes: Any,
) -> Callable[[MeasureFunction], MeasureFunction]:
    """Put a function into the registry as the measure `name`, with attributes of `Measure`.

    `trec_eval` is a template (`"map"`, `"P_{cutoff}"`), a `TrecEvalName`, or several of these.
    """
    templates = trec_eval if isinstance(trec_eval, tuple) else (trec_eval,)
    names = tuple(TrecEvalName(each) if isinstance(each, str) else each for each in templates)
    of_count = {"is_count": True, "highest": None, "best": "none"} if count else {}
    return MEASURES.register(name, trec_eval=names, **attributes, **of_count)


def bounds_of(
    name: str, *, unless: Callable[[Mapping[str, Value]], str | None] | None = None
) -> Callable[[BoundsFunction], BoundsFunction]:
    """Put a function into the registry that gives the lower and the upper value of the measure `name`.

    `unless` gives the reason why there are none for some values of the measure's parameters, else None.
    """

    def register(function: BoundsFunction) -> BoundsFunction:
        BOUNDS[name] = function
        if unless is not None:
            WHY_NO_BOUNDS[name] = unless
        return function

    return register


NO_EXACT_WAY: dict[str, str] = {}
"""Measures for which the least and the greatest value are not found but by trying all ways to judge, and why."""


def bind(found: Measure, given: Mapping[str, Value]) -> BoundMeasure:
    """`found` with these values, and defaults for the others; ValueError with a reason if that cannot be."""
    for name in given:
        if found.parameter(name) is None:
            known = ", ".join(parameter.name for parameter in found.parameters) or "none"
            message = f"{found.name} has no parameter {name!r} (it has: {known})"
            if name == "bound":
                why = NO_EXACT_WAY.get(found.name)
                because = f"{why}, and no exact way is known but to try all ways to judge; " if why else ""
                bounded = ", ".join(each for each in BOUNDS if MEASURES[each].of_answers == found.of_answers)
                message = f"{found.name} has no bounds: {because}bounds are known for {bounded}"
            raise ValueError(message)
    values = []
    for parameter in found.parameters:
        if parameter.required and parameter.name not in given:
            example = f"{parameter.name}={parameter.limits.example}"
            written_so = f"@{parameter.limits.example}" if parameter.limits.after_at else f"({example})"
            raise ValueError(f"{found.name} needs a {parameter.name}, as in {found.name}{written_so}")
        value = given.get(parameter.name, parameter.default)
        parameter.check(value)
        values.append((parameter.name, value))
    check_alternatives(found.parameters, dict(values))
    for modifier in MODIFIERS.values():
        value = given.get(modifier.name, modifier.default)
        if value != modifier.default and found.parameter(modifier.name) is modifier:
            modifier.check(value)
            values.append((modifier.name, value))
    check_together(dict(values))
    why_not = WHY_NO_BOUNDS.get(found.name)
    if given.get("bound") is not None and why_not and (reason := why_not(dict(values))):
        raise ValueError(reason)
    if found.of_sample and given.get("mean") == "micro":
        message = f"{found.name} has no micro mean: how many documents are relevant is estimated as well"
        raise ValueError(message)
    if found.of_answers and given.get("mean") == "micro":
        raise ValueError(f"{found.name} has no micro mean: topics have no documents that are relevant")
    if found.of == "subtopics" and given.get("mean") == "micro":
        raise ValueError(f"{found.name} has no micro mean: a document may be relevant to several subtopics")
    return BoundMeasure(found.name, tuple(values))
