"""The changes in the log since a row."""

from __future__ import annotations

import json
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Head, head

CHOICE = kinds.CHOICE
"""The kind of event by which an adaptive pool takes in further pairs of a topic (see `collection/pools.py`)."""


class LogChanges(NamedTuple):
    """The log's newest row, the kinds of the events since, the pairs judged since, and those that adaptive pools chose
    since, each once.
    """

    head: Head
    events: frozenset[str]
    judged: tuple[tuple[str, str], ...]
    chosen: tuple[tuple[str, str], ...] = ()


def changes_since(campaign: Campaign, read: Head) -> LogChanges | None:
    """What came after the row `read`; None when that row is not in this log, which is then another one."""
    if head(campaign.at(read.seq)) != read:
        return None
    kinds = campaign.db.conn.execute("SELECT kind FROM event WHERE seq > ?", [read.seq])
    # Without DISTINCT, for which SQLite would walk through a whole index instead of the few newest rows.
    judged = campaign.db.conn.execute("SELECT topic, document FROM judgment WHERE seq > ?", [read.seq])
    return LogChanges(
        head(campaign),
        frozenset(kind for (kind,) in kinds),
        tuple(dict.fromkeys(judged)),
        tuple(_chosen(campaign, read.seq)),
    )


def _chosen(campaign: Campaign, after: int) -> list[tuple[str, str]]:
    contents = campaign.db.conn.execute(
        "SELECT content FROM event WHERE seq > ? AND kind = ?", [after, CHOICE]
    )
    found = (json.loads(content) for (content,) in contents)
    return [(content["topic"], document_id) for content in found for document_id, *_ in content["pairs"]]
