"""Minimal test collections: documents by which the average precision of two runs would differ most."""

from __future__ import annotations

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.pooling.ordering import order
from workbench.methods.pooling.topic_table import Seen, TopicTable


@order("mtc", kind="adaptive", purpose="separate the systems")
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
