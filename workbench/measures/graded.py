"""Measures that use the grades themselves."""

from __future__ import annotations

import numpy as np

from workbench.measures.judged import FloatArray, JudgedRankings, log2_discount, ratio
from workbench.measures.parameters import Cutoff
from workbench.measures.registry import measure


@measure("nDCG", trec_eval=("ndcg", "ndcg_cut_{cutoff}"), aliases=("NDCG",))
def normalised_discounted_gain(judged: JudgedRankings, *, cutoff: Cutoff | None = None) -> FloatArray:
    """Gain of the ranking, discounted by rank, divided by that of the best possible ranking of the topic.

    The gain of a document is its grade where that is positive, else 0 (whatever the campaign calls relevant);
    it is divided by log2(rank + 1). The best ranking has all documents judged with a positive grade, best
    first, also those that nobody retrieved; it is cut at k as the ranking is. 0 where no grade is positive.

    Source: m_ndcg.c and m_ndcg_cut.c of trec_eval; after Järvelin and Kekäläinen, ACM TOIS 20(4), 2002.
    """
    hits, ideal = judged.hits(1).within(cutoff), judged.ideal.within(cutoff)
    gain = judged.add_up(hits, hits.grade / log2_discount(hits.rank))
    best = np.bincount(ideal.row, ideal.grade / log2_discount(ideal.rank), minlength=len(judged.labels))
    return ratio(gain, best[judged.topic])
