"""Rankings with the label of every document: the one thing that measures look at.

The labels are gathered once. What several measures need (the ranks of the relevant documents, how many
judged documents are above them) is computed once, when it is first asked for. Most documents of most
rankings are neither judged nor pooled: so the others are listed once, and no measure walks through all entries.

Sums run from left to right in rank order, as in the reference program: `np.bincount` adds that way, while
`np.sum` and `np.add.reduceat` add in pairs and differ in the last digit.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any, Generic, NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import POOLED, IntArray, Labels, Rankings, starts_of
from workbench.core.ranking import FloatArray as FloatArray  # the measures take it from here
from workbench.methods.measures.running import running_sums

Found = TypeVar("Found")
AnyLabels = TypeVar("AnyLabels")


class Hits(NamedTuple):
    """Documents of interest over all rows, in the order of rows and ranks; all arrays have shape (H,).

    `row` says where, `rank` counts from 1, `nth` counts the hits of the row, from 1, `grade`
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


class _Known(NamedTuple):
    """The documents that are judged or pooled, K of them in all rows; all others are much alike.

    Attributes:
        position: int64 (K). Their entries, ascending.
        label: int16 (K).
        start: int64 (R + 1). Row i has the places start[i] to start[i + 1] - 1 of the arrays above.
    """

    position: IntArray
    label: NDArray[np.int16]
    start: IntArray


