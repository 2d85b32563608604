"""Measures that use the grades themselves."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from workbench.core.ranking import IntArray
from workbench.methods.measures.gained import (
    Gained,
    Running,
    best_discounted,
    best_of_topics,
    discounted,
    log2_of,
    retrieved,
)
from workbench.methods.measures.gains import LINEAR, Gains, read_gains
from workbench.methods.measures.judged import FloatArray, JudgedRankings, ratio
from workbench.methods.measures.parameters import (
    Base,
    Blend,
    Cutoff,
    Discount,
    GainsOf,
    Rel,
    Thresholds,
    Value,
)
from workbench.methods.measures.reference_names import TrecEvalName
from workbench.methods.measures.registry import measure
from workbench.methods.measures.running import distinct


def reads_gains(text: str) -> Mapping[str, Value]:
    """What the reference program means by the text after the dot in `ndcg.1=3,2=9`."""
    return {"gains": read_gains(text)}


@measure("CG", highest=None)
def cumulated_gain(
    judged: JudgedRankings, *, gains: GainsOf = LINEAR, cutoff: Cutoff | None = None
) -> FloatArray:
    """Sum of the gains of the first k documents, or of all that were retrieved.

    Formula: Σ_{i ≤ k} g_i

    An unjudged document has no gain, nor has one with a negative grade. A table may give documents of grade 0
    a gain, and any grade a negative one; then the sum may be negative.

    Source: Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.
    """
    return retrieved(judged, gains).within(cutoff).total()


@measure("DCG", trec_eval=TrecEvalName("dcg", reads=reads_gains), highest=None)
def discounted_gain(
    judged: JudgedRankings,
    *,
    gains: GainsOf = LINEAR,
    discount: Discount = "plus-one",
    base: Base = 2.0,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """Sum of the gains of the first k documents, each divided by a discount that grows with the rank.

    Formula: Σ_{i ≤ k} g_i / d_i, where d_i is
    log_base(i + 1) with discount=plus-one,
    1 for i < base, else log_base(i), with discount=below-base,
    1 for i = 1, else log_base(i), with discount=after-first

    Gains are those of CG. Three discounts are in use, and textbooks differ: log2(r + 1), the usual one
    (`plus-one`); the original one, log_b(r), where either all ranks below b have no discount (`below-base`) or
    only rank 1 (`after-first`). The last two agree for b = 2. With `after-first` and b above 2 the ranks
    between 1 and b count more than rank 1: log_10(2) is 0.301.

    Source: m_ndcg.c of trec_eval; after Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.
    """
    found = discounted(judged, gains, discount, base)
    if cutoff is None:
        return found.total()
    return judged.sums_down_to(cutoff, gains.lowest_grade, (gains, discount, base), lambda: found.gain)


@measure("IDCG", trec_eval=TrecEvalName("ideal_dcg", reads=reads_gains), highest=None, best="none")
def ideal_discounted_gain(
    judged: JudgedRankings,
    *,
    gains: GainsOf = LINEAR,
    discount: Discount = "plus-one",
    base: Base = 2.0,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """DCG of the best possible ranking of the topic, by which nDCG divides.

    Formula: Σ_{i ≤ k} b_i / d_i

    The best ranking has all documents judged with a positive gain, highest gain first, also those not
    retrieved. So this says nothing about the ranking; it is the same where nothing was retrieved. Gains and
    discounts are those of DCG.

    Source: m_ndcg.c of trec_eval.
    """
    return best_discounted(judged, gains, discount, base).at(judged.topic, cutoff)


@measure("nDCG", trec_eval=(TrecEvalName("ndcg", reads=reads_gains), "ndcg_cut_{cutoff}"), aliases=("NDCG",))
def normalised_discounted_gain(
    judged: JudgedRankings,
    *,
    gains: GainsOf = LINEAR,
    discount: Discount = "plus-one",
    base: Base = 2.0,
    cutoff: Cutoff | None = None,
) -> FloatArray:
    """Gain of the ranking, discounted by rank, divided by that of the best possible ranking of the topic.

    Formula: DCG / IDCG = (Σ_{i ≤ k} g_i / d_i) / (Σ_{i ≤ k} b_i / d_i), with d_i = log2(i + 1) unless told otherwise

    The gain of a document is by default its grade where that is positive, else 0 (whatever the campaign calls
    relevant); it is divided by log2(rank + 1). The best ranking has all documents judged with a positive gain,
    best first, also those not retrieved; it is cut at k as the ranking is. 0 where no gain is positive.
    Gains and discounts are those of DCG: a table with negative gains can make the value negative, and the
    discount `after-first` with a base above 2, which favours ranks after the first, can make it exceed 1.

    Source: m_ndcg.c and m_ndcg_cut.c of trec_eval; after Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.
    """
    gain = discounted_gain(judged, gains=gains, discount=discount, base=base, cutoff=cutoff)
    best = ideal_discounted_gain(judged, gains=gains, discount=discount, base=base, cutoff=cutoff)
    return ratio(gain, best)


@measure("nDCGrel", trec_eval=TrecEvalName("ndcg_rel", reads=reads_gains), rises=False)
def discounted_gain_at_relevant(judged: JudgedRankings, *, gains: GainsOf = LINEAR) -> FloatArray:
    """nDCG at the rank of each document with a positive gain, averaged over all such documents of the topic.

    Formula: 1 / M * (Σ_{i ≤ n, g_i > 0} D_i / E_i + (M - m) * D_n / E_M)
    where D_i = Σ_{j ≤ i} g_j / log2(j + 1), E_i = Σ_{j ≤ i} b_j / log2(j + 1),
    M is the number of b_i above 0, and m that of the g_i above 0

    For those that were not retrieved, nDCG at the end of the ranking is used. Discount log2(rank + 1); 0
    where no gain is positive, and where the sum is negative because gains are.

    Source: m_ndcg_rel.c of trec_eval, which calls it experimental.
    """
    found, ideal = discounted(judged, gains), best_discounted(judged, gains)
    num_gaining = best_of_topics(judged, gains).number[judged.topic]
    above = ratio(found.running(), ideal.at(judged.topic[found.row], found.rank))
    at_relevant = found._replace(gain=above).where(found.gain > 0)
    missing = (num_gaining - at_relevant.number).astype(np.float64)
    summed = at_relevant.total() + ratio(missing * found.total(), ideal.at(judged.topic, None))
    return np.where(summed > 0, ratio(summed, num_gaining), 0.0)


@measure("Rndcg", trec_eval=TrecEvalName("Rndcg", reads=reads_gains), end_counts=True)
def discounted_gain_at_levels(judged: JudgedRankings, *, rel: Rel = 1, gains: GainsOf = LINEAR) -> FloatArray:
    """nDCG averaged over the ranks at which the gain of the best ranking changes, and the end of the ranking.

    Formula: the mean of D_c / E_c over all c, and of D_n / E_M if n > M + 1
    where D_i and E_i are those of nDCGrel, M is the number of b_i above 0, and there is one c for each
    positive gain that some document of the topic has: the number of b_i that are as high or higher

    With 5 documents of the highest gain, 3 of the next and 10 of the lowest that is positive: the mean of nDCG
    at 5, 8 and 18, and of nDCG at the last rank if that is 20 or more. Discount log2(rank + 1). Rank 19 is not
    counted as an end of its own: that is how the reference program does it. 0 for a topic without relevant
    documents, which alone depends on the smallest relevant grade.

    Source: m_Rndcg.c of trec_eval, which calls it experimental.
    """
    found, ideal = discounted(judged, gains), best_discounted(judged, gains)
    best = best_of_topics(judged, gains)
    summed, number = np.zeros(len(judged)), np.zeros(len(judged))
    for level in distinct(best.gain)[::-1]:
        at_level = best.where(best.gain == level).number[judged.topic] > 0
        rank = best.where(best.gain >= level).number[judged.topic]
        value = ratio(found.within(rank).total(), ideal.at(judged.topic, rank))
        summed += np.where(at_level, value, 0.0)
        number += at_level
    goes_on = (number > 0) & (judged.num_ret > best.number[judged.topic] + 1)
    summed += np.where(goes_on, ratio(found.total(), ideal.at(judged.topic, None)), 0.0)
    return np.where(judged.num_rel(rel) > 0, ratio(summed, number + goes_on), 0.0)


@measure("G", trec_eval=TrecEvalName("G", reads=reads_gains))
def normalised_gain(judged: JudgedRankings, *, gains: GainsOf = LINEAR) -> FloatArray:
    """Sum of gains, each divided by what the ranking lacks so far, over the sum of all gains of the topic.

    Formula: (Σ_{i ≤ n} g_i / log2(2 + C_i - G_i)) / (b_1 + b_2 + ...), where C_i = Σ_{j ≤ i} max(b_j, 1)

    C_i is what the best ranking has gained down to rank i, where a gain below 1, and the lack of any, counts as 1.
    0 where no gain is positive.

    Source: m_G.c of trec_eval, which calls it experimental.
    """
    found, best = retrieved(judged, gains), best_of_topics(judged, gains)
    topic = judged.topic[found.row]
    behind = np.maximum(found.rank - best.number[topic], 0)
    costs = Running.of(best._replace(gain=np.maximum(best.gain, 1.0)))
    lacking = 2.0 + (costs.at(topic, found.rank) + behind) - found.running()
    # Where a topic has nothing to gain, the value is 0 whatever is here.
    shares = found.gain / log2_of(np.maximum(lacking, 2.0))
    return ratio(found._replace(gain=shares).total(), best.total()[judged.topic])


@measure("Q", aliases=("QMeasure",), rises=False)
def q_measure(judged: JudgedRankings, *, gains: GainsOf = LINEAR, beta: Blend = 1.0) -> FloatArray:
    """Blended ratio at the rank of each relevant document, averaged over all relevant documents of the topic.

    Formula: 1 / M * Σ_{i ≤ n, g_i > 0} (H_i + beta * G_i) / (i + beta * B_i)
    where M is the number of b_i above 0, and H_i and G_i count documents with g_j > 0 alone

    Relevant is what has a positive gain. With beta=0 this is AP. 0 where no gain is positive. A document of low
    gain that moves up past a non-relevant one, and past one of high gain, may lower the value.

    Source: Sakai, Information Processing and Management 43(2), 2007; ntcir_eval.
    """
    found, blended, num_rel = _blended_ratios(judged, gains, beta)
    return ratio(found._replace(gain=blended).total(), num_rel)


@measure("O", aliases=("OMeasure",), rises=False)
def o_measure(judged: JudgedRankings, *, gains: GainsOf = LINEAR, beta: Blend = 1.0) -> FloatArray:
    """Blended ratio, as in Q, at the rank of the first relevant document; 0 where there is none.

    Formula: (1 + beta * g_i) / (i + beta * B_i) at the first rank i with g_i > 0

    With beta=0 this is the reciprocal rank. A document of low gain that becomes the first relevant one, in the
    place of one of high gain, may lower the value.

    Source: Sakai, EVIA 2007; ntcir_eval.
    """
    found, blended, _ = _blended_ratios(judged, gains, beta)
    first = found.nth == 1
    return found._replace(gain=np.where(first, blended, 0.0)).total()


def _blended_ratios(judged: JudgedRankings, gains: Gains, beta: float) -> tuple[Gained, FloatArray, IntArray]:
    """The retrieved relevant documents, the blended ratio at each, and how many each row's topic has."""
    found, best = retrieved(judged, gains).positive, best_of_topics(judged, gains)
    ideal = Running.of(best).at(judged.topic[found.row], found.rank)
    # Gains of high grades are near the largest number that there is: none is multiplied by more than 1.
    few, gained = (1.0, beta) if beta <= 1 else (1 / beta, 1.0)
    blended = (few * found.nth + gained * found.running()) / (few * found.rank + gained * ideal)
    return found, blended, best.number[judged.topic]


