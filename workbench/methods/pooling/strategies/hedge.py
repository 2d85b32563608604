"""Hedge: runs that found relevant documents count more from then on."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.topic_table import Seen, TopicTable

Beta = Annotated[float, Limits("the factor of a run's weight for one unit of loss", above=0, below=1)]


@order("hedge", kind="adaptive", purpose="find relevant documents")
def hedge(table: TopicTable, seen: Seen, *, beta: Beta = 0.1) -> FloatArray:
    """Documents near the top of the runs that have found relevant ones so far.

    Each run starts with the weight 1/S. A judged document at rank r of a run that reaches down to K is a loss of
    ½ ln((K + 1)/r) when it is not relevant, and as much of a gain when it is; a run that does not have it neither
    gains nor loses. The weight is multiplied by β to the loss, and the weights are scaled to the sum 1.

    Formula: Σ_s w_s · ½ ln((K + 1)/r_s(d))

    Source: Aslam, Pavlu and Savell, CIKM 2003; without the loss that it spreads over documents a run did not retrieve.
    """
    gain = table.once("hedge", lambda: _gain(table))
    loss = gain @ (seen.judged - 2.0 * seen.relevant)
    # The largest weight is 1 before scaling, so that long sequences of losses do not underflow all weights.
    weights = beta ** (loss - loss.min(initial=np.inf))
    scores: FloatArray = (weights / weights.sum()) @ gain
    return scores


def _gain(table: TopicTable) -> Any:
    """½ ln((K + 1)/r) of every run and document, float64 (S, n)."""
    return table.matrix(0.5 * np.log((table.depth + 1) / table.entries.rank))
