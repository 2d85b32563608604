"""Pairs that named assessors are to judge again: events of the log, beside the assignments of topics.

A request holds until it is taken back. It is open until the assessor has judged the pair after it; then it is the
reason why their judgment counts beside those of the topic's own assessors.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.grades.current_judgments import OWN_KINDS
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import id_of
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import part

REQUESTED = kinds.JUDGING_AGAIN
TAKEN_BACK = kinds.JUDGING_AGAIN_TAKEN_BACK

KINDS = (REQUESTED, TAKEN_BACK)

_IS_OPEN = f"""coalesce((
        SELECT kind FROM judgment
        WHERE judgment.topic = asked.topic AND judgment.document = asked.document
        AND judgment.assessor = asked.assessor AND judgment.seq > asked.seq
        AND judgment.kind IN ({OWN_KINDS}) ORDER BY judgment.seq DESC LIMIT 1
    ), 'cleared') = 'cleared'"""


class Request(NamedTuple):
    """A pair that an assessor is to judge again: since which row of the log, and whether they have not done so yet."""

    topic_id: str
    document_id: str
    assessor: str
    seq: int
    is_open: bool


def put(
    campaign: Campaign, pairs: Sequence[tuple[str, str, str]], *, taken_back: bool = False, reason: str = ""
) -> int:
    """Request pairs, or withdraw requests, inside the open write transaction; returns the event's `seq`."""
    content = {"pairs": list(map(list, pairs)), "reason": reason}
    return append_event(campaign, TAKEN_BACK if taken_back else REQUESTED, content)


@part(*KINDS, start=dict)
def _requested(found: dict[tuple[str, str, str], int], event: Event) -> None:
    """The row that requested each pair of each assessor, topic and document first, unless it was taken back."""
    for topic_id, document_id, assessor in event.content["pairs"]:
        found.pop((topic_id, document_id, assessor), None)
        if event.kind == REQUESTED:
            found[topic_id, document_id, assessor] = event.seq


def holding(campaign: Campaign, *, topic_id: str | None = None, assessor: str | None = None) -> list[Request]:
    """The requests that hold, answered ones too, in the order of the log; of one topic, or of one assessor."""
    who = None if assessor is None else id_of(campaign, assessor)
    asked = [
        (*key, seq)
        for key, seq in _requested(campaign).items()
        if topic_id in (None, key[0]) and who in (None, key[2])
    ]
    if not asked:
        return []
    rows = campaign.execute(
        f"""SELECT topic, document, {shown("assessor")} AS assessor, seq, {_IS_OPEN} FROM (
            SELECT value ->> 0 AS topic, value ->> 1 AS document, value ->> 2 AS assessor, value ->> 3 AS seq
            FROM json_each(?)
        ) AS asked ORDER BY seq, topic, document, assessor""",
        [json.dumps(asked)],
    )
    return [
        Request(topic, document, name, seq, bool(is_open)) for topic, document, name, seq, is_open in rows
    ]


def of_topic(campaign: Campaign, topic_id: str) -> dict[str, frozenset[str]]:
    """For each document of a topic that is to be judged again, or was so: by whom."""
    found: dict[str, frozenset[str]] = {}
    for request in holding(campaign, topic_id=topic_id):
        found[request.document_id] = found.get(request.document_id, frozenset()) | {request.assessor}
    return found


def requests(campaign: Campaign) -> list[Event]:
    """The events that requested pairs, in the order of the log."""
    return events(campaign, REQUESTED)


def history_of(campaign: Campaign, topic_id: str, document_id: str) -> list[Event]:
    """The events about one pair, in the order of the log."""
    return [
        event
        for event in events(campaign, *KINDS)
        if any(pair[:2] == [topic_id, document_id] for pair in event.content["pairs"])
    ]
