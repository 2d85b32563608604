"""Measures of a user who stops when satisfied: what is above a document makes it worth less."""

from __future__ import annotations

import numpy as np

from workbench.core.errors import GradesDoNotFit
from workbench.methods.measures.gained import Gained, best_of_topics, retrieved
from workbench.methods.measures.gains import EXPONENTIAL
from workbench.methods.measures.judged import FloatArray, JudgedRankings, log2_discount, power, ratio
from workbench.methods.measures.parameters import Cutoff, MaxGrade, StopPersistence, StopValue
from workbench.methods.measures.registry import measure
from workbench.methods.measures.running import running_products


@measure("ERR")
def expected_reciprocal_rank(
    judged: JudgedRankings, *, max_grade: MaxGrade = 4, cutoff: Cutoff | None = None
) -> FloatArray:
    """1 / r, as expected of a user who goes down to the first satisfying document and stops there, at rank r.

    Formula: Σ_{i ≤ k} 1 / i * q_i * (1 - q_1) * ... * (1 - q_(i-1)), where q_i = (2^grade - 1) / 2^max_grade

    A document satisfies with probability q, which depends on its grade. max_grade is the highest grade
    of the scale, not of the topic: the value depends on it, so it is part of the name. A higher grade is an
    error. Without a cutoff all ranks are looked at; who finds nothing has 0. Textbooks and tools differ:
    ntcir_eval takes gain / (highest gain + 1) for q, gdeval.pl 4 for max_grade without a choice.

    Source: Chapelle, Metzler, Zhang and Grinspan, CIKM 2009; gdeval.pl of the TREC Web Track.
    """
    satisfying = _satisfying(judged, max_grade).within(cutoff)
    return _stopped(satisfying, 1.0 / satisfying.rank)


@measure("nERR")
def normalised_expected_reciprocal_rank(
    judged: JudgedRankings, *, max_grade: MaxGrade = 4, cutoff: Cutoff | None = None
) -> FloatArray:
    """ERR divided by that of the best possible ranking of the topic.

    Formula: ERR@k / ERR@k of all judged documents, highest grade first

    The ideal ranking includes documents that were not retrieved, and is cut at k as the ranking is. 0 where no grade is
    positive.

    Source: the definition of nERR-IA by Clarke, Craswell, Soboroff and Ashkan, WSDM 2011, with one subtopic.
    """
    value = expected_reciprocal_rank(judged, max_grade=max_grade, cutoff=cutoff)
    best = best_of_topics(judged, EXPONENTIAL).within(cutoff)
    ideal = _stopped(best._replace(gain=best.gain / 2.0**max_grade), 1.0 / best.rank)
    return ratio(value, ideal[judged.topic])


@measure("Cascade")
def cascade(
    judged: JudgedRankings,
    *,
    discount: StopValue = "reciprocal",
    p: StopPersistence = 0.8,
    max_grade: MaxGrade = 4,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """What a user has, by a discount of your choice, who goes down to the first satisfying document: ERR at large.

    Formula: Σ_{i ≤ k} v_i * q_i * (1 - q_1) * ... * (1 - q_(i-1)), where q_i is that of ERR, and v_i is
    1 / i with discount=reciprocal, 1 / log2(i + 1) with discount=log2, p^(i-1) with discount=rbp

    With discount=reciprocal this is ERR. That of discount=rbp is a user who also gives up with probability 1 - p
    after each document.

    Source: Chapelle, Metzler, Zhang and Grinspan, CIKM 2009, who define it for any discount.
    """
    satisfying = _satisfying(judged, max_grade).within(cutoff)
    rank = satisfying.rank
    if discount == "rbp":
        return _stopped(satisfying, power(p, rank - 1))
    return _stopped(satisfying, 1.0 / (log2_discount(rank) if discount == "log2" else rank))


def _satisfying(judged: JudgedRankings, max_grade: int) -> Gained:
    """The retrieved documents with the probability that they satisfy as their gain."""
    highest = int(judged.labels.label.max(initial=0))
    if highest > max_grade:
        message = f"a document has grade {highest}, above max_grade={max_grade}; write max_grade={highest}"
        raise GradesDoNotFit(message)
    found = retrieved(judged, EXPONENTIAL)
    return found._replace(gain=found.gain / 2.0**max_grade)


def _stopped(satisfying: Gained, value: FloatArray) -> FloatArray:
    """What each user has: the value at the rank where the user stops, times the chance of that, float64 (R)."""
    still_going = np.roll(running_products(1.0 - satisfying.gain, satisfying.start), 1)
    still_going[satisfying.nth == 1] = 1.0
    return satisfying._replace(gain=satisfying.gain * still_going * value).total()
