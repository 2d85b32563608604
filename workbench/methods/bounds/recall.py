"""Differences by recall: a document that becomes relevant also changes what both runs are divided by."""

from __future__ import annotations

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.bounds.registry import Completion, Differences, differences_of
from workbench.methods.bounds.topic_runs import TopicRuns, pairwise_least
from workbench.methods.measures.judged import ratio


@differences_of("R")
class RecallDifferences(Differences):
    """Recall at a cutoff: (relevant documents of one run - those of the other) / (R + those that become relevant).

    If the first run can be level or ahead, the best that can happen to it is that just the undecided documents are
    relevant that it alone has: each adds to what is on top, and no less than to what divides. If it stays behind, the
    best is that these are relevant and all that both or neither have, which make the difference small.
    """

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`."""
        cutoff, rel = self._asked()
        found = topic.judged.num_found(rel, cutoff).astype(np.float64)
        shared = pairwise_least((topic.ranks(topic.waiting, cutoff) > 0).astype(np.float64))
        alone = np.diag(shared)[:, None] - shared
        ahead = found[:, None] - found + alone
        more = np.where(ahead >= 0, alone, len(topic.waiting) - alone.T)
        return ratio(ahead, int((topic.label >= rel).sum()) + more)

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

    def _asked(self) -> tuple[int, int]:
        return self.measure.parameters["cutoff"], self.measure.rel
