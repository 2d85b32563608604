"""Adaptive orders by rank-biased precision: what a document can still move, and of which runs."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.topic_table import Seen, TopicTable

Persistence = Annotated[
    float,
    Limits("the probability of going on to the next rank; the larger, the deeper", above=0, below=1),
]


@order("rbp-b", kind="adaptive", purpose="find relevant documents")
def residual(table: TopicTable, seen: Seen, *, p: Persistence = 0.8) -> FloatArray:
    """Documents that weigh much in runs of which much is still open, by rank-biased precision.

    Formula: Σ_s c_s(d) · e_s, where c_s(d) = (1 - p) p^(r_s(d) - 1) is a document's weight in a run and
    e_s = 1 - Σ c_s over what is judged is the run's residual

    Source: Moffat, Webber and Zobel, SIGIR 2007, method B.
    """
    weight = table.once(("rbp", p), lambda: table.matrix(entry_weights(table, p)))
    scores: FloatArray = (1 - weight @ seen.judged) @ weight
    return scores


@order("rbp-c", kind="adaptive", purpose="find relevant documents")
def residual_of_the_best(table: TopicTable, seen: Seen, *, p: Persistence = 0.8) -> FloatArray:
    """Documents that weigh much in runs that may still be the best ones, by rank-biased precision.

    Formula: Σ_s c_s(d) · e_s · (b_s + e_s / 2)³, where b_s is the run's rank-biased precision so far, and the
    rest as for rbp-b

    Source: Moffat, Webber and Zobel, SIGIR 2007, method C.
    """
    weight = table.once(("rbp", p), lambda: table.matrix(entry_weights(table, p)))
    base, left = weight @ seen.relevant, 1 - weight @ seen.judged
    scores: FloatArray = (left * (base + left / 2) ** 3) @ weight
    return scores


def entry_weights(table: TopicTable, p: float) -> FloatArray:
    """(1 - p) p^(r - 1) of every document of every run, float64 (E)."""
    weights: FloatArray = ((1 - p) * p ** (table.entries.rank - 1.0)).astype(np.float64)
    return weights


def rank_biased_weights(table: TopicTable, p: float) -> FloatArray:
    """The same for all runs and documents, 0 where a run does not have one, float64 (S, n)."""
    weights: FloatArray = np.zeros(table.rank.shape)
    weights[table.entries.line, table.entries.place] = entry_weights(table, p)
    return weights
