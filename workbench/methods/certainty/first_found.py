"""Differences by measures that look at the first relevant document alone: the reciprocal rank, and success."""

from __future__ import annotations

import numpy as np

from workbench.core.ranking import FloatArray
from workbench.methods.certainty.registry import Completion, Differences, differences_of
from workbench.methods.certainty.topic_runs import TopicRuns, Undecided


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
        gain = self._gains(topic.undecided(self.measure.parameters["cutoff"]))
        highest: FloatArray = values[:, None] - values
        for one in range(len(topic)):
            raising = np.flatnonzero(gain[:, one] > values[one])
            if len(raising):
                other = np.maximum(gain[raising], values)
                highest[one] = np.maximum(highest[one], (gain[raising, one, None] - other).max(axis=0))
        np.fill_diagonal(highest, 0.0)
        return highest

    def best_for(self, topic: TopicRuns) -> Completion:
        """As in `Differences`."""
        undecided = topic.undecided(self.measure.parameters["cutoff"])
        values, gain = self.values(topic), self._gains(undecided)
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
        # Only what stands above a run's first relevant document can raise its value.
        above = np.divide(1.0, values, out=deepest, where=values > 0)
        tried = np.minimum(above, np.minimum(topic.rankings.lengths, len(topic.waiting)))
        return float(len(topic) * (8 * len(topic.waiting) + 4 * tried.sum()))

    def _gains(self, undecided: Undecided) -> FloatArray:
        """The value that each run would have if a document were its first relevant one, float64 (n, S)."""
        rank = undecided.rank.astype(np.float64)
        if self.measure.name == "Success":
            return (rank > 0).astype(np.float64)
        return np.divide(1.0, rank, out=np.zeros_like(rank), where=rank > 0)
