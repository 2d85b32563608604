"""Measures that know relevant and not relevant, by the ranks of the relevant documents."""

from __future__ import annotations

import numpy as np

from workbench.measures.judged import FloatArray, JudgedRankings, ratio
from workbench.measures.parameters import Cutoff, Rel
from workbench.measures.registry import measure


@measure("P", trec_eval="P_{cutoff}")
def precision(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """Share of relevant documents among the first k.

    Divided by k even where fewer were retrieved: a short ranking is taken to go on with non-relevant ones.

    Source: m_P.c of trec_eval.
    """
    return judged.add_up(judged.hits(rel).within(cutoff)) / cutoff


@measure("R", trec_eval="recall_{cutoff}", aliases=("Recall",))
def recall(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> FloatArray:
    """Share of the topic's relevant documents that are among the first k.

    0 for a topic without relevant documents.

    Source: m_recall.c of trec_eval.
    """
    return ratio(judged.add_up(judged.hits(rel).within(cutoff)), judged.num_rel(rel))


@measure("AP", trec_eval=("map", "map_cut_{cutoff}"), aliases=("MAP",))
def average_precision(judged: JudgedRankings, *, cutoff: Cutoff | None = None, rel: Rel = 1) -> FloatArray:
    """Precision at the rank of each relevant document, averaged over all relevant documents of the topic.

    A relevant document that was not retrieved (or stands below the cutoff) adds 0 and is still divided by.
    0 for a topic without relevant documents.

    Source: m_map.c and m_map_cut.c of trec_eval.
    """
    hits = judged.hits(rel).within(cutoff)
    return ratio(judged.add_up(hits, hits.nth / hits.rank), judged.num_rel(rel))


@measure("RR", trec_eval="recip_rank", aliases=("MRR",))
def reciprocal_rank(judged: JudgedRankings, *, cutoff: Cutoff | None = None, rel: Rel = 1) -> FloatArray:
    """1 divided by the rank of the first relevant document; 0 where there is none (down to the cutoff).

    Source: m_recip_rank.c of trec_eval.
    """
    hits = judged.hits(rel).within(cutoff)
    return judged.add_up(hits, np.where(hits.nth == 1, 1.0 / hits.rank, 0.0))


@measure("Rprec", trec_eval="Rprec", aliases=("RPrec",))
def r_precision(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Precision at rank R, where R is the number of the topic's relevant documents.

    Divided by R even where fewer were retrieved. 0 for a topic without relevant documents.

    Source: m_Rprec.c of trec_eval.
    """
    num_rel = judged.num_rel(rel)
    return ratio(judged.add_up(judged.hits(rel).within(num_rel)), num_rel)
