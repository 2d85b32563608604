"""Measures over subtopics: a document is worth what it adds to those above it.

What holds for all of them, and is so in ndeval.c 4.5 of the TREC Web tracks too: a document covers a subtopic or
it does not (grades count no further than that); a topic's subtopics are those that some judged document covers,
retrieved or not, and all weigh the same; where there is none the value is 0. What one ranking is normalised by
is either the same for all topics with as many subtopics, or the best ranking of the judged documents.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Annotated

import numpy as np

from workbench.core.parameters import Limits
from workbench.core.ranking import IntArray
from workbench.methods.measures.gained import Gained
from workbench.methods.measures.judged import FloatArray, ratio, repeated_product, table_size
from workbench.methods.measures.parameters import Cutoff, Rel
from workbench.methods.measures.registry import measure
from workbench.methods.measures.subtopics import SubtopicRankings

MOST_OVER_GREEDY = math.e / (math.e - 1)
"""No ranking is worth more than this, divided by the greedy one (Nemhauser, Wolsey and Fisher, 1978)."""

Redundancy = Annotated[
    float, Limits("how much of a subtopic's worth is lost with each document that covers it", least=0, most=1)
]
Patience = Annotated[float, Limits("the chance that the user goes on to the next rank", least=0, below=1)]
LimitedCutoff = Annotated[
    int, Limits("how many ranks are looked at", least=1, most=100_000, after_at=True, example="10")
]


@measure("alpha_DCG", aliases=("α_DCG",), of="subtopics")
def alpha_discounted_gain(
    judged: SubtopicRankings, *, alpha: Redundancy = 0.5, rel: Rel = 1, cutoff: LimitedCutoff
) -> FloatArray:
    """Discounted gain of what is new: each document above that covers a subtopic lowers its worth by alpha.

    Formula: 1 / S * (Σ_{i ≤ k} a_i / log2(i + 1)) / (Σ_{i ≤ k} (1 - alpha)^(i-1) / log2(i + 1))

    A document's gain a_i is the sum, over the subtopics it covers, of (1 - alpha)^(documents above it that cover
    them). The sum down to k is divided by that of a ranking in which every document covers all subtopics, which
    needs no judgments, so only a topic where there are such documents reaches 1.
    Difference to ndeval.c: there, what is printed at rank 1 is not divided.

    Source: computeDCG of ndeval.c (4.5); after Clarke et al., SIGIR 2008.
    """
    gained = _by_log2(judged.novelties(rel, alpha).within(cutoff))
    return _per_subtopic(judged, gained, rel, _all_at_once(alpha, cutoff, "log2"))


@measure("alpha_nDCG", aliases=("α_nDCG",), highest=MOST_OVER_GREEDY, of="subtopics")
def normalised_alpha_discounted_gain(
    judged: SubtopicRankings, *, alpha: Redundancy = 0.5, rel: Rel = 1, cutoff: Cutoff
) -> FloatArray:
    """Discounted gain of what is new, divided by that of the best ranking of the judged documents.

    Formula: (Σ_{i ≤ k} a_i / log2(i + 1)) / (the same of the best ranking)

    Gains and discounts are those of alpha_DCG. The best ranking takes at each rank the document that adds
    most to those above it, of equal ones the one with the last id, and is cut at k as well. Now and then
    another ranking is better than that one, so values a little above 1 do occur; e / (e - 1) is the limit.

    Source: computeDCG, idealResult and renormalize of ndeval.c (4.5); after Clarke et al., SIGIR 2008.
    """
    gained = _by_log2(judged.novelties(rel, alpha).within(cutoff))
    return ratio(gained, _by_log2(judged.labels.best(rel, alpha, cutoff).within(cutoff))[judged.topic])


@measure("ERR_IA", of="subtopics")
def intent_aware_err(
    judged: SubtopicRankings, *, alpha: Redundancy = 0.5, rel: Rel = 1, cutoff: LimitedCutoff
) -> FloatArray:
    """Expected reciprocal rank where a subtopic's user stops, averaged over subtopics, scaled to reach 1.

    Formula: 1 / S * (Σ_{i ≤ k} a_i / i) / (Σ_{i ≤ k} (1 - alpha)^(i-1) / i)

    A document's gain is that of alpha_DCG, divided by its rank: a user who wants one subtopic is satisfied by a
    document that covers it with probability alpha. The sum down to k is divided by that of a ranking in which
    every document covers all subtopics.
    Difference to ndeval.c: there, what is printed at rank 1 is not divided.

    Source: computeERR of ndeval.c (4.5); after Chapelle, Metzler, Zhang and Grinspan, CIKM 2009.
    """
    gained = _by_rank(judged.novelties(rel, alpha).within(cutoff))
    return _per_subtopic(judged, gained, rel, _all_at_once(alpha, cutoff, "reciprocal"))


@measure("nERR_IA", highest=MOST_OVER_GREEDY, of="subtopics")
def normalised_intent_aware_err(
    judged: SubtopicRankings, *, alpha: Redundancy = 0.5, rel: Rel = 1, cutoff: Cutoff
) -> FloatArray:
    """Expected reciprocal rank over subtopics, divided by that of the best ranking of the judged documents.

    Formula: (Σ_{i ≤ k} a_i / i) / (the same of the best ranking)

    The gains are those of ERR_IA; the best ranking, and how it can be surpassed, is that of alpha_nDCG.

    Source: computeERR, idealResult and renormalize of ndeval.c (4.5); after Chapelle et al., CIKM 2009.
    """
    gained = _by_rank(judged.novelties(rel, alpha).within(cutoff))
    return ratio(gained, _by_rank(judged.labels.best(rel, alpha, cutoff).within(cutoff))[judged.topic])


@measure("NRBP", of="subtopics")
def novelty_and_rank_biased_precision(
    judged: SubtopicRankings, *, alpha: Redundancy = 0.5, beta: Patience = 0.5, rel: Rel = 1
) -> FloatArray:
    """Rank-biased precision of what is new, where the user goes on to the next rank with probability beta.

    Formula: (1 - (1 - alpha) * beta) / S * Σ_{i ≤ n} beta^(i-1) * a_i

    The gains are those of alpha_DCG. An endless ranking of documents that all cover every subtopic has 1. With
    alpha 0 it is RBP, averaged over subtopics.

    Source: computeNRBP of ndeval.c (4.5); after Clarke, Kolla and Vechtomova, ICTIR 2009.
    """
    gained = _rank_biased(judged.novelties(rel, alpha), beta)
    return ratio(gained * (1.0 - (1.0 - alpha) * beta), judged.num_subtopics(rel))


@measure("nNRBP", highest=MOST_OVER_GREEDY, of="subtopics")
def normalised_novelty_and_rank_biased_precision(
    judged: SubtopicRankings, *, alpha: Redundancy = 0.5, beta: Patience = 0.5, rel: Rel = 1
) -> FloatArray:
    """Rank-biased precision of what is new, divided by that of the best ranking of the judged documents.

    Formula: (Σ_{i ≤ n} beta^(i-1) * a_i) / (the same of the best ranking)

    The gains are those of NRBP; the best ranking, and how it can be surpassed, is that of alpha_nDCG, with all
    judged documents in it.
    Difference to ndeval.c: there, a topic without any relevant document has nan.

    Source: computeNRBP, idealResult and renormalize of ndeval.c (4.5); after Clarke et al., ICTIR 2009.
    """
    best = judged.labels.best(rel, alpha, _telling_depth(beta, judged.num_subtopics(rel)))
    return ratio(_rank_biased(judged.novelties(rel, alpha), beta), _rank_biased(best, beta)[judged.topic])


@measure("P_IA", of="subtopics")
def intent_aware_precision(judged: SubtopicRankings, *, rel: Rel = 1, cutoff: Cutoff) -> FloatArray:
    """Share of the first k documents that cover a subtopic, averaged over the subtopics.

    Formula: 1 / S * Σ_s C_ks / k

    Always divided by k, as precision is. A document that covers two subtopics counts for both.

    Source: computePrecision of ndeval.c (4.5); after Agrawal et al., WSDM 2009.
    """
    covers = judged.covers(rel).within(cutoff)
    return _per_subtopic(judged, judged.add_up(covers.row), rel, float(cutoff))


@measure("AP_IA", aliases=("MAP_IA",), of="subtopics")
def intent_aware_average_precision(
    judged: SubtopicRankings, *, rel: Rel = 1, cutoff: Cutoff | None = None
) -> FloatArray:
    """Average precision of each subtopic, averaged over the subtopics.

    Formula: 1 / S * Σ_s 1 / R_s * Σ_{i ≤ k} c_is * C_is / i, where R_s is the number of documents that cover s

    A subtopic's average precision takes the documents that cover it as the relevant ones, and is divided by how
    many of those are judged, retrieved or not (also with a cutoff).

    Source: computeMAP of ndeval.c (4.5), there MAP-IA and without a cutoff; after Agrawal et al., WSDM 2009.
    """
    covers = judged.covers(rel).within(cutoff)
    num_rel = judged.labels.num_rel(rel)
    pairs, pair = np.unique(covers.row * len(num_rel) + covers.subtopic, return_inverse=True)
    row, subtopic = np.divmod(pairs, max(1, len(num_rel)))
    total = np.bincount(pair, covers.nth / covers.rank, minlength=len(pairs))
    summed = judged.add_up(row, total / num_rel[subtopic])
    return ratio(summed, judged.num_subtopics(rel))


@measure("StRecall", aliases=("strec",), of="subtopics")
def subtopic_recall(judged: SubtopicRankings, *, rel: Rel = 1, cutoff: Cutoff | None = None) -> FloatArray:
    """Share of the subtopics that are covered by the first k documents, or by all that were retrieved.

    Formula: (number of subtopics s with C_ks ≥ 1) / S

    Subtopics that no judged document covers are not counted.

    Source: computeSTRecall of ndeval.c (4.5); after Zhai, Cohen and Lafferty, SIGIR 2003.
    """
    covers = judged.covers(rel).within(cutoff)
    return ratio(judged.add_up(covers.row[covers.nth == 1]), judged.num_subtopics(rel))


def _by_log2(new: Gained) -> FloatArray:
    return new._replace(gain=new.gain * _weights("log2", table_size(new.rank))[new.rank]).total()


def _by_rank(new: Gained) -> FloatArray:
    return new._replace(gain=new.gain / new.rank).total()


def _rank_biased(new: Gained, beta: float) -> FloatArray:
    return new._replace(gain=new.gain * repeated_product(beta, new.rank - 1)).total()


def _per_subtopic(judged: SubtopicRankings, gained: FloatArray, rel: int, one: float) -> FloatArray:
    """What was gained, divided by `one` times the number of subtopics."""
    return ratio(gained, judged.num_subtopics(rel) * np.float64(one))


def _all_at_once(alpha: float, cutoff: int, discount: str) -> float:
    """The gain down to a rank, per subtopic, where every document covers all subtopics."""
    summed = np.cumsum(repeated_product(1.0 - alpha, np.arange(cutoff)) * _weights(discount, cutoff + 1)[1:])
    return float(summed[-1])


@lru_cache(maxsize=64)
def _weights(discount: str, size: int) -> FloatArray:
    """What a gain is multiplied by at each rank; element 0 is no rank.

    1 / log2(rank + 1) is computed as ndeval.c does, log(2) / log(rank + 1), by the C library.
    """
    if discount == "reciprocal":
        return np.array([0.0, *(1.0 / rank for rank in range(1, size))])
    return np.array([0.0, *(math.log(2.0) / math.log(rank + 1.0) for rank in range(1, size))])


def _telling_depth(beta: float, num_subtopics: IntArray) -> int:
    """From which rank on a document cannot change the sum any more, which is 1 or more, in double precision."""
    if beta == 0.0:
        return 1
    return 1 + math.ceil((54 + math.log2(num_subtopics.max(initial=1))) / -math.log2(beta))
