"""Who is to judge which topic: assignments, and topics that are closed. All of it is events of the log.

A topic may have several assessors for the whole of it, then each of them judges every pair; and a second assessor,
who judges the pairs that were drawn for a second judgment. No assessor is both. What an assessor judged before a topic
was assigned to another stays in the log, and current.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.erasable import Ids, id_of
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import part as part_of_state

WHOLE, SECOND = "whole", "second"
PARTS = (WHOLE, SECOND)
ASSIGNMENT, CLOSING, REOPENING = kinds.ASSIGNMENT, kinds.CLOSING, kinds.REOPENING

_ASSESSOR = shown("assessor")


class Assignment(NamedTuple):
    """A topic that an assessor is to judge: `part` is one of PARTS, `seq` the event that said so."""

    topic_id: str
    assessor: str
    part: str
    seq: int


class Assigned(NamedTuple):
    """The assignments that hold, by topic and assessor, and those that held once and do not any more.

    Values are a part, the event that made or ended the assignment, and for those that hold a place in that event.
    """

    now: dict[tuple[str, str], tuple[str, int, int]]
    former: dict[tuple[str, str], tuple[str, int]]


def put(
    campaign: Campaign, replaced: Iterable[tuple[str, str]], assigned: Iterable[tuple[str, str, str]]
) -> int:
    """End all assignments of these topics' parts, and make new ones, inside the open write transaction.

    Args:
        campaign: an open campaign.
        replaced: topic and part.
        assigned: topic, part and assessor; no assessor may have two parts of a topic.

    Returns the event's `seq`.
    """
    content = {"replaced": list(map(list, replaced)), "assigned": list(map(list, assigned))}
    seq = append_event(campaign, ASSIGNMENT, content)
    state = stored(campaign)
    _apply(state, seq, content)
    connection, ids = campaign.db.conn, Ids(campaign)
    connection.execute("DELETE FROM assignment")
    connection.execute("DELETE FROM former_assignment")
    connection.executemany(
        "INSERT INTO assignment (topic, assessor, part, seq, place) VALUES (?, ?, ?, ?, ?)",
        [(topic_id, ids[name], *value) for (topic_id, name), value in state.now.items()],
    )
    connection.executemany(
        "INSERT INTO former_assignment (topic, assessor, part, seq) VALUES (?, ?, ?, ?)",
        [(topic_id, ids[name], *value) for (topic_id, name), value in state.former.items()],
    )
    return seq


def all_assignments(campaign: Campaign) -> list[Assignment]:
    """The assignments that hold, or held as of a place in the log, in the order in which they were made."""
    state = _state(campaign)
    ordered = sorted(state.now.items(), key=lambda entry: entry[1][1:])
    return [Assignment(*key, part, seq) for key, (part, seq, _) in ordered]


def owners(campaign: Campaign) -> dict[str, tuple[str, ...]]:
    """Each assigned topic's assessors for the whole of it, in the order in which they were assigned."""
    found: dict[str, tuple[str, ...]] = {}
    for assignment in all_assignments(campaign):
        if assignment.part == WHOLE:
            found[assignment.topic_id] = (*found.get(assignment.topic_id, ()), assignment.assessor)
    return found


def of_topic(campaign: Campaign, topic_id: str) -> dict[str, str]:
    """The part of each assignee of a topic."""
    return campaign.mapping(f"SELECT {_ASSESSOR}, part FROM assignment WHERE topic = ?", [topic_id])


def topics_of(campaign: Campaign, assessor: str) -> list[str]:
    """The topics of which an assessor has a part, in byte order of the ids."""
    return campaign.column(
        "SELECT topic FROM assignment WHERE assessor = ? ORDER BY topic", [id_of(campaign, assessor)]
    )


def seconds_ever(campaign: Campaign, topic_id: str) -> frozenset[str]:
    """Those who are a topic's second assessor, or were last: what they judged is a second judgment."""
    found = campaign.column(
        f"""SELECT {_ASSESSOR} FROM assignment WHERE topic = :topic AND part = 'second'
        UNION SELECT {_ASSESSOR} FROM former_assignment WHERE topic = :topic AND part = 'second'""",
        {"topic": topic_id},
    )
    return frozenset(found)


def close_topics(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> int:
    """Close topics inside the open write transaction: nothing is judged there any more. Returns the event's `seq`."""
    content = {"topics": list(topic_ids), "reason": reason}
    return append_event(campaign, CLOSING, content)


def reopen_topics(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> int:
    """Open closed topics again inside the open write transaction; returns the event's `seq`."""
    content = {"topics": list(topic_ids), "reason": reason}
    return append_event(campaign, REOPENING, content)


@part_of_state(CLOSING, REOPENING, start=dict)
def closed(found: dict[str, int], event: Event) -> None:
    """The closed topics, each with the event that closed it."""
    for topic_id in event.content["topics"]:
        if event.kind == CLOSING:
            found.setdefault(topic_id, event.seq)
        else:
            found.pop(topic_id, None)


def stored(campaign: Campaign) -> Assigned:
    """The assignments as the tables have them."""
    connection = campaign.db.conn
    now = connection.execute(f"SELECT topic, {_ASSESSOR}, part, seq, place FROM assignment").fetchall()
    former = connection.execute(f"SELECT topic, {_ASSESSOR}, part, seq FROM former_assignment").fetchall()
    return Assigned(
        {(topic, assessor): tuple(value) for topic, assessor, *value in now},
        {(topic, assessor): tuple(value) for topic, assessor, *value in former},
    )


def _state(campaign: Campaign) -> Assigned:
    """The assignments now, or as of a row of the log."""
    return stored(campaign) if campaign.as_of is None else replay(events(campaign, ASSIGNMENT))


def replay(logged: Iterable[Event]) -> Assigned:
    """The assignments from their events alone."""
    state = Assigned({}, {})
    for event in logged:
        _apply(state, event.seq, event.content)
    return state


def _apply(state: Assigned, seq: int, content: dict[str, Any]) -> None:
    ended = {(topic_id, part) for topic_id, part in content["replaced"]}
    for (topic_id, assessor), (part, _, _) in list(state.now.items()):
        if (topic_id, part) in ended:
            del state.now[topic_id, assessor]
            state.former[topic_id, assessor] = (part, seq)
    for place, (topic_id, part, assessor) in enumerate(content["assigned"]):
        state.former.pop((topic_id, assessor), None)
        state.now[topic_id, assessor] = (part, seq, place)


def second_assessors(campaign: Campaign) -> frozenset[tuple[str, str]]:
    """Topic and assessor of those who judge, or judged, no more than what is to be judged twice."""
    state = _state(campaign)
    held = [*state.now.items(), *state.former.items()]
    return frozenset(key for key, (part, *_) in held if part == SECOND)
