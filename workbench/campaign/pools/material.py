"""What plans are made from, kept in memory: rankings, and which of their pairs are pooled or judged.

Rankings are read again only after an event that changes them, pooled pairs after a pool was made; the judged pairs
follow the log. Everything a plan costs beyond that is counting.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from workbench.campaign.pools.pairs import KnownPairs
from workbench.core.ranking import IntArray, Rankings
from workbench.core.recently_used import RecentlyUsed
from workbench.methods.pooling import TIES, Needs
from workbench.methods.pooling.reach import Reach, cell_starts, pairs_by_depth, reach_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import rounds, run_details, topic_withdrawals, withdrawals
from workbench.storage.campaign.collection.rankings import StoredRankings, load_rankings
from workbench.storage.campaign.grades.residual import residual as residual_of
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.cache import Followers

CHANGES_RANKINGS = (
    withdrawals.KINDS
    | topic_withdrawals.KINDS
    | {
        *("run", "topics"),
        *(run_details.DETAILS, rounds.ROUND, rounds.CANCELLED),
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
        """A planner that knows nothing yet; the first question reads the rankings.

        `also` are tags of withdrawn runs that are taken for runs in force.
        """
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
        """The rankings of the runs in force with equal scores in this order; UnknownName when there is none such.

        Without the pairs judged before the round `residual`, where one is named.
        """
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
            return Material(
                known.head,
                stored,
                self._starts,
                reach,
                sizes,
                known.pooled,
                known.judged,
                known.before,
                known.done,
            )

    def _ordered(self, campaign: Campaign, key: _Key) -> StoredRankings:
        event = log.newest_event(campaign, CHANGES_RANKINGS)
        if event != self._event:
            self._rankings, self._pairs = {}, None
            self._reaches.clear()
            self._event = event
        if key not in self._rankings:
            ties, needed, at = key
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
