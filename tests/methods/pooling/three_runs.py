"""Three runs of five documents, on which the orders are worked out by hand."""

from __future__ import annotations

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.pooling.topic_table import Seen, TopicTable

DOCUMENTS = "abcdefg"


def three_runs() -> TopicTable:
    """The runs abcde, bacdf and edbag; a table without anything that is kept with it."""
    ranks = [[1, 2, 3, 4, 5, 0, 0], [2, 1, 3, 4, 0, 5, 0], [4, 3, 0, 2, 1, 0, 5]]
    return TopicTable(np.arange(7, dtype=np.uint32), np.array(ranks, np.int32), None, 5)


def after(*judgments: str) -> Seen:
    """What is judged after `b+` (b is relevant), `a-` (a is not) and so on."""
    places = np.array([DOCUMENTS.index(one[0]) for one in judgments], np.int64)
    judged, relevant = np.zeros((2, 7), np.bool_)
    judged[places] = True
    relevant[places] = [one[1] == "+" for one in judgments]
    return Seen(judged, relevant, places)


def named(scores: FloatArray) -> dict[str, float]:
    """The score of each document."""
    return dict(zip(DOCUMENTS, scores.tolist(), strict=True))


def next_of(scores: FloatArray, seen: Seen) -> str:
    """The document that is judged next."""
    return DOCUMENTS[int(np.where(seen.judged, -np.inf, scores).argmax())]
