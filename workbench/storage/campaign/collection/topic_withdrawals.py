"""Topics taken out of a campaign, and put back: events of the log, so that every point of it has its own topics.

A withdrawn topic stays in the file with its texts, runs, pooled pairs and judgments. From the `seq` of its withdrawal
on it has no labels and so no scores, none of its pairs is pooled, and nothing is judged there, until another event
restores it; before that `seq` it is where it always was.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from workbench.storage.campaign.collection.pool_pairs import COLUMNS
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, up_to

WITHDRAWAL, RESTORATION = kinds.TOPIC_WITHDRAWAL, kinds.TOPIC_RESTORATION

KINDS = frozenset({WITHDRAWAL, RESTORATION})
"""The kinds of events that take topics out and put them back."""


class TopicAbsence(NamedTuple):
    """A time during which a topic is out: from the row `withdrawn` on, until the row `restored`, None while it is."""

    topic_id: str
    withdrawn: int
    restored: int | None


def withdraw(
    campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "", actor: str, now: datetime | None = None
) -> int:
    """Take topics out that take part, inside the open write transaction; returns the event's `seq`."""
    seq = _append(campaign, WITHDRAWAL, topic_ids, reason, actor, now)
    connection = campaign.db.conn
    for topic_id in topic_ids:
        connection.execute("INSERT INTO withdrawn_topic (topic, withdrawn) VALUES (?, ?)", [topic_id, seq])
        connection.execute(
            f"INSERT INTO retired_pair ({COLUMNS}, choice) SELECT {COLUMNS}, choice FROM pooled WHERE topic = ?",
            [topic_id],
        )
        connection.execute("DELETE FROM pooled WHERE topic = ?", [topic_id])
    return seq


def restore(
    campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "", actor: str, now: datetime | None = None
) -> int:
    """Put withdrawn topics back with the pairs of all pools that are in force, inside the open write transaction;
    returns the event's `seq`.
    """
    seq = _append(campaign, RESTORATION, topic_ids, reason, actor, now)
    connection = campaign.db.conn
    own = "topic = ? AND pool IN (SELECT pool FROM pool WHERE retired IS NULL)"
    for topic_id in topic_ids:
        connection.execute(
            "UPDATE withdrawn_topic SET restored = ? WHERE topic = ? AND restored IS NULL", [seq, topic_id]
        )
        connection.execute(
            f"INSERT INTO pooled ({COLUMNS}, choice) SELECT {COLUMNS}, choice FROM retired_pair WHERE {own}",
            [topic_id],
        )
        connection.execute(f"DELETE FROM retired_pair WHERE {own}", [topic_id])
    return seq


def withdrawn(campaign: Campaign, as_of: int | None = None) -> dict[str, int]:
    """The topics that are out now, or were as of a row of the log, each with the `seq` of its withdrawal."""
    last = up_to(as_of)
    return {
        topic_id: begin
        for topic_id, begin, end in absences(campaign)
        if begin <= last and (end is None or end > last)
    }


def taking_part(campaign: Campaign) -> list[str]:
    """The topics that are not withdrawn now, in byte order."""
    rows = campaign.db.conn.execute(
        "SELECT topic FROM topic WHERE topic NOT IN (SELECT topic FROM withdrawn_topic WHERE restored IS NULL) "
        "ORDER BY topic"
    )
    return [topic_id for (topic_id,) in rows]


def absences(campaign: Campaign) -> list[TopicAbsence]:
    """Every time that a topic was or is out, as the table has it, by topic id in byte order and then by time."""
    rows = campaign.db.conn.execute(
        "SELECT topic, withdrawn, restored FROM withdrawn_topic ORDER BY topic, withdrawn"
    )
    return list(map(TopicAbsence._make, rows))


def replay(logged: Iterable[Event]) -> list[TopicAbsence]:
    """The same from the events of these KINDS alone."""
    found: list[TopicAbsence] = []
    since: dict[str, int] = {}
    for event in logged:
        for topic_id in event.content["topics"]:
            if event.kind == WITHDRAWAL:
                since[topic_id] = event.seq
            else:
                found.append(TopicAbsence(topic_id, since.pop(topic_id, 0), event.seq))
    return sorted([*found, *(TopicAbsence(topic_id, seq, None) for topic_id, seq in since.items())])


def _append(
    campaign: Campaign, kind: str, topic_ids: Sequence[str], reason: str, actor: str, now: datetime | None
) -> int:
    content = {"topics": list(topic_ids), "reason": reason}
    return append_event(campaign, kind, content, actor=actor, now=now)
