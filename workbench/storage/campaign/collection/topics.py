"""Topics of a campaign: the texts in force, and every text that ever was, as events."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, NamedTuple

from workbench.core.errors import NotThere
from workbench.core.records import Topic
from workbench.core.wording import none_such
from workbench.storage.campaign.collection import broken
from workbench.storage.campaign.collection.question_topics import asked, key_of, keys_of
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds, log
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import part
from workbench.storage.campaign.organising import settings

TOPICS = kinds.TOPICS
"""The kind of event that sets the texts of topics."""


class StoredTopic(NamedTuple):
    """A topic and its version: the `seq` of the event that set its text."""

    topic: Topic
    version: int


def topic_ids(campaign: Campaign) -> list[str]:
    """All topic ids in byte order."""
    if campaign.as_of is not None:
        return asked(campaign, sorted(by_id(campaign)))
    return asked(campaign, campaign.column("SELECT topic FROM topic ORDER BY topic"))


def count(campaign: Campaign) -> int:
    """How many topics there are."""
    return len(topic_ids(campaign.now))


def all_topics(campaign: Campaign) -> list[StoredTopic]:
    """All topics with their versions, in byte order of their ids."""
    every = {row[0]: row for row in campaign.execute(f"{_SELECT} ORDER BY topic")}
    return [_stored(every[topic_id]) for topic_id in asked(campaign, every)]


def titles(campaign: Campaign) -> dict[str, str]:
    """The titles of all topics by id, in byte order of the ids."""
    found = campaign.mapping("SELECT topic, title FROM topic ORDER BY topic")
    return {topic_id: found[topic_id] for topic_id in asked(campaign, found)}


def judged(campaign: Campaign) -> list[str]:
    """The topics that judgments name, in byte order."""
    return asked(campaign, log.judged_topics(campaign))


def find(campaign: Campaign, topic_id: str) -> StoredTopic | None:
    """The topic of this id, or None."""
    row = campaign.execute(f"{_SELECT} WHERE topic = ?", [topic_id]).fetchone()
    if row is None and campaign.as_of is None:
        return None
    found = None if row is None else _stored(row)  # it may have been deleted since
    return found if found and found.version <= campaign.up_to else by_id(campaign).get(topic_id)


def named(campaign: Campaign, topic_id: str) -> StoredTopic:
    """The topic of this id; NotThere names similar ids when there is none."""
    stored = find(campaign, topic_id)
    if stored is None:
        raise NotThere(none_such("topic", topic_id, topic_ids(campaign), of=campaign.name))
    return stored


class PooledTopic(NamedTuple):
    """A pooled pair's topic: text, version and pool, hash of the document's text if any, and if it is marked broken."""

    topic: StoredTopic
    pool: int
    text_hash: str | None
    is_broken: bool


def of_pair(campaign: Campaign, topic_id: str, document_id: str) -> PooledTopic | None:
    """The topic of a pair; None where the pair is in no pool."""
    row = campaign.execute(
        f"""{_COLUMNS}, pool, text_hash FROM pooled JOIN topic USING (topic)
        JOIN document USING (document) WHERE pooled.topic = ? AND pooled.document = ?""",
        [topic_id, document_id],
    ).fetchone()
    is_broken = document_id in broken.held_back(campaign)
    return None if row is None else PooledTopic(_stored(row[:6]), row[6], row[7], is_broken)


def put(campaign: Campaign, topics: Sequence[Topic], *, files: Sequence[dict[str, Any]]) -> int:
    """Add topics or replace their texts inside the open write transaction; returns the event's `seq`.

    `files` says where they came from, as recorded in the event; the event holds the whole texts. The topics of the
    campaign's further questions follow, with an event each.
    """
    content = {"files": list(files), "topics": [_content(topic) for topic in topics]}
    seq = _put(campaign, topics, content)
    for question in settings.read(campaign).questions:
        put_question(campaign, question.name, topics)
    return seq


def put_question(campaign: Campaign, question: str, topics: Sequence[Topic]) -> int:
    """Add or replace the topics that hold a question's answers, inside the open write transaction; its `seq`."""
    own = [topic._replace(topic_id=key_of(topic.topic_id, question)) for topic in topics]
    return _put(
        campaign, own, {"files": [], "topics": [_content(topic) for topic in own], "question": question}
    )


def _put(campaign: Campaign, topics: Sequence[Topic], content: dict[str, Any]) -> int:
    seq = append_event(campaign, TOPICS, content)
    campaign.db.conn.executemany(
        "INSERT INTO topic (topic, title, description, narrative, fields, version) VALUES (?, ?, ?, ?, ?, ?) "
        "ON CONFLICT (topic) DO UPDATE SET title = excluded.title, description = excluded.description, "
        "narrative = excluded.narrative, fields = excluded.fields, version = excluded.version",
        [(*topic[:4], json.dumps(dict(topic.fields), ensure_ascii=False), seq) for topic in topics],
    )
    return seq


@part(kinds.TOPIC_WITHDRAWAL, kinds.CLOSING, kinds.NORMING_OPENED, kinds.NUGGETS, start=set)
def named_in_events(found: set[str], event: Event) -> None:
    """The topics that were once withdrawn, closed, or had a norming session or nuggets."""
    found.update(event.content.get("topics") or [event.content["topic"]])


def remove(campaign: Campaign, topic_ids: Sequence[str], *, reason: str = "") -> int:
    """Delete topics nothing refers to, and their questions, inside the open write transaction; the event's `seq`."""
    gone = [*topic_ids, *keys_of(campaign, topic_ids)]
    content = {"files": [], "topics": [], "removed": gone, "reason": reason}
    seq = append_event(campaign, TOPICS, content)
    campaign.db.conn.executemany("DELETE FROM topic WHERE topic = ?", [(each,) for each in gone])
    return seq


def had_version(campaign: Campaign, topic_id: str, version: int | None) -> bool:
    """Whether the topic's text ever was the one of this version."""
    return version is not None and bool(versions(campaign, topic_id, version))


def versions(campaign: Campaign, topic_id: str, at: int | None = None) -> list[Event]:
    """The events that set the text of a topic, oldest first, or the one at a row of the log."""
    found = events(campaign, TOPICS, at=at)
    return [
        event for event in found if any(topic["topic_id"] == topic_id for topic in event.content["topics"])
    ]


@part(TOPICS, start=dict)
def by_id(found: dict[str, StoredTopic], event: Event) -> None:
    """All topics in the order in which they came in."""
    for content in event.content["topics"]:
        found[content["topic_id"]] = StoredTopic(Topic(**content), event.seq)
    for topic_id in event.content.get("removed", ()):
        del found[topic_id]


def first_seqs(campaign: Campaign) -> dict[str, int]:
    """The `seq` of the event that first named each topic."""
    found: dict[str, int] = {}
    for event in events(campaign, TOPICS):
        for content in event.content["topics"]:
            found.setdefault(content["topic_id"], event.seq)
    return found


_COLUMNS = "SELECT topic.topic, topic.title, description, narrative, topic.fields, version"
_SELECT = f"{_COLUMNS} FROM topic"


def _stored(row: tuple[Any, ...]) -> StoredTopic:
    topic_id, title, description, narrative, fields, version = row
    return StoredTopic(Topic(topic_id, title, description, narrative, json.loads(fields)), version)


def _content(topic: Topic) -> dict[str, Any]:
    return {**topic._asdict(), "fields": dict(topic.fields)}
