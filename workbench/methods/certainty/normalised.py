"""Differences by nDCG: what documents gain also changes the best ranking, by which both runs are divided.

The difference is (C + Σ a_d x_d) / I(x): x_d is what the undecided document d gains, a_d the difference of its two
weights, I the gain of the best ranking, which is convex in x and depends on how many documents have which gain, not on
which. So for each number of documents those with the highest a_d come first, and only the numbers are searched.

While the first run can be ahead, the numbers of each step from one possible gain to the next are searched apart by
Dinkelbach's method (Management Science 13(7), 1967), as in measures/bounds.py. If it stays behind in any case, the
highest ratio is that of a convex function over a box, which is at a corner: each document gains the least or the most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.certainty.registry import Completion, Differences, differences_of
from workbench.methods.certainty.topic_runs import RankArray, TopicRuns
from workbench.methods.measures.gained import discount_at
from workbench.methods.measures.gains import Gains
from workbench.methods.measures.ideals import Ideal, Step, possible_gains, summed_discounts
from workbench.methods.measures.judged import ratio


class _Slots(NamedTuple):
    """The undecided documents of each of S runs down to the cutoff, at most K.

    Attributes:
        place: int64 (K, S). Which document of `weight`; -1 where a run has fewer.
        weight: float64 (n + 1, S). The weight of each document in each run; the last line is 0.
        total: how many undecided documents the topic has.
    """

    place: IntArray
    weight: FloatArray
    total: int


class _Best(NamedTuple):
    """The highest differences of one run to the others, and how they are reached.

    Attributes:
        value: float64 (S).
        raised: for each step, int64 (S): how many documents take it, those with the highest a_d first.
        corner: int64 (S). How many have the most, all others the least, where `at_corner`.
        at_corner: bool (S).
    """

    value: FloatArray
    raised: list[IntArray]
    corner: IntArray
    at_corner: NDArray[np.bool_]


@differences_of("nDCG")
class NormalisedGainDifferences(Differences):
    """nDCG with any gains from 0 on, with or without a cutoff."""

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`."""
        slots, ideal = self._slots(topic), self._ideal(topic)
        least = self._least_gains(topic, slots, ideal)
        highest = np.zeros((len(topic), len(topic)))
        for one in range(len(topic)):
            ahead = _differences_of_weights(slots, one)
            highest[one] = _search(ahead, least[one] - least, slots.total, ideal).value
        np.fill_diagonal(highest, 0.0)
        return highest

    def best_for(self, topic: TopicRuns) -> Completion:
        """As in `Differences`."""
        slots, ideal = self._slots(topic), self._ideal(topic)
        least = self._least_gains(topic, slots, ideal)
        ahead = _differences_of_weights(slots, 0)
        best = _search(ahead, least[0] - least, slots.total, ideal)
        weight = self._weights(topic.ranks(topic.waiting, self._cutoff))
        order = np.argsort(weight[:, 1] - weight[:, 0], kind="stable")
        possible = possible_gains(topic.judged, self._gains, self.top_grade)
        grade = np.full(len(order), int(possible.argmin()), np.int16)
        if best.at_corner[1]:
            grade[order[: best.corner[1]]] = int(possible.argmax())
        else:
            reached = ideal.least
            for step, raised in zip(ideal.steps, best.raised, strict=True):
                reached += sum(step.heights)
                grade[order[: raised[1]]] = int(np.abs(possible - reached).argmin())
        return Completion(topic.waiting, grade)

    def cost(self, topic: TopicRuns) -> float:
        """As in `Differences`."""
        cutoff = len(topic.waiting) if self._cutoff is None else self._cutoff
        slots = min(cutoff, len(topic.waiting))
        return 40.0 * len(topic) ** 2 * slots * (1 + self.top_grade)

    @property
    def _cutoff(self) -> int | None:
        cutoff: int | None = self.measure.parameters["cutoff"]
        return cutoff

    @property
    def _gains(self) -> Gains:
        gains: Gains = self.measure.parameters["gains"]
        return gains

    def _weights(self, rank: RankArray) -> FloatArray:
        given = self.measure.parameters
        weight = 1.0 / discount_at(np.maximum(rank, 1).astype(np.int64), given["discount"], given["base"])
        return np.where(rank > 0, weight, 0.0)

    def _slots(self, topic: TopicRuns) -> _Slots:
        undecided = topic.undecided(self._cutoff)
        weight = self._weights(undecided.rank)
        has = undecided.rank > 0
        number = has.sum(axis=0)
        place = np.full((int(number.max(initial=0)), len(topic)), -1, np.int64)
        run, at = np.nonzero(has.T)
        nth = np.arange(len(run)) - np.repeat(np.cumsum(number) - number, number)
        place[nth, run] = at
        return _Slots(place, np.vstack([weight, np.zeros((1, len(topic)))]), undecided.number)

    def _ideal(self, topic: TopicRuns) -> Ideal:
        """The gain of the best ranking; the rows of a topic share it, so the first is enough."""
        given, judged = self.measure.parameters, topic.judged
        discounts = summed_discounts(judged, self._cutoff, given["discount"], given["base"])
        return Ideal.of(judged, self._gains, possible_gains(judged, self._gains, self.top_grade), discounts)

    def _least_gains(self, topic: TopicRuns, slots: _Slots, ideal: Ideal) -> FloatArray:
        """The gain of each run, discounted, if undecided documents gain the least, float64 (S)."""
        given, judged = self.measure.parameters, topic.judged
        gain = self._gains.of(judged.label)
        rank: IntArray = np.arange(len(gain)) - np.repeat(judged.row_start[:-1] - 1, judged.num_ret)
        weight: FloatArray = 1.0 / discount_at(rank, given["discount"], given["base"])
        if self._cutoff is not None:
            weight[rank > self._cutoff] = 0.0
        row = np.repeat(np.arange(len(topic)), judged.num_ret)
        found = np.bincount(row, gain * weight, minlength=len(topic)).astype(np.float64)
        least: FloatArray = found + ideal.least * slots.weight.sum(axis=0)
        return least


