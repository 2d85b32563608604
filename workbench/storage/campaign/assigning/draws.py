"""Draws of pairs that are to be judged by a second assessor: events that name each pair with its probability."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from workbench.storage.campaign.collection.question_topics import asked
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import part

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
    """How a draw was made: share, seed, grouping of pairs, allocation to groups, and pairs to draw from."""

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


def put(campaign: Campaign, record: DrawRecord, drawn: Sequence[DrawnPair]) -> int:
    """Store a draw inside the open write transaction; no pair may be drawn already. Returns the event's `seq`."""
    content = {**record._asdict(), "drawn": list(map(list, drawn))}
    return append_event(campaign, DRAW, content)


def all_draws(campaign: Campaign) -> list[StoredDraw]:
    """The draws from pairs of the question by which the campaign is seen, oldest first."""
    return [draw for draw in _of_all(campaign) if asked(campaign, [pair.topic_id for pair in draw.drawn[:1]])]


@part(DRAW, start=list)
def _of_all(found: list[StoredDraw], event: Event) -> None:
    record = DrawRecord(*(event.content[name] for name in DrawRecord._fields))
    pairs = tuple(DrawnPair(*pair) for pair in event.content["drawn"])
    found.append(StoredDraw(record, pairs, event.seq, event.at))


@part(DRAW, start=dict)
def drawn(found: dict[str, frozenset[str]], event: Event) -> None:
    """The documents that are to be judged by a second assessor, by topic; topics without any are left out."""
    for topic_id, pairs in groupby(sorted(event.content["drawn"]), key=itemgetter(0)):
        found[topic_id] = found.get(topic_id, frozenset()).union(pair[1] for pair in pairs)
