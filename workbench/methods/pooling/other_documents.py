"""Documents of other topics, drawn at random: what orders that use texts take for not relevant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.methods.pooling.chance import numbers
from workbench.methods.pooling.topic_table import TopicTable

OTHERS = 300
"""Of each topic at most this many are drawn, to be read beside its candidates."""


def other_documents(table: TopicTable, document_ids: Sequence[str]) -> list[str]:
    """At most OTHERS of these ids at random that are no candidates of the topic, the same for the same rankings.

    Args:
        table: the topic's candidates, with their ids.
        document_ids: the candidates of all topics, each once, in byte order.
    """
    own = set(table.document_id)
    found: list[str] = []
    for place in np.argsort(numbers(table, 0, 0, len(document_ids)), kind="stable").tolist():
        if len(found) == OTHERS:
            break
        if document_ids[place] not in own:
            found.append(document_ids[place])
    return found
