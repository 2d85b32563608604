"""Rankings with the label of every document: the one thing that measures look at.

The labels are gathered once. What several measures need (the ranks of the relevant documents, how many
judged documents stand above them) is computed once, when it is first asked for. Relevant documents are few,
so they are kept as a list of hits instead of a mask over all entries.

Sums run from left to right in rank order, as in the reference program: `np.bincount` adds that way, while
`np.sum` and `np.add.reduceat` add in pairs and differ in the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.ranking import POOLED, IntArray, Labels, Rankings, starts_of

FloatArray = NDArray[np.float64]
Found = TypeVar("Found")


class Hits(NamedTuple):
    """Documents of interest over all rows, in the order of rows and ranks; all arrays have shape (H,).

    `row` says where, `rank` counts from 1, `nth` says the how-manieth hit of its row it is (from 1), `grade`
    is the document's grade.
    """

    row: IntArray
    rank: IntArray
    nth: IntArray
    grade: NDArray[np.int16]

    def within(self, cutoff: int | IntArray | None) -> Hits:
        """The hits down to a rank: one for all rows, or one per row; None for no limit."""
        if cutoff is None:
            return self
        limit = cutoff if isinstance(cutoff, int) else cutoff[self.row]
        near = self.rank <= limit
        return Hits(self.row[near], self.rank[near], self.nth[near], self.grade[near])


class JudgedRankings:
    """Rankings joined with labels; every measure is a function of it that returns one value per row.

    A negative grade counts as judged, but neither as relevant nor as non-relevant, like "in the pool but
    unjudged" of the reference program.
    """

    def __init__(
        self, row_start: IntArray, topic: NDArray[np.int32], label: NDArray[np.int16], labels: Labels
    ) -> None:
        """R rows with N entries in all.

        Args:
            row_start: int64 (R + 1). Row i holds the entries row_start[i] to row_start[i + 1] - 1.
            topic: int32 (R). The topic of each row.
            label: int16 (N). The label of each entry, in rank order.
            labels: all that is known about each topic; documents without a judgment may be left out.
        """
        self.row_start = row_start
        self.topic = topic
        self.label = label
        self.labels = labels
        self._hits: dict[int, Hits] = {}
        self._num_rel: dict[int, IntArray] = {}
        self._completed: dict[int, JudgedRankings] = {}
        self._found: dict[Hashable, Any] = {}

    @classmethod
    def join(cls, rankings: Rankings, labels: Labels) -> JudgedRankings:
        """Rankings with the label of every document gathered from the labels of its topic."""
        cell = np.repeat(labels.topic_start[rankings.topic], rankings.lengths)
        cell += rankings.document
        return cls(rankings.row_start, rankings.topic, labels.label[cell], labels)

    def __len__(self) -> int:
        return len(self.topic)

    @cached_property
    def num_ret(self) -> IntArray:
        """How many documents each row has, int64 (R)."""
        return np.diff(self.row_start)

    @cached_property
    def condensed(self) -> JudgedRankings:
        """The same rankings without the documents that have no grade from 0 on; those below move up."""
        kept = self.label >= 0
        return JudgedRankings(starts_of(kept)[self.row_start], self.topic, self.label[kept], self.labels)

    def completed(self, grade: int) -> JudgedRankings:
        """The same rankings as if every pooled, unjudged document, retrieved or not, had been given `grade`."""
        if grade not in self._completed:
            filled = np.int16(grade)
            cells = np.where(self.labels.label == POOLED, filled, self.labels.label)
            entries = np.where(self.label == POOLED, filled, self.label)
            labels = Labels(self.labels.topic_start, cells)
            self._completed[grade] = JudgedRankings(self.row_start, self.topic, entries, labels)
        return self._completed[grade]

    def to_depth(self, depth: int) -> JudgedRankings:
        """Every row cut after its first `depth` documents."""
        rank = np.arange(len(self.label)) - np.repeat(self.row_start[:-1], self.num_ret)
        kept = rank < depth
        return JudgedRankings(starts_of(kept)[self.row_start], self.topic, self.label[kept], self.labels)

    def num_rel(self, rel: int) -> IntArray:
        """How many documents of each row's topic have a grade of at least `rel`, int64 (R)."""
        if rel not in self._num_rel:
            self._num_rel[rel] = self.labels.num_rel(rel)[self.topic]
        return self._num_rel[rel]

    def num_nonrel(self, rel: int) -> IntArray:
        """How many documents of each row's topic have a grade from 0 to `rel` - 1, int64 (R)."""
        return self._in_topic((self.labels.label >= 0) & (self.labels.label < rel))

    def hits(self, rel: int) -> Hits:
        """The retrieved documents whose grade is at least `rel`."""
        if rel not in self._hits:
            self._hits[rel] = self._find(rel)
        return self._hits[rel]

    @cached_property
    def undecided(self) -> Hits:
        """The retrieved documents that were pooled and are not judged; their `grade` is the label POOLED."""
        return self._found_at(np.flatnonzero(self.label == POOLED))

    @cached_property
    def num_undecided(self) -> IntArray:
        """How many documents of each row's topic, retrieved or not, were pooled and are not judged, int64 (R)."""
        return self._in_topic(self.labels.label == POOLED)

    def once(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """What `find()` returns, found only the first time that `what` is asked for: for what measures share."""
        if what not in self._found:
            self._found[what] = find()
        found: Found = self._found[what]
        return found

    def add_up(self, hits: Hits, weight: FloatArray | None = None) -> FloatArray:
        """The sum of the weights (by default 1) of each row's hits, left to right, float64 (R)."""
        return np.bincount(hits.row, weight, minlength=len(self)).astype(np.float64, copy=False)

    def nonrel_above(self, hits: Hits, rel: int) -> IntArray:
        """How many retrieved documents with a grade from 0 to `rel` - 1 stand above each hit, int64 (H)."""
        nonrel = starts_of((self.label >= 0) & (self.label < rel))
        start = self.row_start[hits.row]
        above: IntArray = nonrel[start + hits.rank - 1] - nonrel[start]
        return above

    def num_judged(self, cutoff: int | None) -> IntArray:
        """How many of each row's first `cutoff` documents (None: of all) are judged, int64 (R)."""
        judged = starts_of(self.label > POOLED)
        start = self.row_start[:-1]
        found: IntArray = judged[start + self.looked_at(cutoff)] - judged[start]
        return found

    def looked_at(self, cutoff: int | None) -> IntArray:
        """How many documents each row has down to `cutoff` (None: to its end), int64 (R)."""
        if cutoff is None:
            return self.num_ret
        return np.minimum(self.num_ret, min(cutoff, len(self.label)))

    def _find(self, rel: int) -> Hits:
        return self._found_at(np.flatnonzero(self.label >= rel))

    def _found_at(self, position: IntArray) -> Hits:
        row = np.searchsorted(self.row_start, position, side="right") - 1
        rank = position - self.row_start[row] + 1
        return Hits(row, rank, _count_within(row, len(self)), self.label[position])

    def _in_topic(self, chosen: NDArray[np.bool_]) -> IntArray:
        return self.labels.count(chosen)[self.topic]


def ratio(part: FloatArray | IntArray, whole: FloatArray | IntArray) -> FloatArray:
    """part / whole, and 0 where whole is 0."""
    out = np.zeros(np.shape(part), np.float64)
    np.divide(part, whole, out=out, where=np.asarray(whole) != 0)
    return out


def log2_discount(rank: IntArray) -> FloatArray:
    """log2(rank + 1), by which a gain is divided; from the C library's log2, which numpy's may differ from."""
    return _log2_table(_table_size(rank))[rank]


def power(base: float, exponent: IntArray) -> FloatArray:
    """base ** exponent for exponents from 0, by the C library."""
    return _power_table(base, _table_size(exponent))[exponent]


def _count_within(group: IntArray, n_groups: int) -> IntArray:
    """1, 2, 3 ... anew within each group; `group` ascends."""
    first = starts_of(np.bincount(group, minlength=n_groups))[group]
    return np.arange(1, len(group) + 1) - first


def _table_size(index: IntArray) -> int:
    """The next power of two, so that few tables are ever made."""
    return 1 << int(index.max(initial=0)).bit_length()


@lru_cache(maxsize=32)
def _log2_table(size: int) -> FloatArray:
    return np.array([math.log2(rank + 1) for rank in range(size)])


@lru_cache(maxsize=64)
def _power_table(base: float, size: int) -> FloatArray:
    return np.array([base**exponent for exponent in range(size)])
