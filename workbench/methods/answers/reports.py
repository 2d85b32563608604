"""Measures of reports whose sentences, citations and answers to questions were judged, as ARGUE has them.

Each is a function of `ReportCounts`, of one report or of many, and one decorator line.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from workbench.core.registry import Entry, Registry

REPORT_MEASURES: Registry[Entry] = Registry("measure of reports", "measures of reports", Entry)
measure = REPORT_MEASURES.register


class ReportCounts(NamedTuple):
    """What is counted in a report, or in several together.

    Of sentences those that cite, and of them those that each of their citations supports; of citations those of
    relevant documents and those that support their sentence; of the topic's nuggets those that are answered, and the
    weights of both; characters of the sentences, without what is between them. Each is a number, or an array of one for
    each report.
    """

    sentences: Any = 0
    supported: Any = 0
    citations: Any = 0
    relevant: Any = 0
    supporting: Any = 0
    nuggets: Any = 0
    answered: Any = 0
    weights: Any = 0
    answered_weights: Any = 0
    characters: Any = 0


def of_all_reports(name: str, counts: Sequence[ReportCounts]) -> dict[str, float]:
    """A measure's value of all reports: of their sums (micro) and the mean (macro); of lengths the median and the most.

    Of the ways to a mean, which differ in the last digit, the published scores have numpy's.
    """
    function = REPORT_MEASURES[name].function
    each = [function(report) for report in counts]
    if name == "character_count":
        return {"median": float(np.median(each)), "max": max(each)}
    micro: float = function(ReportCounts(*map(sum, zip(*counts, strict=True))))
    return {"micro": micro, "macro": float(np.mean(each))}


def _share(part: Any, whole: Any) -> Any:
    return part / np.where(whole == 0, 1, whole)  # nothing has no part


@measure("sentence_support")
def sentence_support(counts: ReportCounts) -> Any:
    """Share of the sentences with citations that every one of their citations supports; 0 without such a sentence.

    Formula: supported sentences / sentences with citations

    Sentences without citations do not count: which judgments say that they need one is not published. All citations
    count, also of documents that are cited as contradicting.

    Source: hltcoe/argue-viz, README.md and assets/example-report.scores.tsv.
    """
    return _share(counts.supported, counts.sentences)


@measure("nugget_coverage")
def nugget_coverage(counts: ReportCounts) -> Any:
    """Share of the topic's nuggets that the report answers: with any answer for OR, with every one for AND.

    Formula: answered nuggets / nuggets

    Answers without a document, and questions without an answer that has one, are left out. In a campaign whose bank has
    no other nuggets all count, and a question whose answers are judged each by itself is answered by any of them.

    Source: hltcoe/argue-viz, src/streamlit_app.py; auto-judge-base, nugget_data.py, filter_empty_citations.
    """
    return _share(counts.answered, counts.nuggets)


@measure("nugget_coverage_weighted")
def nugget_coverage_weighted(counts: ReportCounts) -> Any:
    """The same where a vital nugget counts 2 and any other 1.

    Formula: weights of the answered nuggets / weights of all nuggets

    In a campaign they weigh what they do in supportive_score.

    Source: as nugget_coverage; the weights as users of hltcoe/auto-argue, score.py, describe them.
    """
    return _share(counts.answered_weights, counts.weights)


@measure("f1")
def f1(counts: ReportCounts) -> Any:
    """Harmonic mean of sentence support and nugget coverage; 0 where both are 0.

    Formula: 2 · sentence_support · nugget_coverage / (sentence_support + nugget_coverage)

    Source: as sentence_support.
    """
    support, coverage = sentence_support(counts), nugget_coverage(counts)
    return _share(2 * support * coverage, support + coverage)


@measure("f1_weighted")
def f1_weighted(counts: ReportCounts) -> Any:
    """Harmonic mean of sentence support and weighted nugget coverage.

    Formula: as f1, with nugget_coverage_weighted

    Source: as sentence_support.
    """
    return f1(counts._replace(answered=counts.answered_weights, nuggets=counts.weights))


@measure("citation_relevance")
def citation_relevance(counts: ReportCounts) -> Any:
    """Share of the citations whose document is relevant to the topic.

    Formula: citations of relevant documents / citations

    Source: as sentence_support.
    """
    return _share(counts.relevant, counts.citations)


@measure("citation_support")
def citation_support(counts: ReportCounts) -> Any:
    """Share of the citations whose document supports the sentence.

    Formula: supporting citations / citations

    Source: as sentence_support.
    """
    return _share(counts.supporting, counts.citations)


@measure("character_count")
def character_count(counts: ReportCounts) -> Any:
    """Characters of the report's sentences.

    Formula: the sum over the sentences, without blanks between them

    Source: as sentence_support.
    """
    return 1.0 * counts.characters
