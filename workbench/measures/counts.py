"""How many: of topics, documents, relevant documents, and the share of them that is judged."""

from __future__ import annotations

import numpy as np

from workbench.measures.judged import FloatArray, JudgedRankings, ratio
from workbench.measures.parameters import Cutoff, Rel
from workbench.measures.registry import measure


@measure("Judged")
def judged_share(judged: JudgedRankings, *, cutoff: Cutoff | None = None) -> FloatArray:
    """Share of judged documents among the first k, or among all that were retrieved.

    Divided by the number of documents that are there: of 7 retrieved documents, all judged, Judged@10 is 1.
    0 where nothing was retrieved. Any grade is a judgment, a negative one as well; "pooled" is none.

    Source: Judged of ir-measures (which orders ties by ascending document ids; here they are descending).
    """
    return ratio(judged.num_judged(cutoff), judged.looked_at(cutoff))


@measure("NumQ", trec_eval="num_q", count=True)
def number_of_topics(judged: JudgedRankings) -> FloatArray:
    """Number of topics that the other numbers speak about.

    Source: m_num_q.c of trec_eval.
    """
    return np.ones(len(judged))


@measure("NumRet", trec_eval="num_ret", count=True)
def number_retrieved(judged: JudgedRankings) -> FloatArray:
    """Number of retrieved documents.

    Source: m_num_ret.c of trec_eval.
    """
    return judged.num_ret.astype(np.float64)


@measure("NumRel", trec_eval="num_rel", count=True)
def number_relevant(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Number of relevant documents, retrieved or not.

    Source: m_num_rel.c of trec_eval.
    """
    return judged.num_rel(rel).astype(np.float64)


@measure("NumRelRet", trec_eval="num_rel_ret", count=True)
def number_relevant_retrieved(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Number of relevant documents that were retrieved.

    Source: m_num_rel_ret.c of trec_eval.
    """
    return judged.add_up(judged.hits(rel))
