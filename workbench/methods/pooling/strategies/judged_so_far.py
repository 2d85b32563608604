"""Adaptive orders that add up over the runs what each says of a document, after what is judged so far."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.strategies.fused import Persistence
from workbench.methods.pooling.topic_table import Seen, TopicTable

Beta = Annotated[float, Limits("the factor of a run's weight for one unit of loss", above=0, below=1)]


@order("hedge", kind="adaptive")
def hedge(table: TopicTable, seen: Seen, *, beta: Beta = 0.1) -> FloatArray:
    """Documents near the top of the runs that have found relevant ones so far.

    Each run starts with the weight 1/S. A judged document at rank r of a run that reaches down to K is a loss of
    ½ ln((K + 1)/r) when it is not relevant, and as much of a gain when it is; a run that does not have it neither
    gains nor loses. The weight is multiplied by β to the loss, and the weights are scaled to the sum 1.

    Formula: Σ_s w_s · ½ ln((K + 1)/r_s(d))

    Source: Aslam, Pavlu and Savell, CIKM 2003; without the loss that it spreads over documents a run did not retrieve.
    """
    # ½ ln((K + 1)/r) of every run and document, (S, n).
    gain = table.once("hedge", lambda: table.matrix(0.5 * np.log((table.depth + 1) / table.entries.rank)))
    loss = gain @ (seen.judged - 2.0 * seen.relevant)
    # The largest weight is 1 before scaling, so that long sequences of losses do not underflow all weights.
    weights = beta ** (loss - loss.min(initial=np.inf))
    scores: FloatArray = (weights / weights.sum()) @ gain
    return scores


@order("mtc", kind="adaptive", wish="decide")
def minimal_test_collection(table: TopicTable, seen: Seen) -> FloatArray:
    """Documents by which the average precision of some two runs would differ most if they were relevant.

    Formula: max_s A_s(d) - min_s A_s(d), where A_s(d) = 1/r_s(d) + Σ 1/max(r_s(d), r_s(j)) over the documents j that
    were judged relevant and that s has; A_s(d) = 0 where s does not have d

    Source: Carterette, Allan and Sitaraman, SIGIR 2006; relevant and not relevant equally likely, not divided by the
    number of relevant documents.
    """
    # What was judged not relevant changes nothing, and most is not.
    return table.latest("mtc", seen.relevant.tobytes(), lambda: _range(table, seen))


def _range(table: TopicTable, seen: Seen) -> FloatArray:
    rank = np.arange(1, table.place_at.shape[1] + 1)
    relevant = np.append(seen.relevant, False)[table.place_at]
    above, shares = relevant.cumsum(axis=1), relevant / rank
    below = shares.sum(axis=1, keepdims=True) - shares.cumsum(axis=1)
    by_rank = (1 + above) / rank + below
    line, place, own = table.entries
    weight = by_rank[line, own - 1]
    high, low = np.zeros(len(table)), np.full(len(table), np.inf)
    np.maximum.at(high, place, weight)
    np.minimum.at(low, place, weight)
    # Where a run does not have the document its weight is 0, and all others are larger.
    low[np.bincount(place, minlength=len(table)) < len(table.rank)] = 0
    scores: FloatArray = high - low
    return scores


@order("rbp-b", kind="adaptive")
def residual(table: TopicTable, seen: Seen, *, p: Persistence = 0.8) -> FloatArray:
    """Documents that weigh much in runs of which much is still open, by rank-biased precision.

    Formula: Σ_s c_s(d) · e_s, where c_s(d) = (1 - p) p^(r_s(d) - 1) is a document's weight in a run and
    e_s = 1 - Σ c_s over what is judged is the run's residual

    Source: Moffat, Webber and Zobel, SIGIR 2007, method B.
    """
    weight = table.once(("rbp", p), lambda: table.matrix(entry_weights(table, p)))
    scores: FloatArray = (1 - weight @ seen.judged) @ weight
    return scores


@order("rbp-c", kind="adaptive")
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
