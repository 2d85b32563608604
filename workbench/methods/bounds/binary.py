"""Differences by measures that know relevant and not relevant: the reciprocal rank, success, and recall."""

from __future__ import annotations

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.bounds.registry import Completion, Differences, differences_of
from workbench.methods.bounds.topic_runs import RankArray, TopicRuns, pairwise_least
from workbench.methods.measures.judged import ratio

CELLS = 500_000
"""About this many numbers are worked on at a time."""


@differences_of("RR", "Success")
class _FirstFoundDifferences(Differences):
    """RR and Success: the value is that of the best single relevant document.

    Whatever is relevant, some document (or none that is undecided) gives the first run its value. If it alone of all
    undecided ones were relevant, the first run would have the same value and the second no higher one. So one
    document at a time is tried, of those that would raise the first run's value.
    """

    def highest(self, topic: TopicRuns) -> FloatArray:
        values = self.values(topic)
        gain = self._gains(topic.undecided(self.measure.parameters["cutoff"]).rank)
        gain = np.ascontiguousarray(gain[(gain > values).any(axis=1)].T)
        highest = values[:, None] - values
        row, document = np.nonzero(gain > values[:, None])
        if not len(row):
            return highest
        start = np.flatnonzero(np.diff(row, prepend=-1))
        own, raised = gain[row, document], row[start]
        at_a_time = max(1, CELLS // len(row))
        for first in range(0, len(topic), at_a_time):
            some = slice(first, first + at_a_time)
            ahead = own - np.maximum(gain[some, document], values[some, None])
            best = np.maximum.reduceat(ahead, start, axis=1).T
            highest[raised, some] = np.maximum(highest[raised, some], best)
        np.fill_diagonal(highest, 0.0)
        return highest

    def best_for(self, topic: TopicRuns) -> Completion:
        undecided = topic.undecided(self.measure.parameters["cutoff"])
        values, gain = self.values(topic), self._gains(undecided.rank)
        grade = np.full(len(gain), self.not_relevant, np.int16)
        if len(gain):
            after = np.maximum(gain, values)
            ahead = after[:, 0] - after[:, 1]
            if ahead.max() > values[0] - values[1]:
                grade[ahead.argmax()] = self.measure.rel
        return Completion(undecided.document, grade)

    def cost(self, topic: TopicRuns) -> float:
        values, cutoff = self.values(topic), self.measure.parameters["cutoff"]
        deepest = np.full(len(topic), np.inf) if cutoff is None else np.full(len(topic), float(cutoff))
        # Only what is above a run's first relevant document can raise its value.
        above = np.divide(1.0, values, out=deepest, where=values > 0)
        tried = np.minimum(above, np.minimum(topic.rankings.lengths, len(topic.waiting)))
        return float(len(topic) * (8 * len(topic.waiting) + 4 * tried.sum()))

    def _gains(self, rank: RankArray) -> FloatArray:
        """The value that each run would have if a document were its first relevant one, float64 (n, S)."""
        if self.measure.name == "Success":
            return (rank > 0).astype(np.float64)
        return np.divide(1.0, rank, out=np.zeros(rank.shape), where=rank > 0)


@differences_of("R")
class _RecallDifferences(Differences):
    """Recall at a cutoff: (relevant documents of one run - those of the other) / (R + those that become relevant).

    If the first run can be level or ahead, the best that can happen to it is that just the undecided documents are
    relevant that it alone has: each adds to what is on top, and no less than to what divides. If it stays behind, the
    best is that these are relevant and all that both or neither have, which make the difference small.
    """

    def highest(self, topic: TopicRuns) -> FloatArray:
        cutoff, rel = self._asked()
        found = topic.judged.num_found(rel, cutoff).astype(np.float64)
        shared = pairwise_least((topic.ranks(topic.waiting, cutoff) > 0).astype(np.float64))
        alone = np.diag(shared)[:, None] - shared
        ahead = found[:, None] - found + alone
        more = np.where(ahead >= 0, alone, len(topic.waiting) - alone.T)
        return ratio(ahead, int((topic.label >= rel).sum()) + more)

    def best_for(self, topic: TopicRuns) -> Completion:
        cutoff, rel = self._asked()
        found = topic.judged.num_found(rel, cutoff)
        ranks = topic.ranks(topic.waiting, cutoff) > 0
        chosen = ranks[:, 0] & ~ranks[:, 1]
        if found[0] - found[1] + chosen.sum() < 0:
            chosen = ~(ranks[:, 1] & ~ranks[:, 0])
        grade = np.where(chosen, rel, self.not_relevant)
        return Completion(topic.waiting, grade.astype(np.int16))

    def cost(self, topic: TopicRuns) -> float:
        near = np.minimum(topic.rankings.lengths, self._asked()[0])
        return 0.3 * float(len(topic) * np.minimum(near, len(topic.waiting)).sum())

    def _asked(self) -> tuple[int, int]:
        return self.measure.parameters["cutoff"], self.measure.rel
