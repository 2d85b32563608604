"""Measures inferred from strata that were sampled at different rates, as sample_eval.pl has them.

Of each stratum c of a topic, N_c documents are candidates, n_c are judged, and m_c of these are relevant. There are two
versions of the program, which disagree: `trec2011`, the one of TREC's tracks, and `trecvid2012`.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np

from workbench.core.parameters import Limits
from workbench.methods.measures.judged import FloatArray, ratio
from workbench.methods.measures.parameters import Cutoff, Rel
from workbench.methods.measures.registry import measure
from workbench.methods.measures.running import distinct
from workbench.methods.measures.sampled_rankings import SampledRankings, SampleLabels

SMOOTHING = 0.00001
"""Added to counts, three times to what they are divided by."""

TREC, TRECVID = "trec2011", "trecvid2012"

Dialect = Annotated[str, Limits("the version of sample_eval.pl that is followed", choices=(TREC, TRECVID))]
Longest = Annotated[
    int, Limits("the longest ranking that a run may have; what is below does not count", least=1)
]


@measure("xinfAP", highest=None, of="strata", rises=False)
def stratified_average_precision(
    sampled: SampledRankings, *, rel: Rel = 1, dialect: Dialect = TREC, longest: Longest = 1000
) -> FloatArray:
    """AP as estimated from strata that were sampled at different rates.

    Formula: Σ_c (R_c / R) * (1 / m_c) * Σ_{i: h_i = 1, in c} (1 / i + Σ_b k_b / i * (r_b + e) / (s_b + 3 e))
    where R_c = m_c * N_c / n_c and R is their sum, and of the documents above rank i, k_b are candidates of stratum b,
    s_b of these judged and r_b relevant; e is 0.00001

    With dialect=trecvid2012 the value is multiplied by R / longest where R is larger than that, and may be above 1.
    A topic without relevant documents has 0.

    Source: sample_eval.pl; after Yilmaz, Kanoulas and Aslam, SIGIR 2008.
    """
    near, labels = sampled.to_depth(longest), sampled.labels
    expected, relevant = _expected_precision(near, rel), near.grade >= rel
    by_stratum = estimated_relevant(labels, rel)
    found = labels.relevant(rel)
    whole = by_stratum.sum(axis=1)
    total = np.zeros(len(near))
    for stratum in range(labels.num_strata):
        inside = relevant & (near.stratum == stratum)
        mean = ratio(near.sums(inside, expected), found[:, stratum][near.topic])
        total += ratio(by_stratum[:, stratum], whole)[near.topic] * mean
    if dialect == TRECVID:
        total *= np.maximum(whole / longest, 1.0)[near.topic]
    return total


@measure("infNDCG", highest=None, of="strata", rises=False)
def stratified_ndcg(
    sampled: SampledRankings, *, dialect: Dialect = TREC, longest: Longest = 1000
) -> FloatArray:
    """nDCG as estimated from strata that were sampled at different rates; the gain is the grade.

    Formula: Σ_c (k_c / s_c) * Σ_{i in c} g_i / log2(i + 1), divided by the same of the best ranking

    Of the ranking's documents, k_c are candidates of stratum c, and s_c of these are judged. The best ranking has of
    each grade as many documents as its strata let expect: rounded to whole numbers with dialect=trec2011, and with
    trecvid2012 not rounded, so that ranks of lower grades begin at fractions.

    Source: sample_eval.pl; after Yilmaz, Kanoulas and Aslam, SIGIR 2008.
    """
    near, labels = sampled.to_depth(longest), sampled.labels
    gain = np.where(near.grade > 0, near.grade / np.log2(near.rank + 1.0), 0.0)
    total = np.zeros(len(near))
    for stratum in range(labels.num_strata):
        inside = near.stratum == stratum
        candidates, judged = near.sums(inside), near.sums(inside & (near.grade >= 0))
        total += candidates * ratio(near.sums(inside, gain), judged)
    return ratio(total, best_of_grades(labels, dialect, longest)[near.topic])


@measure("infP", of="strata", rises=False, end_counts=True)
def stratified_precision(sampled: SampledRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """P as estimated from strata that were sampled at different rates.

    Formula: 1 / k * Σ_c k_c * (r_c + e) / (s_c + 3 e)

    Of the first k documents, k_c are candidates of stratum c, s_c of these judged and r_c relevant; e is 0.00001.
    Where none of a stratum's is judged, a third of them is taken to be relevant.

    Source: sample_eval.pl; after Yilmaz, Kanoulas and Aslam, SIGIR 2008.
    """
    return _retrieved(sampled.to_depth(cutoff), rel) / cutoff


@measure("infNumRel", highest=None, of="strata", rises=False, best="none")
def stratified_relevant(sampled: SampledRankings, *, rel: Rel = 1) -> FloatArray:
    """How many relevant documents a topic has, as estimated from its strata.

    Formula: Σ_c m_c * N_c / n_c

    Source: sample_eval.pl, inum_rel.
    """
    whole: FloatArray = estimated_relevant(sampled.labels, rel).sum(axis=1)[sampled.topic]
    return whole


@measure("infNumRelRet", highest=None, of="strata", rises=False)
def stratified_relevant_retrieved(
    sampled: SampledRankings, *, rel: Rel = 1, longest: Longest = 1000
) -> FloatArray:
    """How many relevant documents a ranking has, as estimated from strata.

    Formula: Σ_c k_c * (r_c + e) / (s_c + 3 e), over the whole ranking; the symbols are those of infP

    Source: sample_eval.pl, inum_rel_ret.
    """
    return _retrieved(sampled.to_depth(longest), rel)


def estimated_relevant(labels: SampleLabels, rel: int) -> FloatArray:
    """How many relevant documents each stratum has by its judged ones, float64 (T, S)."""
    return ratio(labels.relevant(rel) * labels.size, labels.judged)


def best_of_grades(labels: SampleLabels, dialect: str, longest: int) -> FloatArray:
    """The DCG of the best ranking of each topic, as estimated, float64 (T)."""
    grades = distinct(labels.grade[labels.grade > 0])[::-1].tolist()
    number = np.zeros((len(grades), len(labels)))
    for place, grade in enumerate(grades):
        number[place] = ratio(labels.totals(labels.grade == grade) * labels.size, labels.judged).sum(axis=1)
    if dialect == TREC:
        number = np.floor(number + 0.5)
    best = np.zeros(len(labels))
    for topic in range(len(labels)):
        start = 0.0
        for grade, count in zip(grades, number[:, topic].tolist(), strict=True):
            ranks = start + np.arange(1, min(int(count), longest + 1) + 1)
            # The first rank from `longest` on counts too: so each grade has one even beyond, as in the program.
            ranks = ranks[: 1 + int((ranks < longest).sum())]
            best[topic] += grade * float((1 / np.log2(ranks + 1)).sum())
            start += count
    return best


def _expected_precision(near: SampledRankings, rel: int) -> FloatArray:
    """The expected precision at each candidate if it is relevant, float64 (M)."""
    candidates = near.above(np.ones(len(near.cell)))
    expected = np.zeros(len(near.cell))
    for stratum in range(near.labels.num_strata):
        inside = near.stratum == stratum
        here = near.above(inside)
        relevant, judged = near.above(inside & (near.grade >= rel)), near.above(inside & (near.grade >= 0))
        share = (relevant + SMOOTHING) / (judged + 3 * SMOOTHING)
        expected += np.where(here > 0, ratio(here, candidates) * share, 0.0)
    return 1.0 / near.rank + candidates / near.rank * expected


def _retrieved(near: SampledRankings, rel: int) -> FloatArray:
    """How many relevant documents each row has, as estimated, float64 (R)."""
    total = np.zeros(len(near))
    for stratum in range(near.labels.num_strata):
        inside = near.stratum == stratum
        relevant = near.sums(inside & (near.grade >= rel))
        judged = near.sums(inside & (near.grade >= 0))
        total += near.sums(inside) * (relevant + SMOOTHING) / (judged + 3 * SMOOTHING)
    return total
