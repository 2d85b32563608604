"""All pairs of runs over all topics: bounds of the difference of their means, kept up to date judgment by judgment.

Topics do not depend on one another, so the highest difference of the means is the mean of the highest differences of
the topics. A mean is over all topics of which something is judged or pooled; a run without such a topic has 0 there.
"""

from __future__ import annotations

from typing import Any, Literal, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import POOLED, UNJUDGED, FloatArray, IntArray
from workbench.methods.bounds.additive import (
    AdditiveDifferences,
    form_of,
    highest_differences,
    undecided_weights,
)
from workbench.methods.bounds.registry import Differences, Known
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

STEPS_TO_FOLLOW = 80.0
"""The same where a measure follows it from what it knows of the topic."""

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

    def share_certain(self) -> float:
        """The share of pairs that are certain, or tied for certain; nan without a pair."""
        runs = len(self.lower)
        if runs < 2:
            return float("nan")
        # What is known of a pair is known of it the other way round.
        pairs = runs * (runs - 1)
        return (pairs - int(self.open.sum())) / pairs

    def of_runs(self, runs: list[int]) -> Pairs:
        """The pairs of these runs alone, in this order."""
        chosen = np.ix_(runs, runs)
        return Pairs(*(each[chosen] for each in self))


Numbers = tuple[Any, ...]


class PairBounds(Protocol):
    """What is summed up over topics; topics are numbered."""

    def put(self, number: int, topic: TopicRuns) -> None:
        """A topic that is not in it yet; `number` says which."""

    def relabel(self, number: int, topic: TopicRuns, documents: IntArray, before: LabelArray) -> None:
        """The labels of these documents of a topic, that were `before`, are now what `topic.label` says."""

    def cost(self, number: int, topic: TopicRuns, documents: int) -> float:
        """About how many steps of arithmetic `relabel` takes for this many documents, as in `Differences.cost`."""

    def values(self) -> FloatArray:
        """The sum of each run's values over topics, with undecided documents not relevant, float64 (S)."""

    def pairs(self, n_topics: int) -> Pairs:
        """Differences of means over this number of topics."""

    def numbers(self) -> Numbers:
        """All that was summed up, to be handed to `restore` of another one; neither may be used on after that."""

    def restore(self, numbers: Numbers) -> None:
        """Take over what another one of the same measure and runs has summed up."""


class AdditivePairs:
    """Of an additive measure: S + S + S * S numbers, whatever the number of topics; a judgment changes each once."""

    def __init__(self, kind: Differences, runs: int, ranks: int) -> None:
        """Nothing is known yet of rankings by `runs` runs, of at most `ranks` ranks."""
        self.form = form_of(kind, ranks)
        self._kind = kind
        self._values = np.zeros(runs)
        self._weight = np.zeros(runs)
        self._shared = np.zeros((runs, runs))

    def put(self, number: int, topic: TopicRuns) -> None:
        """As in `PairBounds`."""
        weight = undecided_weights(topic, self.form)
        self._values += self._kind.values(topic)
        self._weight += weight.sum(axis=0)
        self._shared += pairwise_least(weight)

    def relabel(self, number: int, topic: TopicRuns, documents: IntArray, before: LabelArray) -> None:
        """As in `PairBounds`."""
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

    def values(self) -> FloatArray:
        """As in `PairBounds`."""
        return self._values

    def pairs(self, n_topics: int) -> Pairs:
        """As in `PairBounds`."""
        highest = highest_differences(self.form, self._values, self._weight, self._shared)
        return bounds_of_means(self._values, highest, n_topics)

    def cost(self, number: int, topic: TopicRuns, documents: int) -> float:
        """As in `PairBounds`."""
        return STEPS_OF_A_PAIR * documents * len(topic) ** 2

    def numbers(self) -> Numbers:
        """As in `PairBounds`."""
        return self._values, self._weight, self._shared

    def restore(self, numbers: Numbers) -> None:
        """As in `PairBounds`."""
        self._values, self._weight, self._shared = numbers


class PairsByTopic:
    """Of any measure: a judgment takes the highest differences of its topic out, and puts in what they are now.

    Those of a topic are kept as long as there is room; else they are found again before they are taken out. With room
    for more, the measure follows the judgment from what it knows of the topic.
    """

    def __init__(self, kind: Differences, runs: int) -> None:
        """Nothing is known yet of `runs` runs."""
        self._kind = kind
        self._values = np.zeros(runs)
        self._highest = np.zeros((runs, runs))
        self._topics: dict[int, Known] = {}
        self._cells = 0

    def put(self, number: int, topic: TopicRuns) -> None:
        """As in `PairBounds`."""
        self._keep(number, self._kind.known(topic))

    def relabel(self, number: int, topic: TopicRuns, documents: IntArray, before: LabelArray) -> None:
        """As in `PairBounds`."""
        known = self._topics.pop(number, None)
        if known is None:
            past = topic.completed(documents, before)
            self._add(self._kind.values(past), self._kind.highest(past), -1.0)
            self.put(number, topic)
            return
        self._cells -= _cells(known)
        self._add(known.values, known.highest, -1.0)
        if known.more is not None and _one_was_judged(topic, documents, before):
            self._keep(number, self._kind.follow(known, topic, int(documents[0])))
        else:
            self.put(number, topic)

    def cost(self, number: int, topic: TopicRuns, documents: int) -> float:
        """As in `PairBounds`; one document is taken for one that waited."""
        known, afresh = self._topics.get(number), self._kind.cost(topic)
        follows = documents == 1 and known is not None and known.more is not None
        return min(afresh, STEPS_TO_FOLLOW * len(topic) ** 2) if follows else afresh

    def values(self) -> FloatArray:
        """As in `PairBounds`."""
        return self._values

    def pairs(self, n_topics: int) -> Pairs:
        """As in `PairBounds`."""
        return bounds_of_means(self._values, self._highest, n_topics)

    def numbers(self) -> Numbers:
        """As in `PairBounds`."""
        return self._values, self._highest, self._topics, self._cells

    def restore(self, numbers: Numbers) -> None:
        """As in `PairBounds`."""
        self._values, self._highest, self._topics, self._cells = numbers

    def _keep(self, number: int, known: Known) -> None:
        self._add(known.values, known.highest, 1.0)
        for each in (known, Known(known.values, known.highest)):
            if self._cells + _cells(each) <= KEPT_CELLS:
                self._topics[number] = each
                self._cells += _cells(each)
                return

    def _add(self, values: FloatArray, highest: FloatArray, sign: float) -> None:
        self._values += sign * values
        self._highest += sign * highest


def _cells(known: Known) -> int:
    return known.highest.size + known.cells


def _one_was_judged(topic: TopicRuns, documents: IntArray, before: LabelArray) -> bool:
    """Whether what changed is the grade of one document that had waited for it."""
    return len(documents) == 1 and before[0] == POOLED and topic.label[documents[0]] not in {POOLED, UNJUDGED}


def pair_bounds(kind: Differences, runs: int, ranks: int) -> PairBounds:
    """What sums up this measure for `runs` runs, with rankings of at most `ranks` ranks."""
    return (
        AdditivePairs(kind, runs, ranks)
        if isinstance(kind, AdditiveDifferences)
        else PairsByTopic(kind, runs)
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
