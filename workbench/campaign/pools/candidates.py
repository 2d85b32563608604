"""What an adaptive pool chooses from: the tables of its topics, and what is judged of them as of a row of the log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.campaign.pools.texts import TextTables
from workbench.core.ranking import IntArray, Rankings
from workbench.core.recently_used import RecentlyUsed
from workbench.methods.pooling import STRATEGIES, TIES, needs
from workbench.methods.pooling.registry import candidates
from workbench.methods.pooling.topic_table import Seen, TopicTable, table_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs, topic_withdrawals
from workbench.storage.campaign.collection.rankings import load_rankings
from workbench.storage.campaign.grades import current_judgments, labels
from workbench.storage.campaign.grades.residual import residual
from workbench.storage.campaign.organising import settings

KEPT_CELLS = 64_000_000
"""Tables of this many ranks (runs times documents) stay in memory; some orders keep 20 bytes for each."""


class TakingPart(NamedTuple):
    """What tells the candidates as of one row of the log from those of another: the numbers of the pool's runs that
    took part, and the topics that were withdrawn.
    """

    runs: tuple[int, ...]
    out: frozenset[str]


class Ranked(NamedTuple):
    """The rankings that a pool chooses from, and the place of each topic in them."""

    rankings: Rankings
    place: Mapping[str, int]

    def all_documents(self, depth: int) -> list[str]:
        """The ids of all topics' candidates, each once, in byte order."""
        return sorted(set().union(*(self.documents(topic_id, depth) for topic_id in self.place)))

    def documents(self, topic_id: str, depth: int) -> set[str]:
        """The ids of a topic's candidates."""
        return set(self.table(topic_id, depth).document_id) if topic_id in self.place else set()

    def table(self, topic_id: str, depth: int) -> TopicTable:
        """A topic's candidates."""
        return table_of(self.rankings.of_topic(self.place[topic_id]), depth=depth)


class Candidates:
    """The candidates of one pool, read once for each set of runs and topics: both can be withdrawn and restored."""

    def __init__(self, pool: pools.StoredPool) -> None:
        """Nothing is read yet."""
        self.pool = pool
        self.entry = STRATEGIES.find(pool.record.strategy)
        self.parameters = self.entry.check(pool.record.parameters)
        self.depth = int(self.parameters["depth"])
        self._ranked: RecentlyUsed[TakingPart, Ranked] = RecentlyUsed(2)
        self._tables: RecentlyUsed[tuple[str, TakingPart], TopicTable] = RecentlyUsed(1)
        self._documents: RecentlyUsed[TakingPart, list[str]] = RecentlyUsed(2)
        self._texts = TextTables()

    def ranked(self, campaign: Campaign) -> Ranked:
        """The rankings of those of its runs, for those of the topics, that took part as of a row of the log."""
        return self._of(campaign, self._taking_part(campaign))

    def table(self, campaign: Campaign, topic_id: str) -> TopicTable | None:
        """The candidates of a topic, with their texts where the strategy goes by them.

        None where no run that took part has any, or the topic was withdrawn.
        """
        then = self._taking_part(campaign)
        ranked = self._of(campaign, then)
        if topic_id not in ranked.place:
            return None
        table = self._tables.use((topic_id, then), lambda: ranked.table(topic_id, self.depth))
        if not self.entry.uses_texts:
            return table
        if self.parameters.get("among") == "texts":
            return self._texts.with_all_texts(campaign, table, then)
        every = self._documents.use(then, lambda: ranked.all_documents(self.depth))
        return self._texts.with_texts(campaign, table, every, then)

    def sizes(self, campaign: Campaign) -> tuple[list[str], IntArray]:
        """The topics that had candidates when the pool was made, in byte order, and how many, int64 (T)."""
        ranked = self.ranked(campaign.at(self.pool.seq))
        reached = candidates(ranked.rankings.to_depth(self.depth))
        counts = np.bincount(reached.topic, minlength=1 + max(ranked.place.values(), default=-1))
        return list(ranked.place), counts[list(ranked.place.values())].astype(np.int64)

    def _taking_part(self, campaign: Campaign) -> TakingPart:
        wanted = set(self.pool.record.runs)
        return TakingPart(
            tuple(run.run for run in runs.in_force(campaign) if run.record.tag in wanted),
            frozenset(topic_withdrawals.withdrawn(campaign)),
        )

    def _of(self, campaign: Campaign, then: TakingPart) -> Ranked:
        return self._ranked.use(then, lambda: self._read(campaign, then.runs))

    def _read(self, campaign: Campaign, numbers: Sequence[int]) -> Ranked:
        record = self.pool.record
        stored = load_rankings(campaign, **needs(record.strategy, record.ties, record.parameters)._asdict())
        stored = residual(campaign.now, stored, record.residual)
        chosen = [index for index, run in enumerate(stored.runs) if run.run in set(numbers)]
        rankings = TIES.find(record.ties)(stored.rankings.of_runs(chosen))
        there = np.unique(rankings.topic[rankings.lengths > 0])
        largest = (1 + int(rankings.document.max(initial=0))) * max(1, len(chosen))
        self._tables = RecentlyUsed(max(1, KEPT_CELLS // largest))
        return Ranked(rankings, {stored.topic_ids[topic]: int(topic) for topic in there})


def seen_of(campaign: Campaign, topic_id: str, table: TopicTable) -> Seen:
    """What is judged of a topic's candidates, by the campaign's rule of labels, as of a row of the log.

    A candidate that assessors could not tell is judged, and not relevant.
    """
    grades = labels.grades_of_topic(campaign, topic_id)
    relevant_from = settings.read(campaign).relevant_from
    place = table.once("places", lambda: {each: at for at, each in enumerate(table.document_id)})
    first = current_judgments.first_of_topic(campaign, topic_id)
    judged = current_judgments.judged_in_topic(campaign, topic_id) | grades.keys()
    in_order = sorted((first[each], place[each]) for each in judged if each in place)
    found = np.array([at for _, at in in_order], np.int64)
    relevant = [place[each] for each, grade in grades.items() if grade >= relevant_from and each in place]
    return Seen(_mask(len(table), found), _mask(len(table), relevant), found)


def taken_of(table: TopicTable, document_ids: Sequence[str]) -> NDArray[np.bool_]:
    """Which candidates are among these documents, bool (n)."""
    place = table.once("places", lambda: {each: at for at, each in enumerate(table.document_id)})
    return _mask(len(table), [place[each] for each in document_ids if each in place])


def _mask(n: int, places: Sequence[int] | IntArray) -> NDArray[np.bool_]:
    mask = np.zeros(n, np.bool_)
    mask[np.asarray(places, np.int64)] = True
    return mask
