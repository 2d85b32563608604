"""Measures of answers by what was judged of their units: those of methods/answers/ over the labels of a campaign.

A grade is worth its share of the highest grade of the question's scale, one below 0 nothing: it contradicts. What is
not judged is worth nothing. Bounds are under the units that are pooled and not judged: none of them has the best grade,
or all; a unit that was never pooled stays worth nothing. A run without an answer to a topic has 0 there, as one without
a ranking has. Of contradicted_share that is the best value: see cited_share beside it.

Those that are sums over units are estimated from samples too, with a variance: each judged unit counts for 1 / π.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import numpy as np

from workbench.core.about import ANSWERS, CITATIONS, NUGGETS
from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray
from workbench.core.registry import Entry
from workbench.methods.answers.nuggets import NUGGET_MEASURES
from workbench.methods.answers.reports import REPORT_MEASURES
from workbench.methods.answers.rubrics import CONTRADICTORY, RUBRIC_MEASURES, SUPPORTIVE
from workbench.methods.answers.support import (
    CONTRADICTING,
    FIRST,
    MAXIMUM,
    MOST_CITATIONS,
    OF_CONTRADICTING,
    SUPPORT_MEASURES,
    SupportMeasure,
)
from workbench.methods.answers.whole import ANSWER_MEASURES
from workbench.methods.measures.answer_rankings import REPORTS, AnswerRankings, ReportRankings
from workbench.methods.measures.registry import SAMPLED, MeasureFunction, bounds_of, measure
from workbench.methods.measures.weighted import expanded_total, sampling_variance

QuestionBeside = Annotated[str, Limits("the question about the other units, nuggets or citations")]
MostCitations = Annotated[
    int, Limits("how many citations of a sentence count, the first ones; 0: all", least=0)
]

Find = Callable[[Any, Any], FloatArray]
"""A value of each row of answers, float64 (R), or what each candidate of a sample adds to it, float64 (M); beside them
how many citations of a sentence count, or which other question.
"""

ESTIMATED = """{name} as estimated from a sample of units, each with a known chance.

Formula: the sum of {name}, where what each judged unit adds to it is divided by π, its chance of being judged

Right on average over the samples that could have been drawn, whichever runs share units, where something of each
stratum is judged: a stratum of which nothing is judged adds nothing. A single value may be above 1.

Source: Horvitz and Thompson, Journal of the American Statistical Association 47 (1952).
"""
VARIANCE = """Estimated variance of stat_{name} over the samples that could have been drawn.

Formula: that of statPVariance, for the sum of stat_{name}

Right on average for simple random samples of strata with two judged units or more. Over T topics the mean of
stat_{name} has the standard error sqrt(v / T), where v is the mean of this. No interval is made of it: 1.96 standard
errors held 95 of 100 values with 20 judged units that count in each of 50 topics, and half of them with a few.

