"""Which documents of a topic an assessor is shown, in which order."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from workbench.campaign.assessing import repeats
from workbench.campaign.assessing.permission import part_of
from workbench.core.errors import NotThere
from workbench.core.records import REMAPPED, Judgment, Pooled
from workbench.methods.pooling.order import order_pairs
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, near_duplicates, pools, units
from workbench.storage.campaign.collection.question_topics import question_of
from workbench.storage.campaign.grades import chosen_labels, judgments
from workbench.storage.campaign.grades.scales import as_given
from workbench.storage.campaign.people import bookmarks


class QueueItem(NamedTuple):
    """A document to judge.

    Attributes:
        state: open, mine, or other (judged by another assessor; that grade stays hidden).
        kind, grade, seq: of this assessor's own judgment in force, else None.
        given: the row by which they gave it, where a later scale made the one in force; else None.
        chosen: of several labels those that they chose.
        later: whether this assessor put it off.
        near: the group of documents of the topic that are almost the same, if it is in one.
    """

    document_id: str
    state: Literal["open", "mine", "other"]
    kind: str | None = None
    grade: int | None = None
    seq: int | None = None
    later: bool = False
    near: str | None = None
    given: int | None = None
    chosen: int | None = None

    @classmethod
    def of(cls, document_id: str, mine: Judgment | None, *, is_stale: bool = False) -> QueueItem:
        """A document by what this assessor said of it, whatever others said."""
        if mine is None or mine.kind == "cleared" or is_stale:
            return cls(document_id, "open", seq=mine and mine.seq, chosen=mine and mine.chosen)
        return cls(document_id, "mine", mine.kind, mine.grade, mine.seq, chosen=mine.chosen)


def queue(campaign: Campaign, topic_id: str, assessor: str) -> list[QueueItem]:
    """A topic's pooled documents in this assessor's viewing order, as the newest pool asks for it.

    Near duplicates follow the first of them in this order, at its place. Documents whose text is missing or broken
    are held back: they cannot be judged. A due repeat is open, among the other open ones. The nuggets of an answer
    follow each other in the order of the bank, and so do the documents that one sentence cites.
    What they graded before a label came is open, with the labels that they chose.
    A second assessor has the pairs that were drawn, and one who has nothing else of the topic those that an organiser
    has judged again; `other` are those without room for one more.
    """
    with campaign.snapshot():
        part = part_of(campaign, topic_id, assessor)
        pairs = [pair.pooled for pair in pools.pooled_pairs(campaign, topic_id)]
        if not pairs:
            raise NotThere(f"topic {topic_id!r} has no pooled documents in {campaign.name}")
        current = judgments.current_of_topic(campaign, topic_id)
        mine, again = repeats.own_judgments_in_topic(campaign, topic_id, assessor, current)
        stale = chosen_labels.stale(campaign, topic_id, assessor)
        put_off = bookmarks.of_topic(campaign, assessor, topic_id)
        unread = documents.held_back_for(campaign, topic_id)
        near = near_duplicates.of_topic(campaign, topic_id)
        newest = pools.in_force(campaign.asking(question_of(campaign, topic_id)))[-1].record
        ordered = [
            pair
            for pair in _in_order(campaign, topic_id, pairs, newest, assessor)
            if pair.document_id not in unread and part.holds(pair.document_id, assessor)
        ]
        given = as_given(campaign, [row.seq for row in mine.values() if row.source == REMAPPED])
    judged = part.full(current, assessor) - again
    own = [(pair.document_id, mine.get(pair.document_id)) for pair in ordered]
    items = [_queue_item(QueueItem.of(*each, is_stale=each[0] in stale), judged, put_off) for each in own]
    items = [item._replace(given=given[item.seq].seq) if item.seq in given else item for item in items]
    placed = _near_together([item._replace(near=near.get(item.document_id)) for item in items])
    return _among_the_open(placed, again)


def _in_order(
    campaign: Campaign, topic_id: str, pairs: Iterable[Pooled], made: pools.PoolRecord, assessor: str
) -> list[Pooled]:
    """A topic's pairs in viewing order; units of one answer, or of one sentence, together, as if they were one pair."""

    def ordered(some: Iterable[Pooled]) -> list[Pooled]:
        return order_pairs(some, order=made.viewing, seed=made.seed, assessor=assessor)

    places = units.places(campaign, topic_id)
    if not places:
        return ordered(pairs)
    groups: dict[str, list[Pooled]] = {}
    for pair in ordered(pairs):
        place = places.get(pair.document_id)  # None for what a bundle brought without its run
        groups.setdefault(place.group if place else pair.document_id, []).append(pair)
    as_one = ordered(group[0]._replace(document_id=name) for name, group in groups.items())
    return [
        pair
        for one in as_one
        for pair in sorted(
            groups[one.document_id],
            key=lambda pair: places[pair.document_id].place if pair.document_id in places else 0,
        )
    ]


def size(campaign: Campaign, items: Sequence[QueueItem], topic_id: str, assessor: str) -> int:
    """How many documents a topic has for an assessor, where one that comes again, or did, is one more."""
    again = repeats.said_again(campaign, assessor, topic_id)
    return len(items) + sum((topic_id, item.document_id) in again for item in items)


def _near_together(items: Sequence[QueueItem]) -> list[QueueItem]:
    groups: dict[tuple[str, bool], list[QueueItem]] = {}
    for item in items:
        key = (item.document_id, False) if item.near is None else (item.near, True)
        groups.setdefault(key, []).append(item)
    return [item for group in groups.values() for item in group]


def _among_the_open(items: Sequence[QueueItem], again: set[str]) -> list[QueueItem]:
    """Repeated documents, one after every second open one: all in a row they would be recognised."""
    waiting = [item._replace(near=None) for item in items if item.document_id in again]
    found: list[QueueItem] = []
    number = 0
    for item in (item for item in items if item.document_id not in again):
        found.append(item)
        number += item.state == "open"
        if waiting and item.state == "open" and number % 2 == 0:
            found.append(waiting.pop(0))
    return [*found, *waiting]


def _queue_item(item: QueueItem, judged: set[str], put_off: set[str]) -> QueueItem:
    if item.state == "mine":
        return item
    state: Literal["other", "open"] = "other" if item.document_id in judged else "open"
    return item._replace(state=state, later=item.document_id in put_off)
