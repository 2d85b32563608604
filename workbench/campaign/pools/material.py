"""What plans are made from, kept in memory: rankings, and which of their pairs are pooled or judged.

Rankings are read again only after an event that changes them, pooled pairs after a pool was made; the judged pairs
follow the log. Everything a plan costs beyond that is counting.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray, Rankings
from workbench.core.recently_used import RecentlyUsed
from workbench.methods.pooling import TIES, Needs
from workbench.methods.pooling.reach import Reach, cell_starts, pairs_by_depth, reach_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import (
    changed_ids,
    pools,
    rounds,
    run_details,
    runs,
    topic_withdrawals,
    units,
    withdrawals,
)
from workbench.storage.campaign.collection.rankings import StoredRankings, load_rankings
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.grades.residual import residual as residual_of
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Followers
from workbench.storage.campaign.log.log import changes_since

Pair = tuple[str, str]

CHANGES_POOLS = frozenset({"pool", pools.RETIREMENT}) | topic_withdrawals.KINDS
"""The kinds of events after which other pairs are pooled."""

MANY_JUDGMENTS = 1000
"""Reading all pairs again is quicker than following more judgments than these."""


def known_by_old_ids(campaign: Campaign) -> set[Pair]:
    """The pairs whose documents are pooled or judged under an earlier id, as of now: no pool takes these in."""
    tables = changed_ids.id_tables(campaign)
    pairs = [*pools.all_pairs(campaign), *judgments.judged_pairs(campaign)] if tables else ()
    return changed_ids.newer(tables, pairs)


class KnownPairs:
    """Which cells are pooled and which judged, as of the row `head` of the log.

    Attributes:
        head: that row.
        pooled: bool (cells,). Documents that no run in force has are in no cell; a new array whenever it changes.
        judged: bool (cells,), likewise; a new array whenever it changes.
        before: how many pairs of each topic are pooled, those without a cell included, int64 (T,); likewise.
        done: how many of them are judged, int64 (T,); a new array whenever it changes.
    """

    def __init__(self, campaign: Campaign, topic_ids: Sequence[str], starts: IntArray) -> None:
        """Read all pairs; `starts` are the first cells of the topics, int64 (T + 1)."""
        self._place = {topic_id: index for index, topic_id in enumerate(topic_ids)}
        self._starts = starts
        self._numbers: dict[Pair, int] = {}
        self._pooled = frozenset(pools.all_pairs(campaign))
        self._judged = self._own(judgments.judged_pairs(campaign))
        self.head = log.head(campaign)
        self.pooled = self._mask(campaign, self._pooled | self._own(known_by_old_ids(campaign)))
        tables = changed_ids.id_tables(campaign)
        self.judged = self._mask(campaign, self._judged | changed_ids.newer(tables, self._judged))
        self.before = self._counted(self._pooled)
        self.done = self._counted(self._pooled & self._judged)

    def follow(self, campaign: Campaign) -> bool:
        """Catch up with new judgments, on the same rankings and cells; False when all is to be read again."""
        news = changes_since(campaign, self.head)
        if news is None or CHANGES_POOLS & news.events or len(news.judged) > MANY_JUDGMENTS:
            return False
        if changed_ids.id_tables(campaign):
            return False
        if chosen := self._own(news.chosen) - self._pooled:
            self._pooled |= chosen
            self.pooled = self.pooled | self._mask(campaign, chosen)
            self.before = self._counted(self._pooled)
        judged = self._own(news.judged)
        changed = [pair for pair in judged if judgments.stands(campaign, *pair) != (pair in self._judged)]
        if changed or chosen:
            self._judged.symmetric_difference_update(changed)
            self.judged = self.judged ^ self._mask(campaign, changed)
            self.done = self._counted(self._pooled & self._judged)
        self.head = news.head
        return True

    def _own(self, pairs: Iterable[Pair]) -> set[Pair]:
        """Those about which the question is by which the campaign is seen."""
        return {pair for pair in pairs if pair[0] in self._place}

    def _mask(self, campaign: Campaign, pairs: Collection[Pair]) -> NDArray[np.bool_]:
        self._learn(campaign, pairs)
        mask = np.zeros(int(self._starts[-1]), np.bool_)
        topic = np.array([self._place[topic_id] for topic_id, _ in pairs], np.int64)
        number = np.array([self._numbers[pair] for pair in pairs], np.int64)
        cell = self._starts[topic] + number
        mask[cell[(number >= 0) & (cell < self._starts[topic + 1])]] = True
        return mask

    def _learn(self, campaign: Campaign, pairs: Iterable[Pair]) -> None:
        """Learn the numbers of these pairs' documents within their topics; -1 where no run has the document."""
        unknown: dict[str, dict[str, Pair]] = {}
        for pair in pairs:
            if pair not in self._numbers:
                unknown.setdefault(pair[0], {})[pair[1]] = pair
        for topic_id, found in unknown.items():
            self._numbers.update(dict.fromkeys(found.values(), -1))
            vocabulary = enumerate(runs.vocabulary(campaign, topic_id))
            self._numbers.update((found[id_], number) for number, id_ in vocabulary if id_ in found)

    def _counted(self, pairs: Iterable[Pair]) -> IntArray:
        places = [self._place[topic_id] for topic_id, _ in pairs]
        return np.bincount(np.array(places, np.int64), minlength=len(self._place)).astype(np.int64)


