"""Topics taken out of a campaign, and put back: events of the log, so that every point of it has its own topics.

A withdrawn topic stays in the file with its texts, runs, pooled pairs and judgments. From the `seq` of its withdrawal
on it has no labels and so no scores, none of its pairs is pooled, and nothing is judged there, until another event
restores it; before that `seq` it is where it always was.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.storage.campaign.collection.question_topics import keys_of, others
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import part

WITHDRAWAL, RESTORATION = kinds.TOPIC_WITHDRAWAL, kinds.TOPIC_RESTORATION

KINDS = frozenset({WITHDRAWAL, RESTORATION})
"""The kinds of events that take topics out and put them back."""


IN_FORCE = f"""topic = ? AND pool NOT IN (
    SELECT content ->> '$.pool' FROM event WHERE kind = '{kinds.RETIREMENT}')"""
"""Pairs of one topic, the parameter, that were brought in by pools which are in force."""


def withdraw(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> int:
    """Withdraw topics, with questions about them, inside the open write transaction; the event's `seq`."""
    gone = [*topic_ids, *keys_of(campaign, topic_ids)]
    seq = _append(campaign, WITHDRAWAL, gone, reason)
    for topic_id in gone:
        campaign.execute("INSERT INTO retired_pair SELECT * FROM pooled WHERE topic = ?", [topic_id])
        campaign.execute("DELETE FROM pooled WHERE topic = ?", [topic_id])
    return seq


def restore(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> int:
    """Restore topics with the pairs of pools in force, inside the open write transaction; the event's `seq`."""
    back = [*topic_ids, *keys_of(campaign, topic_ids)]
    seq = _append(campaign, RESTORATION, back, reason)
    for topic_id in back:
        campaign.execute(f"INSERT INTO pooled SELECT * FROM retired_pair WHERE {IN_FORCE}", [topic_id])
        campaign.execute(f"DELETE FROM retired_pair WHERE {IN_FORCE}", [topic_id])
    return seq


@part(WITHDRAWAL, RESTORATION, start=dict)
def withdrawn(found: dict[str, int], event: Event) -> None:
    """The topics that are out, each with the `seq` of its withdrawal."""
    for topic_id in event.content["topics"]:
        if event.kind == WITHDRAWAL:
            found[topic_id] = event.seq
        else:
            found.pop(topic_id, None)


def left_out(campaign: Campaign) -> set[str]:
    """The topics that do not count: those that are out, and those that the campaign does not show as it is seen."""
    return {*withdrawn(campaign), *others(campaign)}


def taking_part(campaign: Campaign) -> list[str]:
    """The topics that are not withdrawn now, in byte order."""
    out = left_out(campaign)
    return [each for each in campaign.column("SELECT topic FROM topic ORDER BY topic") if each not in out]


def _append(campaign: Campaign, kind: str, topic_ids: Sequence[str], reason: str) -> int:
    content = {"topics": list(topic_ids), "reason": reason}
    return append_event(campaign, kind, content)
