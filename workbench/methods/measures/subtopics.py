"""Rankings with the subtopics that every document covers: the one thing that measures of diversity look at.

A topic has subtopics (aspects, interpretations), and a document is judged for each of them. Only judgments are
kept, never a table of documents times subtopics. What several measures need (which documents cover which
subtopics, what each adds to those above it, the best possible ranking) is computed once.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray, Rankings, starts_of
from workbench.methods.measures.gained import Gained
from workbench.methods.measures.judged import FloatArray, KnownRankings, repeated_product

LEAST_DEPTH = 64
"""A best ranking is made at least so deep, so that several cutoffs share it."""


class Covers(NamedTuple):
    """Documents that cover a subtopic, one entry for each subtopic, by row, rank and subtopic; shapes (H,).

    `row` and `rank` (from 1) say where; `subtopic` is a number over all topics; `nth` counts the
    documents of the row that cover this subtopic, from 1, down to this one.
    """

    row: IntArray
    rank: IntArray
    subtopic: IntArray
    nth: IntArray

    def within(self, cutoff: int | None) -> Covers:
        """Those down to a rank; None for no limit."""
        if cutoff is None:
            return self
        near = self.rank <= cutoff
        return Covers(*(column[near] for column in self))


@dataclass(eq=False, repr=False)
class SubtopicLabels:
    """All that is known about the documents and subtopics of every topic; T topics, S subtopics, J judgments.

    Judgments are in ascending order of cells, and for each cell of subtopics; each of the two once.

    Attributes:
        cell_start: int64 (T + 1). Document d of topic t has the cell cell_start[t] + d; documents are
            numbered in ascending order of their ids.
        subtopic_start: int64 (T + 1). Topic t has the subtopics subtopic_start[t] to
            subtopic_start[t + 1] - 1, in ascending order of their ids.
        cell: int64 (J).
        subtopic: int64 (J).
        grade: int16 (J). A negative grade is no judgment of relevance: "pooled, not judged".
    """

    cell_start: IntArray
    subtopic_start: IntArray
    cell: IntArray
    subtopic: IntArray
    grade: NDArray[np.int16]
    _best: dict[tuple[int, float], tuple[int, Gained]] = field(default_factory=dict, init=False)

    def __len__(self) -> int:
        return len(self.cell_start) - 1

    def covered(self, rel: int) -> tuple[IntArray, IntArray]:
        """The cells and subtopics of all judgments with a grade of at least `rel`, in their order."""
        chosen = self.grade >= rel
        return self.cell[chosen], self.subtopic[chosen]

    def num_rel(self, rel: int) -> IntArray:
        """How many documents have a grade of at least `rel` for each subtopic, int64 (S)."""
        return np.bincount(self.covered(rel)[1], minlength=int(self.subtopic_start[-1]))

    def num_subtopics(self, rel: int) -> IntArray:
        """How many subtopics of each topic have a document with a grade of at least `rel`, int64 (T)."""
        return np.diff(starts_of(self.num_rel(rel) > 0)[self.subtopic_start])

    def best(self, rel: int, alpha: float, depth: int) -> Gained:
        """The greedy best ranking of each topic, down to `depth` or deeper; rows are topics.

        At each rank stands the document that adds most to those above it; of equal ones the one with the last
        id. The truly best ranking is hard to find, and may be better.

        Source: idealResult of ndeval.c (4.5).
        """
        known = self._best.get((rel, alpha))
        if known is None or known[0] < depth:
            known = max(depth, LEAST_DEPTH), _greedy(self, rel, alpha, max(depth, LEAST_DEPTH))
            self._best[rel, alpha] = known
        return known[1]


class SubtopicRankings(KnownRankings[SubtopicLabels]):
    """Rankings joined with judgments of subtopics; every measure of diversity is a function of it.

    Known is a document with a judgment for some subtopic. It is judged if it has a grade from 0 on for one, and it
    covers the subtopics for which its grade is at least `rel`.
    """

    @classmethod
    def join(cls, rankings: Rankings, labels: SubtopicLabels) -> SubtopicRankings:
        """Rankings with the judged documents among theirs."""
        cell = np.repeat(labels.cell_start[rankings.topic], rankings.lengths) + rankings.document
        judged = np.zeros(int(labels.cell_start[-1]), np.bool_)
        judged[labels.cell] = True
        position = np.flatnonzero(judged[cell])
        return cls(rankings.row_start, rankings.topic, position, cell[position], labels)

    @property
    def condensed(self) -> SubtopicRankings:
        """The same rankings without the documents that have no grade from 0 on; those below move up."""
        judged = np.zeros(int(self.labels.cell_start[-1]), np.bool_)
        judged[self.labels.cell[self.labels.grade >= 0]] = True
        kept = judged[self.cell]
        lengths = np.bincount(self.row[kept], minlength=len(self))
        position = np.arange(np.count_nonzero(kept))
        return SubtopicRankings(starts_of(lengths), self.topic, position, self.cell[kept], self.labels)

    def covers(self, rel: int) -> Covers:
        """The retrieved documents and the subtopics for which their grade is at least `rel`."""
        return self.once(("covers", rel), lambda: self._find(rel))

    def novelties(self, rel: int, alpha: float) -> Gained:
        """What each retrieved document adds: (1 - alpha)^(documents above that cover it), over its subtopics."""

        def find() -> Gained:
            covers = self.covers(rel)
            begins = _begins(covers.row, covers.rank)
            document = np.cumsum(begins) - 1
            new = repeated_product(1.0 - alpha, covers.nth - 1)
            gain = _sums(document, new, int(np.count_nonzero(begins)))
            return Gained(covers.row[begins], covers.rank[begins], gain, len(self))

        return self.once(("novelties", rel, alpha), find)

    def num_subtopics(self, rel: int) -> IntArray:
        """How many subtopics of each row's topic have a relevant document, int64 (R)."""
        return self.labels.num_subtopics(rel)[self.topic]

    def add_up(self, row: IntArray, weight: FloatArray | None = None) -> FloatArray:
        """The sum of the weights (by default 1) of each row, left to right, float64 (R)."""
        return _sums(row, weight, len(self))

    def _find(self, rel: int) -> Covers:
        cells, subtopics = self.labels.covered(rel)
        first = np.searchsorted(cells, self.cell, side="left")
        number = np.searchsorted(cells, self.cell, side="right") - first
        entry = np.repeat(np.arange(len(first)), number)
        within = np.arange(len(entry)) - np.repeat(starts_of(number)[:-1], number)
        row, subtopic = self.row[entry], subtopics[first[entry] + within]
        return Covers(row, self.rank[entry], subtopic, _occurrence(row, subtopic))


