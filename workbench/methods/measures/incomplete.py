"""Measures for incomplete judgments, and how incomplete they are."""

from __future__ import annotations

import numpy as np

from workbench.methods.measures.judged import FloatArray, JudgedRankings, ratio
from workbench.methods.measures.parameters import Cutoff, Rel
from workbench.methods.measures.reference_names import TrecEvalName
from workbench.methods.measures.registry import measure

SMOOTHING = 0.00001
"""Added to the counts of inferred AP, so that a share is defined where nothing above is judged."""


@measure(
    "Bpref",
    trec_eval=("bpref", TrecEvalName("gm_bpref", fixed={"mean": "geometric"})),
    aliases=("BPref",),
    nonrelevant_counts=True,
)
def binary_preference(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """How rarely judged non-relevant documents are above relevant ones; unjudged documents are ignored.

    Formula: 1 / R * Σ_{i ≤ n} h_i * (1 - min(z_i, R) / min(Z, R))
    where z_i of the documents above rank i are judged non-relevant, and Z of all documents of the topic

    Judged non-relevant are grades 0 to rel - 1, retrieved or not. A relevant document that has none of them above
    it adds 1. 0 for a topic without relevant documents.

    Source: m_bpref.c of trec_eval; after Buckley and Voorhees, SIGIR 2004.
    """
    hits, num_rel = judged.hits(rel), judged.num_rel(rel)
    above = np.minimum(judged.nonrel_above(rel), num_rel[hits.row])
    most = np.minimum(judged.num_nonrel(rel), num_rel)[hits.row]
    return ratio(judged.add_up(hits, 1.0 - ratio(above, most)), num_rel)


@measure(
    "infAP", trec_eval="infAP", aliases=("InfAP",), nonrelevant_counts=True, rises=False, takes_as_sample=True
)
def inferred_average_precision(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """AP as estimated where only a random part of the pool was judged.

    Formula: 1 / R * Σ_{i ≤ n} h_i * (1 / i + (i - 1) / i * c / (i - 1) * (r + e) / (r + z + 2 e))

    Of the documents above rank i, c were pooled, r are judged relevant and z judged non-relevant; e is 0.00001.
    So those pooled but not judged are taken to be relevant as often as the judged ones above, and those that
    were never pooled to be non-relevant. A relevant document on rank 1 adds 1. R counts only what was judged:
    the estimate assumes that each relevant document had the same chance to be. A document with a negative
    grade counts as pooled. Where nothing above is judged, half of what was pooled there is taken to be relevant,
    so that a relevant document may be worth more below pooled ones. 0 for a topic without relevant documents.

    Source: m_infap.c of trec_eval; after Yilmaz and Aslam, CIKM 2006.
    """
    hits = judged.hits(rel)
    nonrel, found = judged.nonrel_above(rel), hits.nth - 1
    above = judged.known_above(rel)
    share = (found + SMOOTHING) / (found + nonrel + 2 * SMOOTHING)
    behind = hits.rank - 1
    expected = 1.0 / hits.rank + (behind / hits.rank) * ratio(above, behind) * share
    return ratio(judged.add_up(hits, expected), judged.num_rel(rel))


@measure("Judged", end_counts=True, nonrelevant_counts=True, rises=False, best="none")
def judged_share(judged: JudgedRankings, *, cutoff: Cutoff | None = None) -> FloatArray:
    """Share of judged documents among the first k, or among all that were retrieved.

    Formula: j / m, where m = min(k, n), and j of the first m documents are judged

    Divided by the number of documents that are there: of 7 retrieved documents, all judged, Judged@10 is 1.
    0 where nothing was retrieved. Any grade is a judgment, a negative one as well; "pooled" is none.

    Source: Judged of ir-measures (which orders ties by ascending document ids; here they are descending).
    """
    return ratio(judged.num_judged(cutoff), judged.looked_at(cutoff))


@measure(
    "Unjudged",
    trec_eval=TrecEvalName("unj_{cutoff}", defaults=(5, 10, 20)),
    end_counts=True,
    nonrelevant_counts=True,
    rises=False,
    best="none",
)
def unjudged_share(judged: JudgedRankings, *, cutoff: Cutoff) -> FloatArray:
    """Share of the first k documents without a grade from 0 on.

    Formula: u / k, where u of the first min(k, n) documents have no grade from 0 on

    Divided by k even where fewer were retrieved: a short ranking is taken to go on with judged documents. A
    negative grade counts as unjudged here, as it does in the reference program, but as judged in Judged@k: of
    a ranking with at least k documents and no negative grades, the two add up to 1.

    Source: m_unjudged.c of trec_eval 10.
    """
    unjudged: FloatArray = (judged.looked_at(cutoff) - judged.num_found(0, cutoff)) / cutoff
    return unjudged
