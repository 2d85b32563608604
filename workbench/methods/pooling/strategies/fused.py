"""Static orders that fuse the ranks or scores of the runs."""

from __future__ import annotations

from typing import Annotated

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.topic_table import TopicTable

Constant = Annotated[
    float, Limits("what is added to every rank: the larger, the less the first ranks count", least=0)
]


@order("rrf")
def reciprocal_rank_fusion(table: TopicTable, *, k: Constant = 60.0) -> FloatArray:
    """Documents that many runs have near the top, by reciprocal rank fusion.

    Formula: Σ_s 1/(k + r_s(d)) over the runs that have d within the depth

    Source: Cormack, Clarke and Büttcher, SIGIR 2009.
    """
    fused: FloatArray = table.where_found(1 / (k + table.rank_or_one)).sum(axis=0)
    return fused
