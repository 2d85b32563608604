"""Differences by nDCG: what documents gain also changes the best ranking, by which both runs are divided.

The difference is (C + Σ a_d x_d) / I(x): x_d is what the undecided document d gains, a_d the difference of its two
weights, I the gain of the best ranking, which is convex in x and depends on how many documents have which gain, not on
which. So for each number of documents those with the highest a_d come first, and only the numbers are searched.

While the first run can be ahead, the numbers of each step from one possible gain to the next are searched apart by
Dinkelbach's method (Management Science 13(7), 1967), as in measures/bounds.py. If it stays behind in any case, the
highest ratio is that of a convex function over a box, which is at a corner: each document gains the least or the most.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, Rankings
from workbench.methods.bounds.normalised_search import Ideals, Slots, parts, search_pairs
from workbench.methods.bounds.registry import Completion, Differences, differences_of
from workbench.methods.bounds.topic_runs import TopicRuns
from workbench.methods.measures.gained import Ideal, discount_at, summed_discounts
from workbench.methods.measures.gains import Gains, GradeArray, grades_between

NO_DOCUMENTS = Rankings(
    np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(1, np.int32), np.zeros(1, np.int32)
)
"""One row without any."""


@differences_of("nDCG")
class NormalisedGainDifferences(Differences):
    """nDCG with any gains from 0 on, with or without a cutoff."""

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`."""
        slots, ideals, least = self._material(topic)
        highest = np.zeros(len(topic) ** 2)
        one, other = np.divmod(np.arange(len(highest)), max(len(topic), 1))
        pairs = np.flatnonzero(one != other)
        for part in parts(len(pairs), len(slots.place) + 1):
            some = pairs[part]
            highest[some] = search_pairs(slots, ideals, least, one[some], other[some]).value
        return highest.reshape(len(topic), len(topic))

    def best_for(self, topic: TopicRuns) -> Completion:
        """As in `Differences`."""
        slots, ideals, least = self._material(topic)
        best = search_pairs(slots, ideals, least, np.array([0]), np.array([1]))
        weight = self._weights(topic.ranks(topic.waiting, self._cutoff))
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
        """As in `Differences`."""
        cutoff = len(topic.waiting) if self._cutoff is None else self._cutoff
        slots = min(cutoff, len(topic.waiting))
        return 15.0 * len(topic) ** 2 * slots * (1 + self.top_grade)

    def _material(self, topic: TopicRuns) -> tuple[Slots, Ideals, FloatArray]:
        """What the search needs: documents, best rankings, and what each run gains at least."""
        slots, given = self._slots(topic), self.measure.parameters
        # The rows of a topic share the gain of the best ranking, so one of no documents is enough.
        judged = TopicRuns(NO_DOCUMENTS, topic.label).judged
        discounts = summed_discounts(judged, self._cutoff, given["discount"], given["base"])
        ideal = Ideal.of(judged, self._gains, self._gains.of(self._grades), discounts)
        return slots, Ideals.of(ideal, slots.total), self._least_gains(topic, slots, ideal)

    @property
    def _cutoff(self) -> int | None:
        cutoff: int | None = self.measure.parameters["cutoff"]
        return cutoff

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
        undecided = topic.undecided(self._cutoff)
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
        if self._cutoff is not None:
            weight[rank > self._cutoff] = 0.0
        gain = self._gains.of(topic.judged.label) * weight
        found = np.bincount(topic.rankings.entry_rows, gain, minlength=len(topic)).astype(np.float64)
        least: FloatArray = found + ideal.least * slots.weight.sum(axis=0)
        return least