@dataclass(eq=False, repr=False)
class Shared:
    """What several measures need, found once."""

    _found: dict[Hashable, Any] = field(default_factory=dict, init=False)

    def once(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """What `find()` returns, found only the first time that `what` is asked for."""
        if what not in self._found:
            self._found[what] = find()
        found: Found = self._found[what]
        return found


@dataclass(eq=False, repr=False)
class KnownRankings(Shared, Generic[AnyLabels]):
    """R rows with N entries in all, of which M are documents of which something is known.

    Attributes:
        row_start: int64 (R + 1). Row i holds the entries row_start[i] to row_start[i + 1] - 1.
        topic: int32 (R). The topic of each row.
        position: int64 (M), ascending. The entries that are known.
        cell: int64 (M). Which documents they are.
        labels: what is known of them.
    """

    row_start: IntArray
    topic: NDArray[np.int32]
    position: IntArray
    cell: IntArray
    labels: AnyLabels

    def __len__(self) -> int:
        return len(self.topic)

    def to_depth(self, depth: int) -> Self:
        """Every row cut after its first `depth` documents."""
        row_start = starts_of(np.minimum(np.diff(self.row_start), depth))
        near = self.rank <= depth
        position = row_start[self.row[near]] + self.rank[near] - 1
        return type(self)(row_start, self.topic, position, self.cell[near], self.labels)

    @cached_property
    def row(self) -> IntArray:
        """The row of each known document, int64 (M)."""
        return np.searchsorted(self.row_start, self.position, side="right") - 1

    @cached_property
    def rank(self) -> IntArray:
        """The rank of each known document, from 1, int64 (M)."""
        return self.position - self.row_start[self.row] + 1


@dataclass(eq=False, repr=False)
class JudgedRankings(Shared):
    """Rankings joined with labels; every measure is a function of it that returns one value per row.

    A negative grade counts as judged, but neither as relevant nor as non-relevant, like "in the pool but
    unjudged" of the reference program.

    Attributes:
        row_start: int64 (R + 1). Row i holds the entries row_start[i] to row_start[i + 1] - 1.
        topic: int32 (R). The topic of each row.
        label: int16 (N). The label of each entry, in rank order.
        labels: all that is known about each topic; documents without a judgment may be left out.
    """

    row_start: IntArray
    topic: NDArray[np.int32]
    label: NDArray[np.int16]
    labels: Labels

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
        return self.where(self.label >= 0)

    def where(self, kept: NDArray[np.bool_]) -> JudgedRankings:
        """The same rankings without the entries that a mask (N) leaves out; those below move up."""
        return JudgedRankings(starts_of(kept)[self.row_start], self.topic, self.label[kept], self.labels)

    def completed(self, grade: int) -> JudgedRankings:
        """The same rankings as if every pooled, unjudged document, retrieved or not, had been given `grade`."""
        return self.once(("completed", grade), lambda: self._filled(np.int16(grade)))

    def _filled(self, grade: np.int16) -> JudgedRankings:
        cells, entries = (np.where(each == POOLED, grade, each) for each in (self.labels.label, self.label))
        return JudgedRankings(self.row_start, self.topic, entries, Labels(self.labels.topic_start, cells))

    def relabelled(self, entries: IntArray, label: int) -> JudgedRankings:
        """The same rankings after the documents at these entries got another label, in `labels` as well."""
        changed = self.label.copy()
        changed[entries] = label
        after = JudgedRankings(self.row_start, self.topic, changed, self.labels)
        if label >= POOLED and (self.label[entries] >= POOLED).all():
            after._known = self._known._replace(label=changed[self._known.position])
        return after

    def to_depth(self, depth: int) -> JudgedRankings:
        """Every row cut after its first `depth` documents."""
        rank = np.arange(len(self.label)) - np.repeat(self.row_start[:-1], self.num_ret)
        return self.where(rank < depth)

    def once_of_labels(self, what: Hashable, find: Callable[[], Found]) -> Found:
        """As `once`, of what follows from the labels alone: found once for all rankings where labels do not change."""
        kept = self.labels.kept
        if kept is None:
            return self.once(what, find)
        if what not in kept:
            kept[what] = find()
        found: Found = kept[what]
        return found

    def num_rel(self, rel: int) -> IntArray:
        """How many documents of each row's topic have a grade of at least `rel`, int64 (R)."""
        number = ("relevant in topics", rel)
        return self.once(
            ("relevant", rel),
            lambda: self.once_of_labels(number, lambda: self.labels.num_rel(rel))[self.topic],
        )

    def num_nonrel(self, rel: int) -> IntArray:
        """How many documents of each row's topic have a grade from 0 to `rel` - 1, int64 (R)."""
        return self.num_rel(0) - self.num_rel(rel)

    def hits(self, rel: int) -> Hits:
        """The retrieved documents whose grade is at least `rel`."""
        return self.once(("hits", rel), lambda: self._hits_at(self._places(rel)))

    def num_found(self, rel: int, cutoff: int | IntArray | None = None) -> IntArray:
        """How many of each row's first `cutoff` documents have a grade of at least `rel`, int64 (R).

        `cutoff` is one for all rows or one per row; None looks at all documents.
        """
        if isinstance(cutoff, int) or cutoff is None:
            return self.once(("found", rel, cutoff), lambda: self._count(rel, cutoff))
        return self._count(rel, cutoff)

    @cached_property
    def undecided(self) -> Hits:
        """The retrieved documents that were pooled and are not judged; their `grade` is the label POOLED."""
        return self._hits_at(np.flatnonzero(self._known.label == POOLED))

    @cached_property
    def num_undecided(self) -> IntArray:
        """How many documents of each row's topic, retrieved or not, were pooled and are not judged, int64 (R)."""
        return self.labels.count(self.labels.label == POOLED)[self.topic]

    def add_up(self, hits: Hits, weight: FloatArray | None = None) -> FloatArray:
        """The sum of the weights (by default 1) of each row's hits, left to right, float64 (R)."""
        return np.bincount(hits.row, weight, minlength=len(self)).astype(np.float64, copy=False)

    def sums_down_to(
        self, cutoff: int, rel: int, what: Hashable, weight: Callable[[], FloatArray]
    ) -> FloatArray:
        """The sum of the weights of each row's hits down to a rank, left to right, float64 (R).

        The weights, float64 (H), are those of `hits(rel)`. Running sums are found once for all cutoffs, by the name
        `what`.
        """
        running = self.once(
            ("running", what, rel), lambda: np.append(running_sums(weight(), self._starts(rel)), 0.0)
        )
        number = self.num_found(rel, cutoff)
        return np.where(number > 0, running[self._starts(rel)[:-1] + number - 1], 0.0)

    def known_above(self, rel: int) -> IntArray:
        """How many retrieved documents that are judged or pooled are above each of `hits(rel)`, int64 (H)."""
        above: IntArray = self._places(rel) - self._known.start[self.hits(rel).row]
        return above

    def nonrel_above(self, rel: int) -> IntArray:
        """How many retrieved documents with a grade from 0 to `rel` - 1 are above each of `hits(rel)`, int64 (H)."""

        def count() -> IntArray:
            hits, (negative, start) = self.hits(rel), self.once(("below", 0), lambda: self._below(0))
            position = self.row_start[hits.row] + hits.rank - 1
            negative_above = np.searchsorted(negative, position) - start[hits.row]
            above: IntArray = self.known_above(rel) - (hits.nth - 1) - negative_above
            return above

        return self.once(("nonrel above", rel), count)

    def num_judged(self, cutoff: int | None) -> IntArray:
        """How many of each row's first `cutoff` documents (None: of all) are judged, int64 (R)."""
        return self.num_found(POOLED + 1, cutoff)

    def looked_at(self, cutoff: int | IntArray | None) -> IntArray:
        """How many documents each row has down to `cutoff` (None: to its end), int64 (R)."""
        if cutoff is None:
            return self.num_ret
        return np.minimum(self.num_ret, min(cutoff, len(self.label)) if isinstance(cutoff, int) else cutoff)

    @cached_property
    def _known(self) -> _Known:
        position = np.flatnonzero(self.label >= POOLED)
        return _Known(
            position, self.label.take(position, mode="clip"), np.searchsorted(position, self.row_start)
        )

    def _places(self, lowest: int) -> IntArray:
        """Which of the known documents have a label of at least `lowest`, ascending."""
        return self.once(("places", lowest), lambda: np.flatnonzero(self._known.label >= lowest))

    def _starts(self, rel: int) -> IntArray:
        """Where the rows start in the arrays of `hits(rel)`, and where they end: int64 (R + 1)."""
        return self.once(("starts", rel), lambda: np.searchsorted(self._places(rel), self._known.start))

    def _hits_at(self, place: IntArray) -> Hits:
        known = self._known
        start = np.searchsorted(place, known.start)
        number = np.diff(start)
        row = np.repeat(np.arange(len(self)), number)
        rank = known.position[place] - np.repeat(self.row_start[:-1] - 1, number)
        nth = np.arange(1, len(row) + 1) - np.repeat(start[:-1], number)
        return Hits(row, rank, nth, known.label[place])

    def _count(self, rel: int, cutoff: int | IntArray | None) -> IntArray:
        known = self._known
        if rel > 0:
            position = self.once(("positions", rel), lambda: known.position[self._places(rel)])
            return self._down_to(cutoff, position, self._starts(rel))
        # Nearly all known documents have such a grade: those are fewer that have none.
        below, start = self.once(("below", rel), lambda: self._below(rel))
        return self._down_to(cutoff, known.position, known.start) - self._down_to(cutoff, below, start)

    def _below(self, rel: int) -> tuple[IntArray, IntArray]:
        """The entries of known documents with a label below `rel`, and where each row starts among them."""
        below = self._known.position[np.flatnonzero(self._known.label < rel)]
        return below, np.searchsorted(below, self.row_start)

    def _down_to(self, cutoff: int | IntArray | None, position: IntArray, start: IntArray) -> IntArray:
        """How many of some ascending entries are in each row down to the cutoff; `start` as in `_Known`."""
        if cutoff is None:
            return np.diff(start)
        end = np.searchsorted(position, self.row_start[:-1] + self.looked_at(cutoff))
        number: IntArray = end - start[:-1]
        return number


def ratio(part: FloatArray | IntArray, whole: FloatArray | IntArray) -> FloatArray:
    """part / whole, and 0 where whole is 0."""
    out = np.zeros(np.shape(part), np.float64)
    np.divide(part, whole, out=out, where=np.asarray(whole) != 0)
    return out


def log2_discount(rank: IntArray) -> FloatArray:
    """log2(rank + 1), by which a gain is divided; from the C library's log2, which numpy's may differ from."""
    return _log2_table(table_size(rank))[rank]


def power(base: float, exponent: IntArray) -> FloatArray:
    """base ** exponent for exponents from 0, by the C library."""
    return _power_table(base, table_size(exponent))[exponent]


def repeated_product(factor: float, times: IntArray) -> FloatArray:
    """1 multiplied by `factor` so many times, one by one: the last digit differs from that of a power."""
    return _product_table(factor, table_size(times))[times]


def table_size(index: IntArray) -> int:
    """The next power of two, so that few tables are ever made."""
    return 1 << int(index.max(initial=0)).bit_length()


@lru_cache(maxsize=32)
def _log2_table(size: int) -> FloatArray:
    return np.array([math.log2(rank + 1) for rank in range(size)])


@lru_cache(maxsize=64)
def _power_table(base: float, size: int) -> FloatArray:
    return np.array([base**exponent for exponent in range(size)])


@lru_cache(maxsize=64)
def _product_table(factor: float, size: int) -> FloatArray:
    return np.cumprod(np.append(1.0, np.full(size - 1, factor)))
