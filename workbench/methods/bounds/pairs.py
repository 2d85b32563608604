"""All pairs of runs over all topics: bounds of the difference of their means, kept up to date judgment by judgment.

Topics do not depend on one another, so the highest difference of the means is the mean of the highest differences of
the topics. A mean is over all topics of which something is judged or pooled; a run without such a topic has 0 there.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import POOLED, FloatArray, IntArray
from workbench.methods.bounds.additive import (
    AdditiveDifferences,
    form_of,
    highest_differences,
    undecided_weights,
)
from workbench.methods.bounds.registry import Differences
from workbench.methods.bounds.topic_runs import TopicRuns, pairwise_least

LabelArray = NDArray[np.int16]
State = Literal["certain", "open", "tied for certain"]
CERTAIN: State = "certain"
OPEN: State = "open"
TIED: State = "tied for certain"

SMALLEST = 1e-9
"""A smaller difference counts as none: no printed digit shows it, and rounding is well below it."""


STEPS_OF_A_PAIR = 10.0
"""About this many steps of arithmetic it takes to judge a document in a pair of runs, by an additive measure."""

KEPT_CELLS = 12_000_000
"""This many numbers of topics are kept beside the sum of their differences: 96 MB."""


class Pairs(NamedTuple):
    """Bounds of differences of means, the run of the row less that of the column; all float64 (S, S).

    Attributes:
        difference: with every undecided document not relevant.
        lower, upper: the lowest and the highest difference that judging the rest of the pool can lead to.
    """

    difference: FloatArray
    lower: FloatArray
    upper: FloatArray

    @property
    def certain(self) -> NDArray[np.bool_]:
        """The pairs of which the better run is known, whatever the rest of the pool turns out to be, bool (S, S)."""
        return (self.lower > SMALLEST) | (self.upper < -SMALLEST)

    @property
    def tied(self) -> NDArray[np.bool_]:
        """The pairs that stay level, whatever the rest of the pool turns out to be, bool (S, S)."""
        return (self.lower >= -SMALLEST) & (self.upper <= SMALLEST)

    @property
    def open(self) -> NDArray[np.bool_]:
        """The pairs that are neither, bool (S, S); no run with itself."""
        open_: NDArray[np.bool_] = ~(self.certain | self.tied)
        np.fill_diagonal(open_, False)
        return open_

    def state(self, one: int, other: int) -> State:
        """What is known of one pair."""
        return self.states(np.array([one]), np.array([other]))[0]

    def states(self, one: IntArray, other: IntArray) -> list[State]:
        """What is known of these pairs."""
        lower, upper = self.lower[one, other], self.upper[one, other]
        certain = (lower > SMALLEST) | (upper < -SMALLEST)
        tied = (lower >= -SMALLEST) & (upper <= SMALLEST)
        names: tuple[State, State, State] = (OPEN, TIED, CERTAIN)
        return [names[which] for which in np.where(certain, 2, np.where(tied, 1, 0)).tolist()]

    def of_runs(self, runs: list[int]) -> Pairs:
        """The pairs of these runs alone, in this order."""
        chosen = np.ix_(runs, runs)
        return Pairs(*(each[chosen] for each in self))


Numbers = tuple[Any, ...]


class PairBounds(ABC):
    """What is summed up over topics; topics are numbered."""

    summed: tuple[str, ...]
    """The names of all attributes that were summed up."""

    def __init__(self, kind: Differences, runs: int) -> None:
        """Nothing is known yet of `runs` runs."""
        self._kind = kind
        self._values = np.zeros(runs)

    @abstractmethod
    def put(self, number: int, topic: TopicRuns) -> None:
        """Add a topic that is not in it yet; `number` says which."""

    @abstractmethod
    def relabel(self, number: int, topic: TopicRuns, documents: IntArray, before: LabelArray) -> None:
        """The labels of these documents of a topic, that were `before`, are now what `topic.label` says."""

    @abstractmethod
    def cost(self, number: int, topic: TopicRuns, documents: int) -> float:
        """About how many steps of arithmetic `relabel` takes for this many documents, as in `Differences.cost`."""

    @abstractmethod
    def pairs(self, n_topics: int) -> Pairs:
        """Differences of means over this number of topics."""

    def values(self) -> FloatArray:
        """The sum of each run's values over topics, with undecided documents not relevant, float64 (S)."""
        return self._values

    def numbers(self) -> Numbers:
        """All that was summed up, to be handed to `restore` of another one; neither may be used on after that."""
        return tuple(getattr(self, name) for name in self.summed)

    def restore(self, numbers: Numbers) -> None:
        """Take over what another one of the same measure and runs has summed up."""
        for name, value in zip(self.summed, numbers, strict=True):
            setattr(self, name, value)