CHANGES_RANKINGS = frozenset(
    {
        *withdrawals.KINDS,
        *units.KINDS,
        *topic_withdrawals.KINDS,
        *("topics", run_details.DETAILS, rounds.ROUND, rounds.CANCELLED, changed_ids.KIND),
    }
)
"""Kinds of events after which rankings are read again: a round of the same name may be opened twice, and what was
judged before it is then taken out as of another row."""

KEPT_REACHES = 4

_Key = tuple[str, Needs, str | None]
"""The order of ties, what is loaded, and the round before which judged pairs are taken out."""


@dataclass(frozen=True, eq=False)
class Material:
    """What a plan over some runs needs, as of one row of the log.

    Attributes:
        head: that row.
        stored: the rankings of all runs in force, documents with equal scores in the order that was asked for.
        starts: where each topic's cells start, int64 (T + 1), see `methods.pooling.reach`.
        reach: the reach of the runs that are drawn on.
        sizes: how many pairs they have down to each depth, int64 (their longest ranking + 1,).
        pooled: the cells whose pairs are pooled, bool (cells,).
        judged: the cells whose pairs are judged, bool (cells,).
        before: how many pairs of each topic are pooled, those included that no run in force has, int64 (T,).
        done: how many of them are judged, int64 (T,).
    """

    head: log.Head
    stored: StoredRankings
    starts: IntArray
    reach: Reach
    sizes: IntArray
    pooled: NDArray[np.bool_]
    judged: NDArray[np.bool_]
    before: IntArray
    done: IntArray


class Planner:
    """The material of one campaign, kept up to date; threads may share it, each with its own connection."""

    def __init__(self, also: Collection[str] = ()) -> None:
        """A planner, which reads rankings at the first question; `also` are withdrawn runs to count as in force."""
        self._also = also
        self._lock = Lock()
        self._event: log.Head | None = None
        self._rankings: dict[_Key, StoredRankings] = {}
        self._starts: IntArray = np.zeros(1, np.int64)
        self._reaches: RecentlyUsed[tuple[_Key, tuple[int, ...]], tuple[Reach, IntArray]] = RecentlyUsed(
            KEPT_REACHES
        )
        self._pairs: KnownPairs | None = None

    def rankings(
        self, campaign: Campaign, ties: str, needed: Needs, residual: str | None = None
    ) -> StoredRankings:
        """The rankings in force, ties in this order, without pairs judged before `residual`; UnknownName for others."""
        TIES.find(ties)
        with self._lock, campaign.snapshot():
            return self._ordered(campaign, (ties, needed, residual))

    def material(
        self,
        campaign: Campaign,
        ties: str,
        needed: Needs,
        indices: Sequence[int],
        residual: str | None = None,
    ) -> Material:
        """What a plan needs that draws on the runs with these places among those in force."""
        key = (ties, needed, residual)
        with self._lock, campaign.snapshot():
            stored = self._ordered(campaign, key)
            reach, sizes = self._reach(stored.rankings, key, tuple(indices))
            known = self._known(campaign, stored.topic_ids)
            pairs = known.pooled, known.judged, known.before, known.done
            return Material(known.head, stored, self._starts, reach, sizes, *pairs)

    def _ordered(self, campaign: Campaign, key: _Key) -> StoredRankings:
        event = log.newest_event(campaign, CHANGES_RANKINGS)
        if event != self._event:
            self._rankings, self._pairs = {}, None
            self._reaches.clear()
            self._event = event
        ties, needed, at = key
        if key not in self._rankings or needed.judge:  # its labels change without such an event
            stored = load_rankings(campaign, also=self._also, **needed._asdict())
            # All keys have the same cells, also those of which something is taken out.
            self._starts = cell_starts(stored.rankings, len(stored.topic_ids))
            whole = stored._replace(rankings=TIES[ties](stored.rankings))
            self._rankings[key] = residual_of(campaign, whole, at)
        return self._rankings[key]

    def _reach(self, rankings: Rankings, key: _Key, indices: tuple[int, ...]) -> tuple[Reach, IntArray]:
        def find() -> tuple[Reach, IntArray]:
            reach = reach_of(rankings, self._starts, indices)
            deepest = int(rankings.lengths[np.isin(rankings.run, indices)].max(initial=0))
            return reach, pairs_by_depth(reach.best, deepest)

        return self._reaches.use((key, indices), find)

    def _known(self, campaign: Campaign, topic_ids: Sequence[str]) -> KnownPairs:
        known = self._pairs
        if known is None or (known.head != log.head(campaign) and not known.follow(campaign)):
            known = self._pairs = KnownPairs(campaign, topic_ids, self._starts)
        return known


_planners = Followers(Planner)


def planner_of(campaign: Campaign) -> Planner:
    """This process's planner of a campaign's file."""
    return _planners.of(campaign)
