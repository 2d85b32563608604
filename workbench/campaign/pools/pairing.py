"""Pools of questions about pairs: they begin empty, and grow by what a strategy of `methods.pairing` chooses.

As with adaptive pools a choice is a row of the log that follows from the pool's record and from what there was as of
the row that it names, so the audit makes it again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from workbench.campaign import battles
from workbench.core.about import DOCUMENT_PAIRS
from workbench.core.errors import CampaignError
from workbench.methods.pairing import PairChoice, TopicThings, chosen_pairs
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import broken, documents, pairs, pools, topic_withdrawals, units
from workbench.storage.campaign.collection.choices import Choice
from workbench.storage.campaign.collection.pools import PoolRecord, StoredPool
from workbench.storage.campaign.collection.question_topics import about, key_of, question_of, topic_of
from workbench.storage.campaign.collection.unit_records import as_bytes
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.organising import settings


class PairChooser:
    """One pool's choices of pairs."""

    def __init__(self, pool: StoredPool) -> None:
        """A pool of a question about pairs."""
        self.pool = pool

    def next(self, campaign: Campaign, seen: int, touched: set[str] | None) -> Iterator[Choice]:
        """The choices that are due as of the row `seen`, which is the newest, for these topics (None for all).

        A topic whose pairs are refused by now, as it has too many things, gets no more.
        """
        closed = assignments.closed(campaign).keys() | topic_withdrawals.withdrawn(campaign).keys()
        itself = None if touched is None else {topic_of(campaign, each) for each in touched}
        for topic_id in units.topics(campaign):
            if topic_id in closed or not (itself is None or topic_of(campaign, topic_id) in itself):
                continue
            pooled = pools.pooled_of_topic(campaign, topic_id)
            try:
                choice = self.choose_beside(campaign, topic_id, 0, seen, pooled)
            except CampaignError:
                continue
            if choice.pairs:
                yield choice

    def choose_beside(
        self, campaign: Campaign, topic_id: str, count: int, seen: int, pooled: Sequence[str]
    ) -> Choice:
        """The pairs of a topic that are due by what there was as of the row `seen`, where these pairs are pooled.

        However many there are: `count` is of pools that choose documents. CampaignError where the strategy refuses.
        """
        kind = about(campaign, topic_id)
        found, texts = _due(campaign.at(seen), self.pool.record, topic_id, pooled)
        rows = tuple((pairs.pair_id(kind, each.first, each.second), 0, 0) for each in found)
        compared = tuple((each.first, each.second, each.probability) for each in found)
        return Choice(self.pool.pool, topic_id, rows, seen, texts=texts, compared=compared)


def _due(
    campaign: Campaign, record: PoolRecord, topic_id: str, pooled: Sequence[str]
) -> tuple[list[PairChoice], str]:
    """The pairs of a topic that a pool of this record asks next beside these, and the checksum of `things_of`."""
    things, texts = things_of(campaign, topic_id)
    followed = record.parameters.get("question", "")
    other = key_of(topic_of(campaign, topic_id), followed) if followed else ""
    of_other = _asked(campaign, other, pools.pooled_of_topic(campaign, other)) if followed else ()
    asked, answered = _asked(campaign, topic_id, pooled), battles.answered(campaign, topic_id)
    known = TopicThings(topic_id, tuple(things), asked, answered, of_other)
    return chosen_pairs(record.strategy, known, record.seed, record.parameters), texts


def things_of(campaign: Campaign, topic_id: str) -> tuple[list[str], str]:
    """The ids of what can be compared of a topic of a question, in byte order, and a checksum of texts that decide it.

    Documents are those that are pooled for the topic itself and have a text that is not broken, from the question's
    label on where it has one, of documents with the same text the first; answers and lists are those of runs in force.
    """
    if about(campaign, topic_id) != DOCUMENT_PAIRS:
        found = pairs.things_of_runs(campaign, topic_id).items()
        there = [each for each, thing in found if pairs.runs_in_force(campaign, thing)]
        return sorted(there, key=str.encode), ""
    seen, itself = campaign.asking(""), topic_of(campaign, topic_id)
    pooled = pools.pooled_of_topic(seen, itself)
    asked_from = settings.read(seen).question(question_of(campaign, topic_id)).asked_from
    if asked_from is not None:
        grades = labels.grades_of_topic(seen, itself)
        pooled = [each for each in pooled if grades.get(each, asked_from - 1) >= asked_from]
    hashes, marked = documents.text_hashes(campaign, pooled), broken.marked(campaign)
    first: dict[str, str] = {}
    for each in sorted(hashes.keys() - marked.keys(), key=str.encode):
        first.setdefault(hashes[each], each)
    return list(first.values()), sha256(as_bytes(list(first.items()))).hexdigest()


def _asked(campaign: Campaign, topic_id: str, pooled: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """The pairs of a topic that were chosen and are pooled, in the order of the log."""
    there, chosen = set(pooled), pairs.chosen(campaign, topic_id)
    return tuple(dict.fromkeys((each.first, each.second) for each in chosen if each.unit_id in there))


def followed_seed(campaign: Campaign, parameters: Mapping[str, Any]) -> int | None:
    """The seed of the pool whose pairs a pool of these parameters follows, so that both draw the same sides; else None.

    CampaignError for a question that has no pool, or compares something else.
    """
    name = parameters.get("question")
    if name is None:
        return None
    question, own = (settings.read(campaign.asking("")).question(each) for each in (name, campaign.question))
    made = pools.in_force(campaign.asking(name))
    if not made or (question.about, question.depth) != (own.about, own.depth) or name == own.name:
        raise CampaignError(
            f"{name} has no pairs that {own.name} could follow; name another question about pairs"
        )
    return made[-1].record.seed


def refuse_none(campaign: Campaign, record: PoolRecord) -> None:
    """CampaignError where a pool of this record would have nothing to compare, or its strategy refuses a topic."""
    there = [len(things_of(campaign, topic_id)[0]) for topic_id in units.topics(campaign)]
    if max(there, default=0) < 2:
        kind = about(campaign)
        raise CampaignError(
            f"no topic has two things that {campaign.question} could compare; "
            + ("pool documents first, and add their texts" if kind == DOCUMENT_PAIRS else "add runs first")
        )
    for topic_id in units.topics(campaign):
        _due(campaign, record, topic_id, pools.pooled_of_topic(campaign, topic_id))
