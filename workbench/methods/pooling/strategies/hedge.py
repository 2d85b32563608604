"""Hedge: runs that found relevant documents count more from then on."""

from __future__ import annotations

from typing import Annotated

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
    entries, gain = table.entries, table.once("hedge", lambda: _gain(table))
    lost = np.where(seen.relevant[entries.place], -gain, gain)
    loss = entries.by_run(lost, len(table.rank), seen.judged)
    # The largest weight is 1 before scaling, so that long sequences of losses do not underflow all weights.
    weights = beta ** (loss - loss.min(initial=np.inf))
    return entries.by_document((weights / weights.sum())[entries.line] * gain, len(table))


def _gain(table: TopicTable) -> FloatArray:
    """½ ln((K + 1)/r) of every document of every run, float64 (E)."""
    gain: FloatArray = 0.5 * np.log((table.depth + 1) / table.entries.rank)
    return gain
