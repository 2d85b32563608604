"""The pairs of a campaign that are pooled or judged, as cells of its rankings; they follow the log."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs, topic_withdrawals
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.log.log import changes_since

Pair = tuple[str, str]

CHANGES_POOLS = frozenset({"pool", pools.RETIREMENT}) | topic_withdrawals.KINDS
"""The kinds of events after which other pairs are pooled."""

MANY_JUDGMENTS = 1000
"""Reading all pairs again is quicker than following more judgments than these."""


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
        self._judged = set(judgments.judged_pairs(campaign))
        self.head = log.head(campaign)
        self.pooled = self._mask(campaign, self._pooled)
        self.judged = self._mask(campaign, self._judged)
        self.before = self._counted(self._pooled)
        self.done = self._counted(self._pooled & self._judged)

    def follow(self, campaign: Campaign) -> bool:
        """Catch up with the judgments since; False when that cannot be done, and all is to be read again.

        The rankings, and so the cells, are the same as before.
        """
        news = changes_since(campaign, self.head)
        if news is None or CHANGES_POOLS & news.events or len(news.judged) > MANY_JUDGMENTS:
            return False
        if chosen := set(news.chosen) - self._pooled:
            self._pooled |= chosen
            self.pooled = self.pooled | self._mask(campaign, chosen)
            self.before = self._counted(self._pooled)
        changed = [
            pair for pair in news.judged if judgments.stands(campaign, *pair) != (pair in self._judged)
        ]
        if changed or chosen:
            self._judged.symmetric_difference_update(changed)
            self.judged = self.judged ^ self._mask(campaign, changed)
            self.done = self._counted(self._pooled & self._judged)
        self.head = news.head
        return True

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
        """How many of the pairs each topic has, int64 (T,)."""
        places = [self._place[topic_id] for topic_id, _ in pairs]
        return np.bincount(np.array(places, np.int64), minlength=len(self._place)).astype(np.int64)
