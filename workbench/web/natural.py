"""Topics on screen in the order in which people read their ids."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.judging import TopicProgress
from workbench.reading.natural import natural as natural  # pages take it from here


def in_natural_order(rows: Iterable[TopicProgress]) -> list[TopicProgress]:
    """Topics in the natural order of their ids."""
    return sorted(rows, key=lambda row: natural(row.topic_id))