Source: Hájek, The Annals of Mathematical Statistics 35 (1964).
"""


def _of_citations(find: Find) -> MeasureFunction:
    def value(answers: AnswerRankings, *, most_citations: MostCitations = MOST_CITATIONS) -> FloatArray:
        return find(answers, most_citations)

    return value


def _plain(find: Find) -> MeasureFunction:
    def value(answers: AnswerRankings) -> FloatArray:
        return find(answers, 0)

    return value


def _of_reports(find: Find) -> MeasureFunction:
    def value(answers: ReportRankings, *, question: QuestionBeside | None = None) -> FloatArray:
        return find(answers, question)

    return value


WRITTEN = {CITATIONS: _of_citations, NUGGETS: _plain, ANSWERS: _plain, REPORTS: _of_reports}
"""Functions of the registry of measures, with the parameters that measures of a kind have."""


def _put(
    kind: str, name: str, prose: str, find: Find, *, written: Any = None, **attributes: Any
) -> MeasureFunction:
    value: MeasureFunction = (written or WRITTEN[kind.removeprefix(SAMPLED)])(find)
    value.__doc__ = prose
    return measure(name, of=kind, **attributes)(value)


def _put_bounds(name: str, value: MeasureFunction, *, of_contradictions: bool) -> None:
    def bounds(
        answers: Any, *, top_grade: int | None = None, least_grade: int | None = None, **given: Any
    ) -> tuple[FloatArray, FloatArray]:
        """With nothing of the undecided units, and with the grade that does most for all of them: two float64 (R)."""
        least, top = answers.labels.range_of_grades()
        grades = (least_grade, least) if of_contradictions else (top_grade, top)
        best = answers.completed(next(grade for grade in grades if grade is not None))
        return value(answers, **given), value(best, **given)

    bounds_of(name)(bounds)


def _put_estimates(kind: str, name: str, parts: Find) -> None:
    """The measures that estimate another from what each candidate adds to it."""

    def total(answers: AnswerRankings, most: int) -> FloatArray:
        return expanded_total(answers.sample, parts(answers, most))

    def variance(answers: AnswerRankings, most: int) -> FloatArray:
        return sampling_variance(answers.sample, parts(answers, most))

    said = {"highest": None, "rises": False}
    _put(SAMPLED + kind, f"stat_{name}", ESTIMATED.format(name=name), total, **said)
    _put(SAMPLED + kind, f"stat_{name}_variance", VARIANCE.format(name=name), variance, best="none", **said)


def _share_of_nuggets(entry: Entry, answers: AnswerRankings, most: int) -> FloatArray:
    found: FloatArray = entry.function(answers.assigned)
    return found


def _parts_of_nuggets(entry: Entry, answers: AnswerRankings, most: int) -> FloatArray:
    each: FloatArray = entry.function(answers.assigned._replace(by_nugget=True))
    return answers.by_candidate(np.arange(len(each)), each)


def _reported(entry: Entry, answers: AnswerRankings | ReportRankings, question: Any) -> FloatArray:
    return np.asarray(entry.function(answers.reported(question)), np.float64)


def _support(entry: SupportMeasure, contradicting: bool, answers: AnswerRankings, most: int) -> FloatArray:
    return entry.of(answers.cited(most, contradicting)[0])


def _parts_of_support(entry: SupportMeasure, answers: AnswerRankings, most: int) -> FloatArray:
    (cited, units), rule = answers.cited(most, False), entry.given.get("rule")
    each = np.arange(len(cited.sentence))
    value = entry.of(cited._replace(words=each, answer=each, sentence=each))  # each by itself
    answer = cited.answer[cited.sentence]
    whole = np.bincount(answer)[answer] if rule is None else answers.answers.sentences[answer]
    if rule is FIRST["rule"]:
        value = np.where(np.diff(cited.sentence, prepend=-1) > 0, value, 0.0)
    elif rule is not None:
        value = value / np.bincount(cited.sentence)[cited.sentence]
    return answers.by_candidate(units, value / whole)


for kind, name, entry in (
    *((NUGGETS, *each) for each in NUGGET_MEASURES.items()),
    *((NUGGETS, name, RUBRIC_MEASURES[name]) for name in (SUPPORTIVE, CONTRADICTORY)),
    *((ANSWERS, *each) for each in ANSWER_MEASURES.items()),
):
    best = "lowest" if name == CONTRADICTORY else "highest"
    put = _put(kind, name, entry.prose, partial(_share_of_nuggets, entry), best=best)
    _put_bounds(name, put, of_contradictions=name == CONTRADICTORY)
    _put_estimates(kind, name, partial(_parts_of_nuggets, entry))

for name, one in SUPPORT_MEASURES.items():
    best = "lowest" if name == "contradicted_share" else "highest" if one.judged else "none"
    highest = None if name == "words" else 1.0
    put = _put(CITATIONS, name, one.prose, partial(_support, one, False), best=best, highest=highest)
    if one.judged:
        _put_bounds(name, put, of_contradictions=name == "contradicted_share")
    if one.judged and one.given.get("rule") is not MAXIMUM["rule"]:
        _put_estimates(CITATIONS, name, partial(_parts_of_support, one))

for name in OF_CONTRADICTING:
    one = SUPPORT_MEASURES[name]
    put = _put(CITATIONS, CONTRADICTING + name, one.prose, partial(_support, one, True))
    _put_bounds(CONTRADICTING + name, put, of_contradictions=True)

for kind, name in (
    *((CITATIONS, name) for name in ("sentence_support", "citation_support")),
    *((NUGGETS, name) for name in ("nugget_coverage", "nugget_coverage_weighted")),
    *((REPORTS, name) for name in ("f1", "f1_weighted")),
):
    entry = REPORT_MEASURES[name]
    written = _plain if kind == CITATIONS else None  # all citations count
    put = _put(kind, name, entry.prose, partial(_reported, entry), written=written)
    _put_bounds(name, put, of_contradictions=False)