def _differences_of_weights(slots: _Slots, one: int) -> FloatArray:
    """a_d of one run to each run, highest first, float64 (S, L); with at least one 0 as padding.

    First the documents that the run has, then those that the other has and it lacks.
    """
    own = slots.place[:, one]
    first = np.where((own >= 0)[:, None], slots.weight[own, one][:, None] - slots.weight[own], 0.0)
    lacking = np.append(slots.weight[:-1, one] == 0, False)
    second = np.where(lacking[slots.place], -np.take_along_axis(slots.weight, slots.place, axis=0), 0.0)
    ahead: FloatArray = -np.sort(-np.vstack([first, second, np.zeros((1, len(first.T)))]).T, axis=1)
    return ahead


def _search(ahead: FloatArray, least: FloatArray, total: int, ideal: Ideal) -> _Best:
    """The highest differences to S runs, where `ahead` is float64 (S, L) and `total` the number of undecided documents.

    `least` is the difference of gains, float64 (S), with the least for all undecided documents.
    """
    sums = np.concatenate([np.zeros((len(ahead), 1)), np.cumsum(ahead, axis=1)], axis=1)
    number = _numbers(ahead, total)
    corner_ideal = _whole_ideal(ideal, np.arange(total + 1))
    corners = ratio(least[:, None] + (ideal.most - ideal.least) * sums, corner_ideal[number])
    chosen = corners.argmax(axis=1)
    value = np.take_along_axis(corners, chosen[:, None], axis=1)[:, 0]
    corner = np.take_along_axis(number, chosen[:, None], axis=1)[:, 0]
    raised = [np.zeros(len(ahead), np.int64) for _ in ideal.steps]
    if len(ideal.steps) < 2 or not (value > 0).any():
        return _Best(value, raised, corner, np.ones(len(value), np.bool_))
    return _by_steps(sums, least, total, ideal, _Best(value, raised, corner, np.ones(len(value), np.bool_)))


def _numbers(ahead: FloatArray, total: int) -> IntArray:
    """How many undecided documents are among the first 0, 1 ... of `ahead`, int64 (S, L + 1).

    The zeros of `ahead` are padding: the documents that weigh the same in both runs are `total` less the others, and
    come between those for the one and those for the other run.
    """
    at = np.arange(ahead.shape[1] + 1)
    positive, negative = (ahead > 0).sum(axis=1)[:, None], (ahead < 0).sum(axis=1)[:, None]
    first_negative = ahead.shape[1] - negative
    number: IntArray = np.where(at >= first_negative, total - negative + at - first_negative, positive)
    return np.where(at <= positive, at, number)


def _by_steps(sums: FloatArray, least: FloatArray, total: int, ideal: Ideal, best: _Best) -> _Best:
    """Where the first run can be ahead, the numbers of each step apart."""
    at = np.minimum(np.arange(sums.shape[1]), total)
    heights = [sum(step.heights) for step in ideal.steps]
    ideals = [_of_step(step, at) for step in ideal.steps]
    value, at_corner = best.value.copy(), best.at_corner.copy()
    raised = list(best.raised)
    active = value > 0
    while active.any():
        rows = np.flatnonzero(active)
        above, below = least[rows].copy(), np.full(len(rows), float(ideal.settled[0]))
        numbers = []
        for height, of_step in zip(heights, ideals, strict=True):
            number = (height * sums[rows] - value[rows, None] * of_step).argmax(axis=1)
            above += height * sums[rows, number]
            below += of_step[number]
            numbers.append(number)
        reached = ratio(above, below)
        rises = reached > value[rows] + 1e-15
        value[rows[rises]] = reached[rises]
        at_corner[rows[rises]] = False
        for place, number in enumerate(numbers):
            raised[place][rows[rises]] = number[rises]
        active[rows[~rises]] = False
    return _Best(value, raised, best.corner, at_corner)


def _whole_ideal(ideal: Ideal, raised: IntArray) -> FloatArray:
    whole = np.full(len(raised), float(ideal.settled[0]))
    for step in ideal.steps:
        whole += _of_step(step, raised)
    return whole


def _of_step(step: Step, raised: IntArray) -> FloatArray:
    return step.ideal(raised, np.zeros(len(raised), np.int64))
