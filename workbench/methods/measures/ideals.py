"""The gain of the best ranking of a topic while some of its documents are undecided.

What an undecided document is worth is open between the least and the most that a grade can be worth.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from workbench.core.ranking import IntArray
from workbench.methods.measures.gained import discount_at
from workbench.methods.measures.gains import Gains
from workbench.methods.measures.judged import FloatArray, JudgedRankings

ALL = slice(None)


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
        edges = _edges(gains.of(np.unique(judged.labels.label)), possible)
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


def _edges(known: FloatArray, possible: FloatArray) -> FloatArray:
    """The gains between which there are layers: those that are known, and the nearest possible ones to each."""
    between = np.clip(known, possible[0], possible[-1])
    below = possible[np.searchsorted(possible, between, side="right") - 1]
    above = possible[np.searchsorted(possible, between)]
    edges = np.unique(np.concatenate([known, below, above, possible[[0, -1]]]))
    return edges[edges > 0]


def summed_discounts(judged: JudgedRankings, cutoff: int | None, discount: str, base: float) -> FloatArray:
    """Sums of the first 0, 1, 2 ... discounts, as many as a topic has documents; none is below the cutoff."""
    return _summed(int(np.diff(judged.labels.topic_start).max(initial=0)), cutoff, discount, base)


@lru_cache(maxsize=32)
def _summed(number: int, cutoff: int | None, discount: str, base: float) -> FloatArray:
    weight = 1.0 / discount_at(np.arange(1, number + 1), discount, base)
    weight[number if cutoff is None else cutoff :] = 0.0
    return np.cumsum(np.append(0.0, weight))
