"""Measures that know relevant and not relevant, by the ranks of the relevant documents."""

from __future__ import annotations

import math

import numpy as np

from workbench.methods.measures.judged import FloatArray, JudgedRankings, log2_discount, ratio
from workbench.methods.measures.parameters import Cutoff, Multiple, Patience, Rel
from workbench.methods.measures.reference_names import TrecEvalName
from workbench.methods.measures.registry import measure


@measure("P", trec_eval="P_{cutoff}", aliases=("Precision",))
def precision(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """Share of relevant documents among the first k.

    Formula: H_k / k

    Divided by k even where fewer were retrieved: a short ranking is taken to go on with non-relevant ones.

    Source: m_P.c of trec_eval.
    """
    return judged.num_found(rel, cutoff) / cutoff


@measure("R", trec_eval="recall_{cutoff}", aliases=("Recall",))
def recall(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """Share of the topic's relevant documents that are among the first k.

    Formula: H_k / R

    0 for a topic without relevant documents.

    Source: m_recall.c of trec_eval.
    """
    return ratio(judged.num_found(rel, cutoff), judged.num_rel(rel))


@measure("RelP", trec_eval="relative_P_{cutoff}")
def relative_precision(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """Precision at k divided by the highest that is possible there.

    Formula: H_k / min(k, R)

    It is P@k down to rank R, and R@k from there on. 0 for a topic without relevant documents.

    Source: m_rel_P.c of trec_eval.
    """
    most = np.minimum(judged.num_rel(rel), cutoff)
    return ratio(judged.num_found(rel, cutoff), most)


@measure("Success", trec_eval=TrecEvalName("success_{cutoff}", defaults=(1, 5, 10)))
def success(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """1 if there is a relevant document among the first k, else 0.

    Formula: 1 if H_k ≥ 1, else 0

    Source: m_success.c of trec_eval.
    """
    return (judged.num_found(rel, cutoff) > 0).astype(np.float64)


@measure(
    "AP",
    trec_eval=("map", "map_cut_{cutoff}", TrecEvalName("gm_map", fixed={"mean": "geometric"})),
    aliases=("MAP",),
)
def average_precision(judged: JudgedRankings, *, cutoff: Cutoff | None = None, rel: Rel = 1) -> FloatArray:
    """Precision at the rank of each relevant document, averaged over all relevant documents of the topic.

    Formula: 1 / R * Σ_{i ≤ k} h_i * H_i / i

    A relevant document that was not retrieved (or is below the cutoff) adds 0 and is still divided by.
    0 for a topic without relevant documents. GMAP is AP(mean=geometric), with 0.00001 for a value below that.

    Source: m_map.c, m_map_cut.c and m_gm_map.c of trec_eval.
    """
    hits = judged.hits(rel)
    if cutoff is None:
        summed = judged.add_up(hits, hits.nth / hits.rank)
    else:
        summed = judged.sums_down_to(cutoff, rel, "precision", lambda: hits.nth / hits.rank)
    return ratio(summed, judged.num_rel(rel))


@measure("RR", trec_eval="recip_rank", aliases=("MRR",))
def reciprocal_rank(judged: JudgedRankings, *, cutoff: Cutoff | None = None, rel: Rel = 1) -> FloatArray:
    """1 divided by the rank of the first relevant document; 0 where there is none (down to the cutoff).

    Formula: 1 / i for the smallest i ≤ k with h_i = 1

    Source: m_recip_rank.c of trec_eval.
    """
    hits = judged.hits(rel).within(cutoff)
    return judged.add_up(hits, np.where(hits.nth == 1, 1.0 / hits.rank, 0.0))


@measure("Rprec", trec_eval="Rprec", aliases=("RPrec",))
def r_precision(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Precision at rank R, where R is the number of the topic's relevant documents.

    Formula: H_R / R

    Divided by R even where fewer were retrieved. 0 for a topic without relevant documents.

    Source: m_Rprec.c of trec_eval.
    """
    num_rel = judged.num_rel(rel)
    return ratio(judged.num_found(rel, num_rel), num_rel)


FIFTHS_OF_R = tuple(fifth / 5 for fifth in range(1, 11))
"""0.2, 0.4 ... 2: the multiples of the reference program where none are given."""


@measure("RprecMult", trec_eval=TrecEvalName("Rprec_mult_{multiple:3.2f}", defaults=FIFTHS_OF_R))
def r_precision_at_multiple(judged: JudgedRankings, *, multiple: Multiple, rel: Rel = 1) -> FloatArray:
    """Precision at a multiple of R, where R is the number of the topic's relevant documents.

    Formula: H_m / m, where m = ⌊multiple * R + 0.9⌋

    The rank is multiple * R + 0.9 with the fraction cut off, in all versions of the reference program. Divided
    by this rank even where fewer were retrieved. 0 for a topic without relevant documents.

    Source: m_Rprec_mult.c of trec_eval.
    """
    rank = (multiple * judged.num_rel(rel) + 0.9).astype(np.int64)
    return ratio(judged.num_found(rel, rank), rank)


@measure("BEP")
def break_even_point(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Height at which the interpolated precision-recall curve crosses the line where the two are equal.

    Formula: the highest min(H_i / i, H_i / R) over all ranks i

    That is the highest precision at rank R or below it, or the recall at the end of a ranking that ends before
    rank R. Without interpolation the two are equal at rank R, and this point is Rprec: some call that the
    break-even point. It is never above the one given here. 0 for a topic without relevant documents.

    Source: Lewis, SIGIR 1992 (break-even point, interpolated); van Rijsbergen, Information Retrieval, 2nd
    edition, 1979, chapter 7 (interpolation).
    """
    hits, num_rel = judged.hits(rel), judged.num_rel(rel)
    smaller = hits.nth / np.maximum(hits.rank, num_rel[hits.row])
    value = np.zeros(len(judged))
    first = np.flatnonzero(hits.nth == 1)
    if len(first):
        value[hits.row[first]] = np.maximum.reduceat(smaller, first)
    return value


@measure("yaap", trec_eval="yaap", aliases=("YAAP",), lowest=None, highest=None)
def yet_another_average_precision(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """AP on a logarithmic scale without ends, so that differences near 0 and near 1 count.

    Formula: ln((1 + s) / (1 + R - s)), where s = Σ_{i ≤ n} h_i * H_i / i

    The value of an empty ranking is ln(1 / (1 + R)), so it takes part in a mean as what it is; with -c, the
    reference program counted 0 for a missing topic before version 10. 0 for a topic without relevant documents.

    Source: m_yaap.c of trec_eval; after Robertson, ECIR 2012.
    """
    hits = judged.hits(rel)
    summed = judged.add_up(hits, hits.nth / hits.rank)
    odds = (1.0 + summed) / (1.0 + judged.num_rel(rel) - summed)
    # The C library's logarithm: numpy's may differ in the last digit.
    return np.array([math.log(each) for each in odds.tolist()], np.float64)


@measure("binG", trec_eval="binG", aliases=("BinG",))
def binary_g(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Mean over relevant documents of 1 / log2(2 + non-relevant documents above).

    Formula: 1 / R * Σ_{i ≤ n} h_i / log2(2 + i - H_i)

    All above that are not relevant count, judged or not. A relevant document that was not retrieved adds 0.
    0 for a topic without relevant documents.

    Source: m_binG.c of trec_eval, which calls it experimental.
    """
    hits = judged.hits(rel)
    return ratio(judged.add_up(hits, 1.0 / log2_discount(hits.rank - hits.nth + 1)), judged.num_rel(rel))


@measure("PRES")
def patent_retrieval_evaluation_score(judged: JudgedRankings, *, n_max: Patience, rel: Rel = 1) -> FloatArray:
    """Where the mean rank of the relevant documents lies between best and worst, for a user of known patience.

    Formula: 1 - ((r_1 + ... + r_R) / R - (R + 1) / 2) / n_max

    r_i is the rank of the i-th relevant document. One that is not among the first n_max counts as if it stood
    at rank n_max + i: so the worst ranking has all of them just after what the user looks at, and 0.
    0 for a topic without relevant documents.

    Source: Magdy and Jones, SIGIR 2010.
    """
    hits, num_rel = judged.hits(rel).within(n_max), judged.num_rel(rel)
    found = judged.num_found(rel, n_max)
    ranks = judged.add_up(hits, hits.rank.astype(np.float64))
    missed = (num_rel - found) * n_max + (num_rel * (num_rel + 1) - found * (found + 1)) / 2.0
    mean = ratio(ranks + missed, num_rel)
    return np.where(num_rel > 0, 1.0 - (mean - (num_rel + 1) / 2.0) / n_max, 0.0)
