"""Adaptive pools while they are judged: the next documents of each topic, chosen by what is judged so far.

A choice is a row of the log: the documents, and the row as of which judgments were looked at. With the pool's record
(strategy, parameters, seed) that is all it follows from, so the audit chooses again and gets the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from workbench.campaign.adaptive_pools import ACTOR, adaptive_pools
from workbench.campaign.near_duplicates import find_near_duplicates
from workbench.campaign.pools.candidates import Candidates, seen_of, taken_of
from workbench.campaign.pools.material import CHANGES_POOLS
from workbench.campaign.pools.pairing import PairChooser
from workbench.core.about import DOCUMENTS
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.pairing import PAIRINGS
from workbench.methods.pooling import STRATEGIES, adaptive
from workbench.methods.pooling.ordering import OF_ORDERS
from workbench.methods.pooling.topic_table import Seen, TopicTable
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import choices, documents, pools, topic_withdrawals
from workbench.storage.campaign.collection.choices import Choice
from workbench.storage.campaign.collection.pools import StoredPool
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.grades import current_judgments, labels
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Followers
from workbench.storage.campaign.log.kinds import CHOICE
from workbench.storage.campaign.log.log import changes_since
from workbench.storage.campaign.organising import settings

MOST_HELD_BACK = 5
"""This many batches may wait for a text before a topic gets no more: a campaign without texts would be pooled whole."""


def choose_next(campaign: Campaign, *, now: datetime | None = None) -> list[Choice]:
    """Let all adaptive pools choose for the topics that need it; the choices, which are stored.

    Several processes may do so at the same time: of two that choose by the same rows one stores its choices, and the
    other looks again.
    """
    chooser = _choosers.of(campaign)
    while adaptive_pools(campaign) and (found := chooser.next(campaign)):
        with campaign.write():
            if log.newest_event(campaign, {CHOICE, *CHANGES_POOLS}).seq <= found[0].seen:
                return _stored(campaign, found, now)
    return []


def _stored(campaign: Campaign, found: Sequence[Choice], now: datetime | None) -> list[Choice]:
    documents.put_ids(campaign, sorted({pair[0] for choice in found for pair in choice.pairs}))
    return [choice._replace(seq=choices.put_choice(campaign.by(ACTOR, now), choice)) for choice in found]


def choose_for(path: Path) -> bool:
    """What a worker process does for the server: choose for the campaign at `path` what is due, if anything is.

    Then near duplicates are looked for among what is pooled now, as after every pool.
    """
    with open_campaign(path) as campaign:
        asked = ("", *(each.name for each in settings.read(campaign).questions))
        chosen = {choice.topic_id for name in asked for choice in choose_next(campaign.asking(name))}
        if of_documents := {topic_id for topic_id in chosen if about(campaign, topic_id) == DOCUMENTS}:
            find_near_duplicates(campaign, of_documents)
        return bool(chosen)


class Chooser:
    """What is kept of one campaign between choices; a choice never depends on it."""

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._known: dict[int, PoolChooser | PairChooser] = {}
        self._head: log.Head | None = None

    def next(self, campaign: Campaign) -> list[Choice]:
        """The choices that are due now, none of them stored; one for each topic, of the oldest pool that has one."""
        with campaign.snapshot():
            head = log.head(campaign)
            if head == self._head:
                return []
            touched, made = self._touched(campaign), adaptive_pools(campaign)
            self._known = {pool.pool: self._known.get(pool.pool) or chooser_of(pool) for pool in made}
            found: dict[str, Choice] = {}
            for chooser in self._known.values():
                for choice in chooser.next(campaign, head.seq, touched):
                    found.setdefault(choice.topic_id, choice)
        if not found:  # else what was looked at is looked at again, with the choices
            self._head = head
        return list(found.values())

    def _touched(self, campaign: Campaign) -> set[str] | None:
        """The topics that were judged or chosen for since the last look; None for all topics."""
        news = None if self._head is None else changes_since(campaign, self._head)
        if news is None or news.events - {CHOICE}:
            return None
        return {topic_id for topic_id, _ in (*news.judged, *news.chosen)}


def chooser_of(pool: StoredPool) -> PoolChooser | PairChooser:
    """What makes a pool's choices, or makes them again."""
    return PairChooser(pool) if pool.record.strategy in PAIRINGS else PoolChooser(pool)


