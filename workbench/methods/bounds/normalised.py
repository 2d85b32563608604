"""Differences by nDCG: what documents gain also changes the best ranking, by which both runs are divided.

The difference is (C + Σ a_d x_d) / I(x): x_d is what the undecided document d gains, a_d the difference of its two
weights, I the gain of the best ranking, which is convex in x and depends on how many documents have which gain, not on
which. So for each number of documents those with the highest a_d come first, and only the numbers are searched.

While the first run can be ahead, the numbers of each step from one possible gain to the next are searched apart by
Dinkelbach's method (Management Science 13(7), 1967), as in measures/bounds.py. If it stays behind in any case, the
highest ratio is that of a convex function over a box, which is at a corner: each document gains the least or the most.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.bounds.registry import Completion, Differences, differences_of
from workbench.methods.bounds.topic_runs import TopicRuns
from workbench.methods.measures.gained import Ideal, discount_at, summed_discounts
from workbench.methods.measures.gains import Gains, GradeArray, grades_between
from workbench.methods.measures.judged import ratio

NO_DOCUMENTS = Rankings(
    np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(1, np.int32), np.zeros(1, np.int32)
)
"""One row without any."""

CELLS = 120_000
"""About this many numbers are worked on at a time, so that they stay in a processor's cache."""
ROUNDING = 1e-15


@differences_of("nDCG")
class _NormalisedGainDifferences(Differences):
    """nDCG with any gains from 0 on, with or without a cutoff."""

    def highest(self, topic: TopicRuns) -> FloatArray:
        slots, ideals, least = self._material(topic)
        highest = np.zeros(len(topic) ** 2)
        one, other = np.divmod(np.arange(len(highest)), max(len(topic), 1))
        pairs = np.flatnonzero(one != other)
        for part in parts(len(pairs), len(slots.place) + 1):
            some = pairs[part]
            highest[some] = search_pairs(slots, ideals, least, one[some], other[some]).value
        return highest.reshape(len(topic), len(topic))

    def best_for(self, topic: TopicRuns) -> Completion:
        slots, ideals, least = self._material(topic)
        best = search_pairs(slots, ideals, least, np.array([0]), np.array([1]))
        weight = self._weights(topic.ranks(topic.waiting, self.cutoff))
        order = np.argsort(weight[:, 1] - weight[:, 0], kind="stable")
        possible, reached = self._gains.of(self._grades), ideals.least
        grade = np.full(len(order), self._grades[possible.argmin()], np.int16)
        if best.at_corner[0]:
            grade[order[: best.corner[0]]] = self._grades[possible.argmax()]
        else:
            for height, raised in zip(ideals.heights, best.raised, strict=True):
                reached += height
                grade[order[: raised[0]]] = self._grades[np.abs(possible - reached).argmin()]
        return Completion(topic.waiting, grade)

    def cost(self, topic: TopicRuns) -> float:
        cutoff = len(topic.waiting) if self.cutoff is None else self.cutoff
        slots = min(cutoff, len(topic.waiting))
        return 15.0 * len(topic) ** 2 * slots * (1 + self.top_grade)

    def _material(self, topic: TopicRuns) -> tuple[Slots, Ideals, FloatArray]:
        """What the search needs: documents, best rankings, and what each run gains at least."""
        slots, given = self._slots(topic), self.measure.parameters
        # The rows of a topic share the gain of the best ranking, so one of no documents is enough.
        judged = TopicRuns(NO_DOCUMENTS, topic.label).judged
        discounts = summed_discounts(judged, self.cutoff, given["discount"], given["base"])
        ideal = Ideal.of(judged, self._gains, self._gains.of(self._grades), discounts)
        return slots, Ideals.of(ideal, slots.total), self._least_gains(topic, slots, ideal)

    @property
    def _gains(self) -> Gains:
        gains: Gains = self.measure.parameters["gains"]
        return gains

    @property
    def _grades(self) -> GradeArray:
        return grades_between(self.least_grade, self.top_grade)

    def _weights(self, rank: NDArray[np.integer[Any]]) -> FloatArray:
        given, from_one = self.measure.parameters, np.maximum(rank, 1).astype(np.int64)
        return np.where(rank > 0, 1.0 / discount_at(from_one, given["discount"], given["base"]), 0.0)

    def _slots(self, topic: TopicRuns) -> Slots:
        undecided = topic.undecided(self.cutoff)
        weight = self._weights(undecided.rank)
        has = undecided.rank > 0
        number = has.sum(axis=0)
        place = np.full((int(number.max(initial=0)), len(topic)), -1, np.int64)
        run, at = np.nonzero(has.T)
        nth = np.arange(len(run)) - np.repeat(np.cumsum(number) - number, number)
        place[nth, run] = at
        return Slots(place, np.vstack([weight, np.zeros((1, len(topic)))]), undecided.number)

    def _least_gains(self, topic: TopicRuns, slots: Slots, ideal: Ideal) -> FloatArray:
        """The gain of each run, discounted, if undecided documents gain the least, float64 (S)."""
        rank = topic.rankings.entry_ranks
        weight = self._weights(rank)
        if self.cutoff is not None:
            weight[rank > self.cutoff] = 0.0
        gain = self._gains.of(topic.judged.label) * weight
        found = np.bincount(topic.rankings.entry_rows, gain, minlength=len(topic)).astype(np.float64)
        least: FloatArray = found + ideal.least * slots.weight.sum(axis=0)
        return least


