"""Draws of pairs that are to be judged by a second assessor: events that name each pair with its probability."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events

DRAW = kinds.DRAW
STRATA = ("none", "topic", "grade")
ALLOCATIONS = ("proportional", "equal")


class DrawnPair(NamedTuple):
    """A pair of a draw: the stratum it was drawn from, and the probability it had to be drawn."""

    topic_id: str
    document_id: str
    stratum: str
    inclusion_probability: float


class DrawRecord(NamedTuple):
    """How a draw was made: the share asked for, the seed, how pairs were grouped and shared out among the groups, and
    how many pairs there were to draw from.
    """

    share: float
    seed: int
    stratify: str
    allocate: str
    pairs: int


class StoredDraw(NamedTuple):
    """A draw with its event's `seq` and time."""

    record: DrawRecord
    drawn: tuple[DrawnPair, ...]
    seq: int
    at: str


def put(
    campaign: Campaign,
    record: DrawRecord,
    drawn: Sequence[DrawnPair],
    *,
    actor: str,
    now: datetime | None = None,
) -> int:
    """Store a draw inside the open write transaction; no pair may be drawn already. Returns the event's `seq`."""
    content = {**record._asdict(), "drawn": list(map(list, drawn))}
    seq = append_event(campaign, DRAW, content, actor=actor, now=now)
    campaign.db.conn.executemany(
        "INSERT INTO drawn_pair (topic, document, stratum, inclusion_probability, seq) VALUES (?, ?, ?, ?, ?)",
        [(*pair, seq) for pair in drawn],
    )
    return seq


def all_draws(campaign: Campaign, as_of: int | None = None) -> list[StoredDraw]:
    """The draws, oldest first, from the log."""
    return [_stored(event) for event in events(campaign, DRAW, as_of=as_of)]


def drawn_of_topics(campaign: Campaign, topic_ids: Collection[str]) -> dict[str, set[str]]:
    """The documents that are drawn in each of these topics; topics without any are left out."""
    rows = campaign.db.conn.execute(
        "SELECT topic, document FROM drawn_pair WHERE topic IN (SELECT value FROM json_each(?))",
        [json.dumps(list(topic_ids))],
    )
    found: dict[str, set[str]] = {}
    for topic_id, document_id in rows:
        found.setdefault(topic_id, set()).add(document_id)
    return found


def is_drawn(campaign: Campaign, topic_id: str, document_id: str) -> bool:
    """Whether a pair is to be judged by a second assessor."""
    row = campaign.db.conn.execute(
        "SELECT 1 FROM drawn_pair WHERE topic = ? AND document = ?", [topic_id, document_id]
    ).fetchone()
    return row is not None


def drawn_by_topic(campaign: Campaign) -> dict[str, int]:
    """How many pairs of each topic are drawn; topics without any are left out."""
    rows = campaign.db.conn.execute("SELECT topic, count(*) FROM drawn_pair GROUP BY topic")
    return dict(rows.fetchall())


def stored(campaign: Campaign) -> dict[tuple[str, str], tuple[str, float, int]]:
    """Each drawn pair's stratum, probability and event, as the table has them."""
    rows = campaign.db.conn.execute(
        "SELECT topic, document, stratum, inclusion_probability, seq FROM drawn_pair"
    )
    return {(topic, document): tuple(rest) for topic, document, *rest in rows}


def replay(logged: Iterable[Event]) -> dict[tuple[str, str], tuple[str, float, int]]:
    """The same from the events of draws alone."""
    return {
        (pair.topic_id, pair.document_id): (pair.stratum, pair.inclusion_probability, draw.seq)
        for draw in map(_stored, logged)
        for pair in draw.drawn
    }


def _stored(event: Event) -> StoredDraw:
    record = DrawRecord(*(event.content[name] for name in DrawRecord._fields))
    drawn = tuple(DrawnPair(*pair) for pair in event.content["drawn"])
    return StoredDraw(record, drawn, event.seq, event.at)
