"""Measures that say how a user goes down a ranking, and what that user finds."""

from __future__ import annotations

from workbench.measures.judged import FloatArray, JudgedRankings, power
from workbench.measures.parameters import Cutoff, Persistence, Rel
from workbench.measures.registry import measure


@measure("RBP")
def rank_biased_precision(
    judged: JudgedRankings, *, p: Persistence = 0.8, rel: Rel = 1, cutoff: Cutoff | None = None
) -> FloatArray:
    """Rate at which a user finds relevant documents who goes on to the next rank with probability p.

    (1 - p) times the sum of p^(rank - 1) over the relevant documents. Grades are not used beyond relevant or
    not. What unjudged documents and those beyond the end could add is not in it: this is the lower bound.
    The reference program's `rbp` is something else: p = 0.9, and grades scaled by each topic's own best.

    Source: Moffat and Zobel, ACM Transactions on Information Systems 27(1), 2008.
    """
    hits = judged.hits(rel).within(cutoff)
    return (1.0 - p) * judged.add_up(hits, power(p, hits.rank - 1))
