"""How many: of topics, documents, relevant documents."""

from __future__ import annotations

import numpy as np

from workbench.methods.measures.judged import FloatArray, JudgedRankings
from workbench.methods.measures.parameters import Rel
from workbench.methods.measures.registry import measure


@measure("NumQ", trec_eval="num_q", count=True)
def number_of_topics(judged: JudgedRankings) -> FloatArray:
    """Number of topics that the other numbers speak about.

    Formula: 1 for each topic

    Source: m_num_q.c of trec_eval.
    """
    return np.ones(len(judged))


@measure("NumRet", trec_eval="num_ret", count=True, end_counts=True)
def number_retrieved(judged: JudgedRankings) -> FloatArray:
    """Number of retrieved documents.

    Formula: n

    Source: m_num_ret.c of trec_eval.
    """
    return judged.num_ret.astype(np.float64)


@measure("NumRel", trec_eval="num_rel", count=True)
def number_relevant(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Number of relevant documents, retrieved or not.

    Formula: R

    Source: m_num_rel.c of trec_eval.
    """
    return judged.num_rel(rel).astype(np.float64)


@measure("NumRelRet", trec_eval="num_rel_ret", count=True)
def number_relevant_retrieved(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Number of relevant documents that were retrieved.

    Formula: H_n

    Source: m_num_rel_ret.c of trec_eval.
    """
    return judged.num_found(rel).astype(np.float64)


@measure("NumNonrelJudgedRet", trec_eval="num_nonrel_judged_ret", count=True, nonrelevant_counts=True)
def number_judged_non_relevant_retrieved(judged: JudgedRankings, *, rel: Rel = 1) -> FloatArray:
    """Number of retrieved documents that are judged non-relevant: those with grades from 0 to rel - 1.

    Formula: number of ranks i ≤ n with 0 ≤ grade at i < rel

    Source: m_num_nonrel_judged_ret.c of trec_eval.
    """
    return (judged.num_found(0) - judged.num_found(rel)).astype(np.float64)
