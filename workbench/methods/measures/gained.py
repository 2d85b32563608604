"""Documents with what they are worth: the base of measures of gain."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray, starts_of
from workbench.methods.measures.gains import Gains
from workbench.methods.measures.judged import FloatArray, JudgedRankings, log2_discount, table_size
from workbench.methods.measures.running import running_sums

LARGEST_TABLE = 1 << 16
"""Up to here logarithms of whole numbers are looked up."""

ALL = slice(None)


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
    hits = judged.hits(gains.lowest_grade)
    return judged.once(
        ("retrieved", gains), lambda: Gained(hits.row, hits.rank, gains.of(hits.grade), len(judged))
    )


def discounted(judged: JudgedRankings, gains: Gains, discount: str = "plus-one", base: float = 2) -> Gained:
    """The same with their gains divided by the discount of their ranks."""
    return judged.once(
        ("discounted", gains, discount, base), lambda: retrieved(judged, gains).discounted(discount, base)
    )


def best_of_topics(judged: JudgedRankings, gains: Gains) -> Gained:
    """The best ranking of each topic: all judged documents with a positive gain, best first; rows are topics."""

    def find() -> Gained:
        labels = judged.labels
        cell, topic = labels.at_least(gains.lowest_grade)
        gain = gains.of(labels.label[cell])
        order = np.lexsort((-gain, topic))
        best = Gained(topic, topic, gain[order], len(labels)).positive
        return best._replace(rank=best.nth)

    return judged.once_of_labels(("best", gains), find)


def best_discounted(
    judged: JudgedRankings, gains: Gains, discount: str = "plus-one", base: float = 2
) -> Running:
    """The discounted gains of the best rankings, summed up to any rank."""
    return judged.once_of_labels(
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
    return _discounts(discount, base, table_size(rank))[rank]


@lru_cache(maxsize=32)
def _discounts(discount: str, base: float, size: int) -> FloatArray:
    added, first = {"plus-one": (1, 1.0), "below-base": (0, base), "after-first": (0, 2.0)}[discount]
    logarithms = np.ones(size)
    for rank in range(math.ceil(first), size):
        # By the function for the base where there is one: it is exact for powers of the base.
        number = rank + added
        by_base = math.log2(number) if base == 2 else math.log10(number) if base == 10 else None
        logarithms[rank] = math.log(number, base) if by_base is None else by_base
    return logarithms


def log2_of(values: FloatArray) -> FloatArray:
    """The logarithm of base 2 by the C library, which numpy's own may differ from in the last digit."""
    if values.max(initial=0.0) < LARGEST_TABLE and (np.floor(values) == values).all():
        return log2_discount(values.astype(np.int64) - 1)
    distinct, place = np.unique(values, return_inverse=True)
    return np.array([math.log2(value) for value in distinct.tolist()])[place]


class Step(NamedTuple):
    """From one gain that an undecided document may have to the next, in layers: one for each gain judged between.

    A document of gain g belongs to every layer up to g, and the n documents of a layer are on the first n
    ranks of the best ranking. So the gain of that ranking is the sum of height * discounts[n] over all layers.

    Attributes:
        heights: how much the gain rises with each layer.
        counts: int64 (R) for each layer: how many judged documents of the row's topic belong to it.
        discounts: float64. Place n holds the sum of the first n discounts, down to the cutoff.
    """

    heights: list[float]
    counts: list[IntArray]
    discounts: FloatArray

    def ideal(self, raised: IntArray, row: IntArray | slice = ALL) -> FloatArray:
        """The gain of the best ranking from this step if `raised` undecided documents take it.

        `raised` has one number per row, or several of which `row` tells the row.
        """
        total = np.zeros(len(raised))
        for height, count in zip(self.heights, self.counts, strict=True):
            total += height * self.discounts[count[row] + raised]
        return total


class Ideal(NamedTuple):
    """The gain of the best ranking of each row's topic, as far as it is known.

    Attributes:
        least, most: the gains that an undecided document may at least and at most have.
        settled: float64 (R). The part of layers that undecided documents belong to in any case, or cannot.
        steps: from the least gain to the most.
    """

    least: float
    most: float
    settled: FloatArray
    steps: list[Step]

    @classmethod
    def of(cls, judged: JudgedRankings, gains: Gains, possible: FloatArray, discounts: FloatArray) -> Ideal:
        """With these gains possible for undecided documents."""
        possible, worth = np.unique(possible), gains.of(judged.labels.label)
        least, most = float(possible[0]), float(possible[-1])
        # Between these gains there are layers: those that are known, and the nearest possible ones to each.
        known = gains.of(np.unique(judged.labels.label))
        between = np.clip(known, possible[0], possible[-1])
        below = possible[np.searchsorted(possible, between, side="right") - 1]
        above = possible[np.searchsorted(possible, between)]
        edges = np.unique(np.concatenate([known, below, above, possible[[0, -1]]]))
        edges = edges[edges > 0]
        settled = np.zeros(len(judged))
        steps: dict[int, Step] = {}
        for edge, height in zip(edges.tolist(), np.diff(edges, prepend=0.0).tolist(), strict=True):
            count = judged.labels.count(worth >= edge)[judged.topic]
            if least < edge <= most:
                number = int(np.searchsorted(possible, edge))
                step = steps.setdefault(number, Step([], [], discounts))
                step.heights.append(height)
                step.counts.append(count)
            else:
                settled += height * discounts[count + (judged.num_undecided if edge <= least else 0)]
        return cls(least, most, settled, list(steps.values()))

    def raised_to_most(self, raised: IntArray, row: IntArray | slice = ALL) -> FloatArray:
        """The gain if `raised` undecided documents have the most gain, the others the least; as in `Step.ideal`."""
        total: FloatArray = self.settled[row] + 0.0
        for step in self.steps:
            total += step.ideal(raised, row)
        return total


def summed_discounts(judged: JudgedRankings, cutoff: int | None, discount: str, base: float) -> FloatArray:
    """Sums of the first 0, 1, 2 ... discounts, as many as a topic has documents; none is below the cutoff."""
    return _summed(int(np.diff(judged.labels.topic_start).max(initial=0)), cutoff, discount, base)


@lru_cache(maxsize=32)
def _summed(number: int, cutoff: int | None, discount: str, base: float) -> FloatArray:
    weight = 1.0 / discount_at(np.arange(1, number + 1), discount, base)
    weight[number if cutoff is None else cutoff :] = 0.0
    return np.cumsum(np.append(0.0, weight))
