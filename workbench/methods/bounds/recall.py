"""Differences by recall: a document that becomes relevant also changes what both runs are divided by."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.bounds.registry import Completion, Differences, Known, differences_of
from workbench.methods.bounds.topic_runs import TopicRuns, pairwise_least
from workbench.methods.measures.judged import ratio


class _Counts(NamedTuple):
    """What the differences of S runs on a topic depend on.

    Attributes:
        found: float64 (S). How many relevant documents each run has down to the cutoff.
        shared: float64 (S, S). How many undecided ones two runs both have.
        relevant: how many documents are relevant.
        undecided: how many are undecided.
    """

    found: FloatArray
    shared: FloatArray
    relevant: int
    undecided: int

    def highest(self) -> FloatArray:
        """As `Differences.highest`."""
        alone = np.diag(self.shared)[:, None] - self.shared
        ahead = self.found[:, None] - self.found + alone
        more = np.where(ahead >= 0, alone, self.undecided - alone.T)
        return ratio(ahead, self.relevant + more)


@differences_of("R")
class RecallDifferences(Differences):
    """Recall at a cutoff: (relevant documents of one run - those of the other) / (R + those that become relevant).

    If the first run can be level or ahead, the best that can happen to it is that just the undecided documents are
    relevant that it alone has: each adds to what is on top, and no less than to what divides. If it stays behind, the
    best is that these are relevant and all that both or neither have, which make the difference small.
    """

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`."""
        return self._counts(topic).highest()

    def known(self, topic: TopicRuns) -> Known:
        """As in `Differences`."""
        return _known(self._counts(topic))

    def follow(self, known: Known, topic: TopicRuns, document: int) -> Known:
        """As in `Differences`."""
        (cutoff, rel), counts = self._asked(), known.more
        rank = topic.ranks_of_one(document)
        near = ((rank > 0) & (rank <= cutoff)).astype(np.float64)
        relevant = int(topic.label[document] >= rel)
        found, shared = counts.found + relevant * near, counts.shared - near[:, None] * near
        return _known(_Counts(found, shared, counts.relevant + relevant, counts.undecided - 1))

    def best_for(self, topic: TopicRuns) -> Completion:
        """As in `Differences`."""
        cutoff, rel = self._asked()
        found = topic.judged.num_found(rel, cutoff)
        ranks = topic.ranks(topic.waiting, cutoff) > 0
        chosen = ranks[:, 0] & ~ranks[:, 1]
        if found[0] - found[1] + chosen.sum() < 0:
            chosen = ~(ranks[:, 1] & ~ranks[:, 0])
        grade = np.where(chosen, rel, self.not_relevant)
        return Completion(topic.waiting, grade.astype(np.int16))

    def cost(self, topic: TopicRuns) -> float:
        """As in `Differences`."""
        near = np.minimum(topic.rankings.lengths, self._asked()[0])
        return 0.3 * float(len(topic) * np.minimum(near, len(topic.waiting)).sum())

    def _counts(self, topic: TopicRuns) -> _Counts:
        cutoff, rel = self._asked()
        found = topic.judged.num_found(rel, cutoff).astype(np.float64)
        shared = pairwise_least((topic.ranks(topic.waiting, cutoff) > 0).astype(np.float64))
        return _Counts(found, shared, int((topic.label >= rel).sum()), len(topic.waiting))

    def _asked(self) -> tuple[int, int]:
        return self.measure.parameters["cutoff"], self.measure.rel


def _known(counts: _Counts) -> Known:
    values = ratio(counts.found, np.full(len(counts.found), counts.relevant))
    return Known(values, counts.highest(), counts, counts.shared.size)
