"""The changes in the log since a row."""

from __future__ import annotations

from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.log import Head, head, head_at


class LogChanges(NamedTuple):
    """The log's newest row, the kinds of the events since, and the pairs judged since, each once."""

    head: Head
    events: frozenset[str]
    judged: tuple[tuple[str, str], ...]


def changes_since(campaign: Campaign, read: Head) -> LogChanges | None:
    """What came after the row `read`; None when that row is not in this log, which is then another one."""
    if head_at(campaign, read.seq) != read:
        return None
    kinds = campaign.db.conn.execute("SELECT kind FROM event WHERE seq > ?", [read.seq])
    # Without DISTINCT, for which SQLite would walk through a whole index instead of the few newest rows.
    pairs = campaign.db.conn.execute("SELECT topic, document FROM judgment WHERE seq > ?", [read.seq])
    return LogChanges(head(campaign), frozenset(kind for (kind,) in kinds), tuple(dict.fromkeys(pairs)))
