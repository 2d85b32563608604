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
    entries, weight = table.entries, entry_weights(table, p)
    left = 1 - entries.by_run(weight, len(table.rank), seen.judged)
    return entries.by_document(left[entries.line] * weight, len(table))


@order("rbp-c", kind="adaptive", purpose="find relevant documents")
def residual_of_the_best(table: TopicTable, seen: Seen, *, p: Persistence = 0.8) -> FloatArray:
    """Documents that weigh much in runs that may still be the best ones, by rank-biased precision.

    Formula: Σ_s c_s(d) · e_s · (b_s + e_s / 2)³, where b_s is the run's rank-biased precision so far, and the
    rest as for rbp-b

    Source: Moffat, Webber and Zobel, SIGIR 2007, method C.
    """
    entries, weight = table.entries, entry_weights(table, p)
    base = entries.by_run(weight, len(table.rank), seen.relevant)
    left: FloatArray = 1 - entries.by_run(weight, len(table.rank), seen.judged)
    return entries.by_document((left * (base + left / 2) ** 3)[entries.line] * weight, len(table))


def entry_weights(table: TopicTable, p: float) -> FloatArray:
    """(1 - p) p^(r - 1) of every document of every run, float64 (E)."""

    def find() -> FloatArray:
        weights: FloatArray = ((1 - p) * p ** (table.entries.rank - 1.0)).astype(np.float64)
        return weights

    return table.once(("rbp", p), find)


def rank_biased_weights(table: TopicTable, p: float) -> FloatArray:
    """(1 - p) p^(r - 1) of every run and document, float64 (S, n)."""

    weights: FloatArray = np.zeros(table.rank.shape)
    weights[table.entries.line, table.entries.place] = entry_weights(table, p)
    return weights