@measure("GAP")
def graded_average_precision(judged: JudgedRankings, *, thresholds: Thresholds | None = None) -> FloatArray:
    """AP as expected over users, each with their own threshold of relevance.

    Formula: (Σ_j w_j * R_j * AP_j) / (Σ_j w_j * R_j) over the grades j from 1 on

    w_j is the share of users who ask for at least grade j, R_j the number of documents that have it, and AP_j is
    AP(rel=j). As in the original definition, all users' precisions are summed before they are divided: it is not
    the mean of AP(rel=j). Without thresholds each grade up to the highest one is asked for by as many users; in a
    table, a grade that is not listed is no user's threshold. 0 if no user could be satisfied.

    Source: Robertson, Kanoulas and Yilmaz, SIGIR 2010.
    """
    given = judged.labels.label
    precisions, possible, below = np.zeros(len(judged)), np.zeros(len(judged)), 0
    for grade in distinct(given[given > 0]).tolist():
        # No document has a grade between, so those who ask for one are content with this.
        users = float(grade - below)
        if thresholds is not None:
            users = sum(share for asked, share in thresholds.table if below < asked <= grade)
        hits = judged.hits(grade)
        precisions += users * judged.add_up(hits, hits.nth / hits.rank)
        possible += users * judged.num_rel(grade)
        below = grade
    return ratio(precisions, possible)