class _Beginning(NamedTuple):
    """The topics with candidates, how many each had when the pool was made and how many of these in earlier pools."""

    topic_ids: list[str]
    sizes: IntArray
    before: IntArray


class PoolChooser:
    """One pool's choices."""

    def __init__(self, pool: StoredPool) -> None:
        """Nothing is read yet."""
        self.pool = pool
        self.candidates = Candidates(pool)
        parameters = self.candidates.parameters
        self.batch = int(parameters["batch"])
        self.own = {
            name: value
            for name, value in parameters.items()
            if name not in (*OF_ORDERS, *adaptive.OF_ADAPTIVE)
        }
        self.by_need = parameters["spread"] == "by-need"
        self.by_score = parameters["spread"] == "by-score"
        self._begun: _Beginning | None = None
        self._across: tuple[int, Any] | None = None

    def next(self, campaign: Campaign, seen: int, touched: set[str] | None) -> Iterator[Choice]:
        """The choices that are due as of the row `seen`, which is the newest, for these topics (None for all)."""
        closed = assignments.closed(campaign).keys() | topic_withdrawals.withdrawn(campaign).keys()
        left = self._left(campaign)
        for topic_id, room in self._rooms(campaign, touched, seen).items():
            if topic_id in closed or min(room, left) <= 0:
                continue
            wanted = min(room, left, self._wanted(campaign, topic_id))
            choice = self.choose(campaign, topic_id, wanted, seen) if wanted else None
            if choice is not None and choice.pairs:
                left -= len(choice.pairs)
                yield choice

    def choose(self, campaign: Campaign, topic_id: str, count: int, seen: int) -> Choice | None:
        """The next `count` documents of a topic as judged at row `seen` and pooled now; None without candidates."""
        return self.choose_beside(campaign, topic_id, count, seen, pools.pooled_of_topic(campaign, topic_id))

    def choose_beside(
        self, campaign: Campaign, topic_id: str, count: int, seen: int, pooled: Sequence[str]
    ) -> Choice | None:
        """The same where these documents of the topic are pooled."""
        table = self.candidates.table(campaign.at(seen), topic_id)
        function = self.candidates.entry.order
        if table is None or function is None:
            return None
        places = adaptive.next_places(
            function,
            table,
            self._seen(campaign, topic_id, table, seen),
            taken_of(campaign.at(seen), table, pooled),
            count,
            burn_in=self.candidates.parameters["burn_in"],
            own=self.own,
        )
        ranks, having = table.best_rank[places], table.found[:, places].sum(axis=0)
        named = [table.document_id[place] for place in places.tolist()]
        pairs = tuple(zip(named, ranks.tolist(), having.tolist(), strict=True))
        texts = "" if table.texts is None else table.texts.checksum
        return Choice(self.pool.pool, topic_id, pairs, seen, texts=texts)

    def _seen(self, campaign: Campaign, topic_id: str, table: TopicTable, seen: int) -> Seen:
        """What is judged of a topic as of the row `seen`, with what all topics together say where the order asks."""
        across = self.candidates.entry.across
        if across is not None and (self._across is None or self._across[0] != seen):
            self._across = seen, across(self._topics(campaign, seen), **self.own)
        return replace(
            seen_of(campaign.at(seen), topic_id, table),
            across=None if self._across is None else self._across[1],
        )

    def _topics(self, campaign: Campaign, seen: int) -> Iterator[tuple[TopicTable, Seen]]:
        for topic_id in self._beginning(campaign).topic_ids:
            table = self.candidates.table(campaign.at(seen), topic_id)
            if table is not None:
                yield table, seen_of(campaign.at(seen), topic_id, table)

    def _rooms(self, campaign: Campaign, touched: set[str] | None, seen: int) -> dict[str, int]:
        """How many pairs more each topic may have; unless spread evenly, one topic moves the shares of all."""
        begun = self._beginning(campaign)
        own = pools.pairs_by_topic_of(campaign, self.pool.pool)
        if self.by_score:
            due = self._shares_by_score(campaign, begun, own, seen)
        else:
            due = adaptive.shares(
                begun.sizes, self._relevant(campaign, begun.topic_ids), self.candidates.parameters
            )
        return {
            topic_id: int(share - before) - own.get(topic_id, 0)
            for topic_id, share, before in zip(begun.topic_ids, due, begun.before, strict=True)
            if self.by_need or self.by_score or touched is None or topic_id in touched
        }

    def _shares_by_score(
        self, campaign: Campaign, begun: _Beginning, own: Mapping[str, int], seen: int
    ) -> IntArray:
        pooled = pools.pooled_of_topics(campaign, begun.topic_ids)
        scores = [
            self._scores(campaign, topic_id, seen, list(pooled[topic_id])) for topic_id in begun.topic_ids
        ]
        taken = begun.before + np.array([own.get(topic_id, 0) for topic_id in begun.topic_ids], np.int64)
        least = np.minimum(begun.sizes, self.candidates.parameters["minimum"])
        return adaptive.shares_by_score(scores, taken, self._left(campaign), least)

    def _scores(self, campaign: Campaign, topic_id: str, seen: int, pooled: Sequence[str]) -> FloatArray:
        table, function = self.candidates.table(campaign.at(seen), topic_id), self.candidates.entry.order
        if table is None or function is None:
            return np.zeros(0)
        known = self._seen(campaign, topic_id, table, seen)
        scores: FloatArray = function(table, known, **self.own)
        return scores[~(taken_of(campaign.at(seen), table, pooled) | known.judged)]

    def _left(self, campaign: Campaign) -> int:
        """How many pairs the whole budget still buys; shares by need are rounded up, and shift after they were used."""
        begun = self._beginning(campaign)
        budget = int(adaptive.first_shares(begun.sizes, self.candidates.parameters).sum())
        return (
            budget - int(begun.before.sum()) - sum(pools.pairs_by_topic_of(campaign, self.pool.pool).values())
        )

    def _beginning(self, campaign: Campaign) -> _Beginning:
        if self._begun is None:
            topic_ids, sizes = self.candidates.sizes(campaign)
            earlier: dict[str, set[str]] = {}
            for pair in pools.each_pair(campaign.at(self.pool.seq - 1)):
                earlier.setdefault(pair.pooled.topic_id, set()).add(pair.pooled.document_id)
            ranked, depth = self.candidates.ranked(campaign.at(self.pool.seq)), self.candidates.depth
            before = [
                len(earlier[each] & ranked.documents(each, depth)) if each in earlier else 0
                for each in topic_ids
            ]
            self._begun = _Beginning(topic_ids, sizes, np.array(before, np.int64))
        return self._begun

    def _relevant(self, campaign: Campaign, topic_ids: Sequence[str]) -> IntArray:
        found = dict.fromkeys(topic_ids, 0)
        if self.by_need:
            relevant_from = settings.read(campaign).relevant_from
            for label in labels.each_qrel(campaign):
                if label.grade >= relevant_from and label.topic_id in found:
                    found[label.topic_id] += 1
        return np.array(list(found.values()), np.int64)

    def _wanted(self, campaign: Campaign, topic_id: str) -> int:
        """How many documents are due in a topic: a batch when fewer wait to be judged than the first batch had."""
        pooled = pools.pooled_of_topics(campaign, [topic_id])[topic_id]
        waiting = pooled.keys() - current_judgments.judged_in_topic(campaign, topic_id)
        held_back = sum(not pooled[document_id] for document_id in waiting)
        if len(waiting) - held_back >= self.batch or held_back >= MOST_HELD_BACK * self.batch:
            return 0
        chosen = choices.chosen_of_topic(campaign, self.pool.pool, topic_id)
        return adaptive.batch_after(chosen, self.batch, grows=self.candidates.entry.grows)


def turns_of(made: Mapping[int, StoredPool]) -> Callable[[Choice], tuple[int, str, int]]:
    """The order in which choices of these pools are made again with the least work.

    Topic by topic, as what is kept of a topic is used again; where all topics are looked at together, as in the log.
    """
    entries = {number: STRATEGIES.get(pool.record.strategy) for number, pool in made.items()}
    alone = {number for number, entry in entries.items() if entry is None or entry.across is None}
    return lambda choice: (choice.pool, choice.topic_id if choice.pool in alone else "", choice.seq)


_choosers: Followers[Chooser] = Followers(Chooser)
