"""Differences by measures that look at the first relevant document alone: the reciprocal rank, and success."""

from __future__ import annotations

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.bounds.registry import Completion, Differences, differences_of
from workbench.methods.bounds.topic_runs import RankArray, TopicRuns

CELLS = 500_000
"""About this many numbers are worked on at a time."""


@differences_of("RR", "Success")
class FirstFoundDifferences(Differences):
    """RR and Success: the value is that of the best single relevant document.

    Whatever is relevant, some document (or none that is undecided) gives the first run its value. If it alone of all
    undecided ones were relevant, the first run would have the same value and the second no higher one. So one
    document at a time is tried, of those that would raise the first run's value.
    """

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`."""
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
        """As in `Differences`."""
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
        """As in `Differences`."""
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
