"""Differences by measures that look at the first relevant document alone: the reciprocal rank, and success."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.bounds.registry import Completion, Differences, Known, differences_of
from workbench.methods.bounds.topic_runs import RankArray, TopicRuns

CELLS = 500_000
"""About this many numbers are worked on at a time."""


class _Raising(NamedTuple):
    """The undecided documents that would raise the value of some run: n of them.

    Attributes:
        document: int64 (n). Their numbers, ascending.
        gain: float64 (S, n). The value that each run would have with the document alone; 0 once it is judged.
    """

    document: IntArray
    gain: FloatArray


@differences_of("RR", "Success")
class FirstFoundDifferences(Differences):
    """RR and Success: the value is that of the best single relevant document.

    Whatever is relevant, some document (or none that is undecided) gives the first run its value. If it alone of all
    undecided ones were relevant, the first run would have the same value and the second no higher one. So one
    document at a time is tried, of those that would raise the first run's value.
    """

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`."""
        return self.known(topic).highest

    def known(self, topic: TopicRuns) -> Known:
        """As in `Differences`."""
        values, everyone = self.values(topic), np.arange(len(topic))
        undecided = topic.undecided(self.measure.parameters["cutoff"])
        gain = self._gains(undecided.rank)
        raising = np.flatnonzero((gain > values).any(axis=1))
        of_runs = np.ascontiguousarray(gain[raising].T)
        highest = _highest(of_runs, values, everyone, everyone)
        return Known(values, highest, _Raising(undecided.document[raising], of_runs), of_runs.size)

    def follow(self, known: Known, topic: TopicRuns, document: int) -> Known:
        """As in `Differences`: only a run whose value the document would have raised is another one to the rest."""
        documents, gain = known.more
        at = int(np.searchsorted(documents, document))
        if at == len(documents) or documents[at] != document:
            return known
        own, everyone = gain[:, at].copy(), np.arange(len(gain))
        runs = np.flatnonzero(own > known.values)
        values, highest = known.values.copy(), known.highest.copy()
        gain[:, at] = 0.0
        if topic.label[document] >= self.measure.rel:
            values[runs] = own[runs]
            highest[:, runs] = _highest(gain, values, everyone, runs)
        highest[runs] = _highest(gain, values, runs, everyone)
        return Known(values, highest, known.more, known.cells)

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


def _highest(gain: FloatArray, values: FloatArray, ones: IntArray, others: IntArray) -> FloatArray:
    """The highest value of each run of `ones` less that of each of `others`, float64 (ones, others)."""
    highest = values[ones, None] - values[others]
    row, document = np.nonzero(gain[ones] > values[ones, None])
    if not len(row):
        return highest
    start = np.flatnonzero(np.diff(row, prepend=-1))
    own, raised = gain[ones[row], document], row[start]
    at_a_time = max(1, CELLS // len(row))
    for first in range(0, len(others), at_a_time):
        some = others[first : first + at_a_time]
        ahead = own - np.maximum(gain[some[:, None], document], values[some, None])
        part = slice(first, first + len(some))
        best = np.maximum.reduceat(ahead, start, axis=1).T
        highest[raised, part] = np.maximum(highest[raised, part], best)
    highest[ones[:, None] == others] = 0.0
    return highest
