"""Measures of relevance and of answers to further questions about the same documents, such as readability or trust.

A campaign asks them. Without `question` all questions about documents count. A document without an answer to a question
is worth nothing there. Means are over the topics that have a judgment of relevance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray
from workbench.methods.measures.gains import Gains
from workbench.methods.measures.judged import JudgedRankings, power, ratio
from workbench.methods.measures.parameters import Cutoff, Persistence, Rel
from workbench.methods.measures.question_rankings import Answered, QuestionRankings
from workbench.methods.measures.registry import MEASURES, measure

INNER = ("nDCG", "AP", "RBP")

QuestionNamed = Annotated[str, Limits("the only question that counts; without it all about documents do")]
Inner = Annotated[str, Limits("the measure of relevance, and of each question", choices=INNER)]
InnerPersistence = Annotated[float, Limits("the p of of=RBP; the others have none", above=0, below=1)]
Weight = Annotated[float, Limits("the weight of relevance; without it all weigh the same", least=0, most=1)]
Worth = Annotated[
    Gains, Limits("what an answer's grade is worth, as a table such as {1:0.5,2:1}", least=0, most=1)
]

OF_FOUR_GRADES = Gains("table", ((1, 0.4), (2, 0.8), (3, 1.0)))
"""How probable it is that a user understands a document with such a grade, on a scale from 0 to 3."""


@measure("uRBP", of="questions")
def understandability_biased_precision(
    judged: QuestionRankings,
    *,
    question: QuestionNamed | None = None,
    p: Persistence = 0.8,
    rel: Rel = 1,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """RBP of the documents that are relevant and have a good answer to the question, such as "easy to read".

    Formula: (1 - p) * Σ_{i ≤ k} p^(i-1) * h_i * u_i, where u_i is 1 for a good answer, else 0

    Good is an answer from the question's own smallest good grade on; on CLEF eHealth's scale of readability from 0 to
    3 that was 2. With several questions all answers must be good: u_i is then a product, as of independent dimensions.
    Without an answer u_i is 0.

    Source: Zuccon, ECIR 2016; Zuccon and Koopman, MedIR 2014 (user model 1); rbpDocCharacteristics of ubire 0.1.
    """
    good = [each.judged.label >= each.relevant_from for each in judged.of(question)]
    return _biased(judged.relevance, good, p, rel, cutoff)


@measure("uRBPgr", of="questions")
def graded_understandability_biased_precision(
    judged: QuestionRankings,
    *,
    question: QuestionNamed | None = None,
    p: Persistence = 0.8,
    rel: Rel = 1,
    gains: Worth | None = None,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """RBP of the relevant documents, each worth what its answer to the question is worth.

    Formula: (1 - p) * Σ_{i ≤ k} p^(i-1) * h_i * u_i, where u_i is from 0 to 1 by the grade of the answer

    On a scale whose highest grade is 3, the grades 1, 2 and 3 are worth 0.4, 0.8 and 1; on another one, their share of
    the highest grade. A table of gains says it otherwise; a positive grade that it lacks is worth 1. With several
    questions u_i is a product, as in uRBP. Without an answer, and for a grade below 0, it is 0.

    Source: as uRBP; the worth of four grades is that of ubire 0.1 for CLEF eHealth 2015, the share of the highest one
    that of trectools, getURBP, for the scale from 0 to 100 of later years.
    """
    worth = [_worth(each, gains) for each in judged.of(question)]
    return _biased(judged.relevance, worth, p, rel, cutoff)


@measure("CAM", of="questions")
def convex_aggregate(
    judged: QuestionRankings,
    *,
    of: Inner = "nDCG",
    question: QuestionNamed | None = None,
    weight: Weight | None = None,
    p: InnerPersistence = 0.8,
    rel: Rel = 1,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """Weighted mean of one measure of relevance and of the same measure of each question.

    Formula: weight * M_relevance + (1 - weight) * (the mean of M_question over the questions), with M = nDCG@k, AP@k
    or RBP(p)@k

    M of a question takes its answers as grades, and its own good ones as relevant. The best ranking of nDCG, and the
    number that AP divides by, are each question's own. Several questions share 1 - weight evenly. Without a weight it
    is 1 / (1 + the number of questions); the trec_eval of TREC's health misinformation track has 0.3333 for 1/3.

    Source: Lioma, Simonsen and Larsen, ICTIR 2017; for three aspects lcschv/Trec_eval_extension, m_cam_three.c (nDCG)
    and m_cam_map_three.c (AP).
    """
    values, weights = _each(judged, of, question, weight, p=p, rel=rel, cutoff=cutoff)
    return np.asarray((weights * values).sum(axis=0))


@measure("WHAM", of="questions")
def harmonic_aggregate(
    judged: QuestionRankings,
    *,
    of: Inner = "nDCG",
    question: QuestionNamed | None = None,
    weight: Weight | None = None,
    p: InnerPersistence = 0.8,
    rel: Rel = 1,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """Weighted harmonic mean of one measure of relevance and of the same measure of each question.

    Formula: 1 / (weight / M_relevance + (1 - weight) * (the mean of 1 / M_question over the questions))

    M and the weight are those of CAM. 0 where any M is 0, whatever it weighs: what lacks one dimension is worth
    nothing. WHAM(of=RBP) is the harmonic mean of rank-biased precision in each dimension.

    Source: Lioma, Simonsen and Larsen, ICTIR 2017, for relevance and one question; for more of them, our own.
    """
    values, weights = _each(judged, of, question, weight, p=p, rel=rel, cutoff=cutoff)
    least = values.min(axis=0)  # by which all are divided, so that no quotient is too large
    return ratio(least, (weights * ratio(np.broadcast_to(least, values.shape), values)).sum(axis=0))


def _worth(answered: Answered, gains: Gains | None) -> FloatArray:
    table = gains or (OF_FOUR_GRADES if answered.top == len(OF_FOUR_GRADES.table) else None)
    label = answered.judged.label
    return np.clip(label / answered.top if table is None else table.of(label), 0.0, 1.0)


def _biased(
    judged: JudgedRankings, worth: Sequence[NDArray[Any]], p: float, rel: int, cutoff: int | None
) -> FloatArray:
    """RBP of the relevant documents, each worth the product of what the questions say of its entry."""
    hits = judged.hits(rel).within(cutoff)
    gain = np.prod(worth, axis=0)[judged.row_start[hits.row] + hits.rank - 1]
    return (1.0 - p) * judged.add_up(hits, gain * power(p, hits.rank - 1))


def _each(
    judged: QuestionRankings, of: str, question: str | None, weight: float | None, **given: Any
) -> tuple[FloatArray, FloatArray]:
    """The measure `of` relevance and those of Q questions, float64 (1 + Q, R), and their weights, (1 + Q, 1)."""
    inner, asked = MEASURES[of], judged.of(question)

    def value(one: JudgedRankings, **own: int) -> FloatArray:
        known = {name: each for name, each in (given | own).items() if inner.parameter(name)}
        return inner.function(one, **known)

    values = [value(judged.relevance), *(value(each.judged, rel=each.relevant_from) for each in asked)]
    share = 1.0 / len(values) if weight is None else weight
    return np.array(values), np.array([[share], *[[(1.0 - share) / len(asked)]] * len(asked)])