class Slots(NamedTuple):
    """The undecided documents of each of S runs down to the cutoff, at most K.

    Attributes:
        place: int64 (K, S). Which document of `weight`; -1 where a run has fewer.
        weight: float64 (n + 1, S). The weight of each document in each run; the last line is 0.
        total: how many undecided documents the topic has.
    """

    place: IntArray
    weight: FloatArray
    total: int


class Ideals(NamedTuple):
    """The gain of the best ranking while 0, 1 ... of all undecided documents gain more than the least.

    Attributes:
        most, least: the gains that an undecided document may have.
        settled: the part of it that depends on no undecided document.
        whole: float64 (total + 1). By how many gain the most, while all others gain the least.
        heights: by how much the gain rises with each step from one possible gain to the next.
        steps: float64 (total + 1) for each step: what it adds by how many documents take it.
    """

    most: float
    least: float
    settled: float
    whole: FloatArray
    heights: list[float]
    steps: list[FloatArray]

    @classmethod
    def of(cls, ideal: Ideal, total: int) -> Ideals:
        """Those of a topic, whose rows have them in common."""
        raised = np.arange(total + 1)
        nothing = np.zeros(total + 1, np.int64)
        steps = [step.ideal(raised, nothing) for step in ideal.steps]
        settled = float(ideal.settled[0])
        heights = [sum(step.heights) for step in ideal.steps]
        return cls(
            ideal.most, ideal.least, settled, settled + sum(steps, np.zeros(len(raised))), heights, steps
        )


class Best(NamedTuple):
    """The highest differences of P pairs of runs, and how they are reached.

    Attributes:
        value: float64 (P).
        raised: for each step, int64 (P): how many documents take it, those with the highest a_d first.
        corner: int64 (P). How many have the most, all others the least, where `at_corner`.
        at_corner: bool (P).
    """

    value: FloatArray
    raised: list[IntArray]
    corner: IntArray
    at_corner: NDArray[np.bool_]


def search_pairs(slots: Slots, ideals: Ideals, least: FloatArray, one: IntArray, other: IntArray) -> Best:
    """The highest differences of P pairs of runs; `least` is what each gains if undecided documents gain the least."""
    sums, behind = _sums_ahead(slots, one, other), least[one] - least[other]
    best = _at_corners(sums, behind, ideals)
    peak = behind + (ideals.most - ideals.least) * sums[-1]
    never = np.flatnonzero(peak < 0)
    if len(never):
        lost = _sums_ahead(slots, other[never], one[never])
        best.value[never], best.corner[never] = _behind(lost, peak[never], ideals)
    if len(ideals.steps) > 1:
        _by_steps(sums, behind, ideals, best)
    return best