class _AdditivePairs(PairBounds):
    """Of an additive measure: S + S + S * S numbers, whatever the number of topics; a judgment changes each once."""

    summed = ("_values", "_weight", "_shared")

    def __init__(self, kind: Differences, runs: int, ranks: int) -> None:
        super().__init__(kind, runs)
        self.form = form_of(kind, ranks)
        self._weight = np.zeros(runs)
        self._shared = np.zeros((runs, runs))

    def put(self, number: int, topic: TopicRuns) -> None:
        weight = undecided_weights(topic, self.form)
        self._values += self._kind.values(topic)
        self._weight += weight.sum(axis=0)
        self._shared += pairwise_least(weight)

    def relabel(self, number: int, topic: TopicRuns, documents: IntArray, before: LabelArray) -> None:
        if len(documents) == 1:
            rank = topic.ranks_of_one(int(documents[0]))[None, :]
        else:
            rank = topic.ranks(documents, len(self.form.weight))
        weight = self.form.weights_at(rank)
        for label, sign in ((before, -1.0), (topic.label[documents], 1.0)):
            self._values += sign * (self.form.gain_of(label) @ weight)
            open_ = weight[label == POOLED]
            if len(open_):
                self._weight += sign * open_.sum(axis=0)
                self._shared += sign * pairwise_least(open_)

    def pairs(self, n_topics: int) -> Pairs:
        highest = highest_differences(self.form, self._values, self._weight, self._shared)
        return bounds_of_means(self._values, highest, n_topics)

    def cost(self, number: int, topic: TopicRuns, documents: int) -> float:
        return STEPS_OF_A_PAIR * documents * len(topic) ** 2


class _PairsByTopic(PairBounds):
    """Of any measure: a judgment takes the highest differences of its topic out, and puts in what they are now.

    Those of a topic are kept as long as there is room; else they are found again before they are taken out.
    """

    summed = ("_values", "_highest", "_topics")

    def __init__(self, kind: Differences, runs: int) -> None:
        super().__init__(kind, runs)
        self._highest = np.zeros((runs, runs))
        self._topics: dict[int, tuple[FloatArray, FloatArray]] = {}

    def put(self, number: int, topic: TopicRuns) -> None:
        values, highest = found = self._kind.values(topic), self._kind.highest(topic)
        self._values += values
        self._highest += highest
        if (len(self._topics) + 1) * highest.size <= KEPT_CELLS:
            self._topics[number] = found

    def relabel(self, number: int, topic: TopicRuns, documents: IntArray, before: LabelArray) -> None:
        if number not in self._topics:
            past = topic.completed(documents, before)
            self._topics[number] = self._kind.values(past), self._kind.highest(past)
        values, highest = self._topics.pop(number)
        self._values -= values
        self._highest -= highest
        self.put(number, topic)

    def cost(self, number: int, topic: TopicRuns, documents: int) -> float:
        return self._kind.cost(topic)

    def pairs(self, n_topics: int) -> Pairs:
        return bounds_of_means(self._values, self._highest, n_topics)


def pair_bounds(kind: Differences, runs: int, ranks: int) -> PairBounds:
    """What sums up this measure for `runs` runs, with rankings of at most `ranks` ranks."""
    return (
        _AdditivePairs(kind, runs, ranks)
        if isinstance(kind, AdditiveDifferences)
        else _PairsByTopic(kind, runs)
    )


def runs_within(cost: float, runs: int, most: float) -> int:
    """How many of the runs can be compared in `most` steps, when all take `cost`; what it costs grows with the square.

    All of them where that is within it, and at least two.
    """
    return runs if cost <= most else max(2, int(runs * (most / cost) ** 0.5))


def bounds_of_means(values: FloatArray, highest: FloatArray, n_topics: int) -> Pairs:
    """Pairs from sums over topics: of values, float64 (S), and of the highest differences, float64 (S, S)."""
    topics = max(n_topics, 1)
    upper = highest / topics
    np.fill_diagonal(upper, 0.0)
    return Pairs((values[:, None] - values) / topics, -upper.T, upper)
