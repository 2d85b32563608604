"""Documents with what they are worth: the base of measures of gain."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray, Labels, starts_of
from workbench.methods.measures.gains import Gains
from workbench.methods.measures.judged import FloatArray, JudgedRankings, log2_discount
from workbench.methods.measures.running import running_sums

LARGEST_TABLE = 1 << 16
"""Up to here logarithms of whole numbers are looked up."""


class Gained(NamedTuple):
    """H documents of R rows with their gains, in the order of rows and ranks; ranks count from 1.

    Attributes:
        row, rank: int64 (H).
        gain: float64 (H).
        n_rows: R.
    """

    row: IntArray
    rank: IntArray
    gain: FloatArray
    n_rows: int

    def where(self, chosen: NDArray[np.bool_]) -> Gained:
        """Those that a mask (H) chooses."""
        return Gained(self.row[chosen], self.rank[chosen], self.gain[chosen], self.n_rows)

    def within(self, cutoff: int | IntArray | None) -> Gained:
        """Those down to a rank: one for all rows, or one per row; None for no limit."""
        if cutoff is None:
            return self
        return self.where(self.rank <= (cutoff if isinstance(cutoff, int) else cutoff[self.row]))

    @property
    def positive(self) -> Gained:
        """Those that are worth more than nothing."""
        return self.where(self.gain > 0)

    @property
    def number(self) -> IntArray:
        """How many each row has, int64 (R)."""
        return np.bincount(self.row, minlength=self.n_rows)

    @property
    def start(self) -> IntArray:
        """Where each row starts in the arrays, and their end, int64 (R + 1)."""
        return starts_of(self.number)

    @property
    def nth(self) -> IntArray:
        """The place of each one among those of its row, from 1, int64 (H)."""
        counted: IntArray = np.arange(1, len(self.row) + 1) - self.start[self.row]
        return counted

    def discounted(self, discount: str = "plus-one", base: float = 2) -> Gained:
        """The same documents with their gains divided by the discount of their ranks."""
        return self._replace(gain=self.gain / discount_at(self.rank, discount, base))

    def total(self) -> FloatArray:
        """The sum of each row's gains, left to right, float64 (R)."""
        return np.bincount(self.row, self.gain, minlength=self.n_rows).astype(np.float64, copy=False)

    def running(self) -> FloatArray:
        """The sum of each one's gain and those above it in its row, float64 (H)."""
        return running_sums(self.gain, self.start)


class Running(NamedTuple):
    """Sums over the first documents of each of T best rankings, at any rank; `start` as in `Gained`."""

    sums: FloatArray
    start: IntArray

    @classmethod
    def of(cls, best: Gained) -> Running:
        """The running sums of the gains of best rankings, which have no gaps."""
        return cls(np.append(best.running(), 0.0), best.start)

    def at(self, topic: NDArray[np.integer[Any]], rank: int | IntArray | None) -> FloatArray:
        """The sum over the first `rank` documents (or all, if there are fewer) of each topic; 0 if it has none."""
        number = self.start[topic + 1] - self.start[topic]
        if rank is not None:
            number = np.minimum(number, rank)
        return np.where(number > 0, self.sums[self.start[topic] + number - 1], 0.0)


def retrieved(judged: JudgedRankings, gains: Gains) -> Gained:
    """The retrieved documents that can be worth something; some may be worth nothing, or less."""
    return judged.once(("retrieved", gains), lambda: _retrieved(judged, gains))


def _retrieved(judged: JudgedRankings, gains: Gains) -> Gained:
    hits = judged.hits(gains.lowest_grade)
    return Gained(hits.row, hits.rank, gains.of(hits.grade), len(judged))


def discounted(judged: JudgedRankings, gains: Gains, discount: str = "plus-one", base: float = 2) -> Gained:
    """The same with their gains divided by the discount of their ranks."""
    return judged.once(
        ("discounted", gains, discount, base), lambda: retrieved(judged, gains).discounted(discount, base)
    )


def best_of_topics(judged: JudgedRankings, gains: Gains) -> Gained:
    """The best ranking of each topic: all judged documents with a positive gain, best first; rows are topics."""
    return judged.once(("best", gains), lambda: _best(judged.labels, gains))


def _best(labels: Labels, gains: Gains) -> Gained:
    cell = np.flatnonzero(labels.label >= gains.lowest_grade)
    gain = gains.of(labels.label[cell])
    topic = np.searchsorted(labels.topic_start, cell, side="right") - 1
    order = np.lexsort((-gain, topic))
    best = Gained(topic, topic, gain[order], len(labels)).positive
    return best._replace(rank=best.nth)


def best_discounted(
    judged: JudgedRankings, gains: Gains, discount: str = "plus-one", base: float = 2
) -> Running:
    """The discounted gains of the best rankings, summed up to any rank."""
    return judged.once(
        ("best discounted", gains, discount, base),
        lambda: Running.of(best_of_topics(judged, gains).discounted(discount, base)),
    )


def discount_at(rank: IntArray, discount: str = "plus-one", base: float = 2) -> FloatArray:
    """What gains at these ranks are divided by, float64 of the same shape.

    With logarithms of the base b, and 1 where nothing is said: `plus-one`: log(rank + 1); `below-base`: log(rank)
    from rank b on; `after-first`: log(rank) from rank 2 on.
    """
    if discount == "plus-one" and base == 2:
        return log2_discount(rank)
    size = 1 << int(rank.max(initial=0)).bit_length()
    return _discounts(discount, base, size)[rank]


@lru_cache(maxsize=32)
def _discounts(discount: str, base: float, size: int) -> FloatArray:
    added, first = {"plus-one": (1, 1.0), "below-base": (0, base), "after-first": (0, 2.0)}[discount]
    return np.array([_logarithm(rank + added, base) if rank >= first else 1.0 for rank in range(size)])


def _logarithm(number: int, base: float) -> float:
    """By the function for the base where there is one: it is exact for powers of the base."""
    if base in (2, 10):
        return math.log2(number) if base == 2 else math.log10(number)
    return math.log(number, base)


def log2_of(values: FloatArray) -> FloatArray:
    """The logarithm of base 2 by the C library, which numpy's own may differ from in the last digit."""
    if values.max(initial=0.0) < LARGEST_TABLE and (np.floor(values) == values).all():
        return log2_discount(values.astype(np.int64) - 1)
    distinct, place = np.unique(values, return_inverse=True)
    return np.array([math.log2(value) for value in distinct.tolist()])[place]