def parts(number: int, each: int) -> list[slice]:
    """So many pairs in parts of about CELLS numbers, with `each` for a pair."""
    at_a_time = max(1, CELLS // each)
    return [slice(start, min(start + at_a_time, number)) for start in range(0, number, at_a_time)]


def _sums_ahead(slots: Slots, one: IntArray, other: IntArray) -> FloatArray:
    """What the 0, 1 ... documents weigh together that weigh most more in `one` than in `other`, float64 (K + 1, P)."""
    own = slots.place[:, one]
    less = np.minimum(slots.weight[own, other] - slots.weight[own, one], 0.0)
    in_order = np.ascontiguousarray(np.sort(less.T, axis=1).T)
    sums = np.zeros((len(own) + 1, len(one)))
    for number, each in enumerate(in_order):
        np.subtract(sums[number], each, out=sums[number + 1])
    return sums


def _at_corners(sums: FloatArray, behind: FloatArray, ideals: Ideals) -> Best:
    """The best where each document gains the most or the least, and none is for the other run."""
    number = np.minimum(np.arange(len(sums)), len(ideals.whole) - 1)
    ideal = ideals.whole[number]
    # Where the best ranking gains nothing, no ranking does.
    ideal = np.where(ideal > 0, ideal, np.inf)[:, None]
    ratios = (behind + (ideals.most - ideals.least) * sums) / ideal
    corner = number[ratios.argmax(axis=0)]
    raised = [corner.copy() for _ in ideals.steps]
    return Best(ratios.max(axis=0), raised, corner, np.ones(len(corner), np.bool_))


def _behind(lost: FloatArray, peak: FloatArray, ideals: Ideals) -> tuple[FloatArray, IntArray]:
    """The best of pairs whose first run stays behind, and how many documents then gain the most.

    At `peak` are the gains where all that is for the first run gains the most. Besides, all gain the most that is for
    neither, since that raises what divides, and what is for the other run but the 0, 1 ... documents that are most so.
    """
    total = len(ideals.whole) - 1
    number = total - np.arange(len(lost))
    ideal = ideals.whole[np.maximum(number, 0)][:, None]
    gained = peak - (ideals.most - ideals.least) * (lost[-1] - lost)
    ratios = np.divide(gained, ideal, out=np.full(lost.shape, -np.inf), where=ideal > 0)
    chosen = ratios.argmax(axis=0)
    return ratios.max(axis=0), number[chosen]


def _by_steps(sums: FloatArray, behind: FloatArray, ideals: Ideals, best: Best) -> None:
    """Where the first run can be ahead, the numbers of each step apart; `best` gets what is better."""
    number = np.minimum(np.arange(len(sums)), len(ideals.whole) - 1)
    steps = [step[number][:, None] for step in ideals.steps]
    active = np.flatnonzero(best.value > 0)
    while len(active):
        # Copies of columns cost more than what is computed in vain for a few of them.
        some = active if 2 * len(active) < sums.shape[1] else slice(None)
        value, own = best.value[some], sums[:, some]
        above = behind[some] - value * ideals.settled
        for height, step in zip(ideals.heights, steps, strict=True):
            above += _most_of(own, height, value, step)
        near = (above > ROUNDING * ideals.whole[-1]) & (value > 0)
        active = np.flatnonzero(near) if isinstance(some, slice) else some[near]
        active = _raised(best, active, sums[:, active], behind, ideals, steps)


def _most_of(sums: FloatArray, height: float, value: FloatArray, step: FloatArray) -> FloatArray:
    """The highest height * sums - value * step of each pair; row by row, so that it stays in a processor's cache.

    Sums never fall, so of rows with the same step, as below the cutoff, the last is the highest.
    """
    ideal = step.ravel()
    last, *others = np.flatnonzero(np.append(ideal[1:] != ideal[:-1], True))[::-1].tolist()
    most: FloatArray = _times(height, sums[last]) - value * ideal[last]
    part = np.empty(len(value))
    for row in others:
        np.multiply(value, ideal[row], out=part)
        np.subtract(_times(height, sums[row]), part, out=part)
        np.maximum(most, part, out=most)
    return most


def _times(height: float, sums: FloatArray) -> FloatArray:
    return sums if height == 1.0 else height * sums


def _raised(
    best: Best, pairs: IntArray, sums: FloatArray, behind: FloatArray, ideals: Ideals, steps: list[FloatArray]
) -> IntArray:
    """Raise the best of these pairs to what the best numbers for its value reach; gives those that rose."""
    above, below = behind[pairs], np.full(len(pairs), ideals.settled)
    numbers = []
    for height, step in zip(ideals.heights, steps, strict=True):
        number = (height * sums - best.value[pairs] * step).argmax(axis=0)
        above = above + height * sums[number, np.arange(len(pairs))]
        below += step[number, 0]
        numbers.append(number)
    reached = ratio(above, below)
    rises = reached > best.value[pairs] + ROUNDING
    best.value[pairs[rises]] = reached[rises]
    best.at_corner[pairs[rises]] = False
    for raised, number in zip(best.raised, numbers, strict=True):
        raised[pairs[rises]] = number[rises]
    return pairs[rises]
