"""The rankings of one topic by several runs, with what is known of its documents."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import POOLED, FloatArray, IntArray, Labels, Rankings
from workbench.methods.measures import JudgedRankings

RankArray = NDArray[np.int32]


class Undecided(NamedTuple):
    """Undecided documents that some run has down to a cutoff: n documents, S runs.

    Attributes:
        document: int64 (n). Their numbers within the topic, ascending.
        rank: int32 (n, S). From 1; 0 where the run does not have the document down to there.
        others: how many more undecided documents the topic has, on which no run depends but through their number.
    """

    document: IntArray
    rank: RankArray
    others: int

    @property
    def number(self) -> int:
        """How many undecided documents the topic has."""
        return len(self.document) + self.others


class TopicRuns:
    """One topic: S rankings, row by row, and the labels of its documents."""

    def __init__(self, rankings: Rankings, label: NDArray[np.int16]) -> None:
        """Of S rows of the same topic, empty for a run without it; `label`, int16, is that of each of its documents."""
        self.rankings = rankings
        self.label = label

    def __len__(self) -> int:
        return len(self.rankings)

    @cached_property
    def judged(self) -> JudgedRankings:
        """The rankings joined with their labels; the topic has number 0."""
        labels = Labels(np.array([0, len(self.label)]), self.label)
        topic = np.zeros(len(self), np.int32)
        documents = self.rankings.document
        return JudgedRankings(self.rankings.row_start, topic, self.label[documents], labels)

    @cached_property
    def waiting(self) -> IntArray:
        """The numbers of the topic's documents that were pooled and are not judged, ascending."""
        return np.flatnonzero(self.label == POOLED)

    def undecided(self, cutoff: int | None) -> Undecided:
        """The undecided documents that some run has down to `cutoff` (None: to the end)."""
        place = np.full(len(self.label), -1, np.int64)
        place[self.waiting] = np.arange(len(self.waiting))
        rank = self._ranks(place, len(self.waiting), cutoff)
        found = np.flatnonzero((rank > 0).any(axis=1))
        return Undecided(self.waiting[found], rank[found], len(self.waiting) - len(found))

    def ranks(self, documents: IntArray, cutoff: int | None = None) -> RankArray:
        """The ranks of these documents, int32 (n, S), 0 where a run does not have one down to `cutoff`."""
        place = np.full(len(self.label), -1, np.int64)
        place[documents] = np.arange(len(documents))
        return self._ranks(place, len(documents), cutoff)

    def ranks_of_one(self, document: int) -> RankArray:
        """The rank of one document in each run, int32 (S), 0 where a run does not have it."""
        entry = np.flatnonzero(self.rankings.document == document)
        row = np.searchsorted(self.rankings.row_start, entry, side="right") - 1
        rank = np.zeros(len(self), np.int32)
        rank[row] = entry - self.rankings.row_start[row] + 1
        return rank

    def of_runs(self, rows: list[int]) -> TopicRuns:
        """The same with the rankings of these rows alone."""
        return TopicRuns(self.rankings.select(np.array(rows, np.int64)), self.label)

    def completed(self, documents: IntArray, grades: NDArray[np.int16]) -> TopicRuns:
        """The same after these documents got these grades."""
        label = self.label.copy()
        label[documents] = grades
        return TopicRuns(self.rankings, label)

    def _ranks(self, place: IntArray, number: int, cutoff: int | None) -> RankArray:
        """Ranks by place; `place` (documents) is -1 for the documents that are of no interest."""
        near = self.rankings if cutoff is None else self.rankings.to_depth(cutoff)
        rank = np.zeros((number, len(self)), np.int32)
        at = place[near.document]
        known = at >= 0
        rank[at[known], near.entry_rows[known]] = near.entry_ranks[known]
        return rank


def pairwise_least(weight: FloatArray) -> FloatArray:
    """For each two runs the sum over documents of the lesser of their two weights, float64 (n, S) to (S, S).

    No weight is below 0. For each run only documents are looked at that weigh something in it; where all of these
    weigh the same, they are counted by a product of matrices.
    """
    if len(weight) == 1:
        of_one: FloatArray = np.minimum(weight[0][:, None], weight[0])
        return of_one
    heaviest = weight.max(initial=0.0)
    found = weight > 0
    if (weight[found] == heaviest).all():
        has = found.astype(np.float32)
        both: FloatArray = (has.T @ has).astype(np.float64) * heaviest
        return both
    runs = weight.shape[1]
    shared = np.zeros((runs, runs))
    for one in range(runs):
        own = np.flatnonzero(weight[:, one])
        if len(own):
            part = weight[own, one:]
            shared[one, one:] = np.minimum(part, part[:, :1]).sum(axis=0)
    upper = np.triu(shared, 1)
    least: FloatArray = upper + upper.T + np.diag(np.diag(shared))
    return least
