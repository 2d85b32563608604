"""Measures for incomplete judgments, and how incomplete they are."""

from __future__ import annotations

import numpy as np

from workbench.measures.judged import FloatArray, JudgedRankings, ratio
from workbench.measures.parameters import Cutoff, Rel
from workbench.measures.registry import measure


@measure("Bpref", trec_eval="bpref", aliases=("BPref",), nonrelevant_counts=True)
def binary_preference(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """How rarely judged non-relevant documents stand above relevant ones; unjudged documents are ignored.

    With R relevant and N judged non-relevant documents of the topic (grades 0 to rel - 1, retrieved or not),
    each retrieved relevant document with n > 0 judged non-relevant ones above it adds
    1 - min(n, R) / min(N, R), with none above it 1; the sum is divided by R.
    0 for a topic without relevant documents.

    Source: m_bpref.c of trec_eval; after Buckley and Voorhees, SIGIR 2004.
    """
    hits, num_rel = judged.hits(rel), judged.num_rel(rel)
    above = np.minimum(judged.nonrel_above(hits, rel), num_rel[hits.row])
    most = np.minimum(judged.num_nonrel(rel), num_rel)[hits.row]
    return ratio(judged.add_up(hits, 1.0 - ratio(above, most)), num_rel)


@measure("Judged", end_counts=True, nonrelevant_counts=True, rises=False)
def judged_share(judged: JudgedRankings, *, cutoff: Cutoff | None = None) -> FloatArray:
    """Share of judged documents among the first k, or among all that were retrieved.

    Divided by the number of documents that are there: of 7 retrieved documents, all judged, Judged@10 is 1.
    0 where nothing was retrieved. Any grade is a judgment, a negative one as well; "pooled" is none.

    Source: Judged of ir-measures (which orders ties by ascending document ids; here they are descending).
    """
    return ratio(judged.num_judged(cutoff), judged.looked_at(cutoff))