def _sums(group: IntArray, weight: FloatArray | None, n_groups: int) -> FloatArray:
    """The sum of the weights (by default 1) of each group, left to right, float64 (n_groups,)."""
    return np.bincount(group, weight, minlength=n_groups).astype(np.float64, copy=False)


def _occurrence(row: IntArray, subtopic: IntArray) -> IntArray:
    """The place of each one among those of its row and subtopic, from 1."""
    order = np.lexsort((subtopic, row))
    begins = _begins(row[order], subtopic[order])
    place = np.arange(len(order))
    nth = np.empty(len(order), np.int64)
    nth[order] = place - np.maximum.accumulate(np.where(begins, place, 0)) + 1
    return nth


def _begins(first: IntArray, second: IntArray) -> NDArray[np.bool_]:
    """Where a pair differs from the one before it."""
    begins = np.ones(len(first), np.bool_)
    begins[1:] = (first[1:] != first[:-1]) | (second[1:] != second[:-1])
    return begins


def _greedy(labels: SubtopicLabels, rel: int, alpha: float, depth: int) -> Gained:
    """The best rankings as `SubtopicLabels.best` explains them, for all topics at once, rank after rank."""
    cell, subtopic = labels.covered(rel)
    cells, document = np.unique(cell, return_inverse=True)
    topic = np.searchsorted(labels.cell_start, cells, side="right") - 1
    _, first, place, sizes = np.unique(topic, return_index=True, return_inverse=True, return_counts=True)
    depth = min(depth, int(sizes.max(initial=0)))
    above = np.zeros(int(labels.subtopic_start[-1]), np.int64)
    rank_of = np.zeros(len(cells), np.int64)  # 0 for a document that has no rank yet
    gains = np.zeros(len(cells))
    for rank in range(1, depth + 1):
        gain = _sums(document, repeated_product(1.0 - alpha, above[subtopic]), len(cells))
        gain[rank_of > 0] = -1.0
        chosen = _last_of_the_best(gain, first, place)
        chosen = chosen[rank_of[chosen] == 0]
        rank_of[chosen], gains[chosen] = rank, gain[chosen]
        above[subtopic[rank_of[document] == rank]] += 1
    order = np.lexsort((rank_of, topic))
    order = order[rank_of[order] > 0]
    return Gained(topic[order], rank_of[order], gains[order], len(labels))


def _last_of_the_best(gain: FloatArray, first: IntArray, place: IntArray) -> IntArray:
    """Of each group, which begin at `first`, the last element with its greatest gain; `place` is each one's group."""
    equal = np.flatnonzero(gain == np.maximum.reduceat(gain, first)[place])
    last = np.zeros(len(first), np.int64)
    last[place[equal]] = equal  # of several elements of a group the last one stays
    return last
