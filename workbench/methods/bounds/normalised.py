"""Differences by nDCG: what documents gain also changes the best ranking, by which both runs are divided.

The difference is (C + Σ a_d x_d) / I(x): x_d is what the undecided document d gains, a_d the difference of its two
weights, I the gain of the best ranking, which is convex in x and depends on how many documents have which gain, not on
which. So for each number of documents those with the highest a_d come first, and only the numbers are searched.

While the first run can be ahead, the numbers of each step from one possible gain to the next are searched apart by
Dinkelbach's method (Management Science 13(7), 1967), as in measures/bounds.py. If it stays behind in any case, the
highest ratio is that of a convex function over a box, which is at a corner: each document gains the least or the most.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.bounds.normalised_search import Ideals, Slots, TopicSums, parts, search_pairs
from workbench.methods.bounds.registry import Completion, Differences, Known, differences_of
from workbench.methods.bounds.topic_runs import RankArray, TopicRuns
from workbench.methods.measures.gained import discount_at
from workbench.methods.measures.gains import Gains, GradeArray, grades_between
from workbench.methods.measures.ideals import Ideal, summed_discounts
from workbench.methods.measures.judged import ratio

LabelArray = NDArray[np.int16]

NO_DOCUMENTS = Rankings(
    np.zeros(2, np.int64), np.zeros(0, np.uint32), np.zeros(1, np.int32), np.zeros(1, np.int32)
)
"""One row without any."""

FOLLOWED = 1_000_000
"""With more sums on a topic all of them are computed again after a judgment."""


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

    def values(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`, to the last digit those of the measure; what is below the cutoff plays no part."""
        return ratio(self._gained(self._near(topic)), self._best_gain(topic.label))

    def known(self, topic: TopicRuns) -> Known:
        """As in `Differences`; more where that is not too much."""
        undecided = topic.undecided(self._cutoff)
        slots, ideals, least = self._material(topic)
        runs = len(topic)
        if (len(slots.place) + 1) * runs**2 > FOLLOWED:
            return super().known(topic)
        sums = np.empty((len(slots.place) + 1, runs**2))
        raised = [np.zeros(runs**2, np.int64) for _ in ideals.steps]
        topic_sums = TopicSums(undecided.document, slots, ideals, least, sums, raised)
        topic_sums.sum_up(np.arange(runs))
        highest = np.zeros((runs, runs))
        topic_sums.search(highest)
        return Known(self.values(topic), highest, topic_sums, sums.size + slots.weight.size)

    def follow(self, known: Known, topic: TopicRuns, document: int) -> Known:
        """As in `Differences`: sums of the runs that have the document, and all where the best ranking changes."""
        before: TopicSums = known.more
        near = self._near(topic)
        rank = near.ranks_of_one(document)
        having, runs = np.flatnonzero(rank), len(topic)
        gain = float(self._gains.of(topic.label[[document]])[0])
        before.take_out(document, having)
        slots = before.slots._replace(total=before.slots.total - 1)
        ideals = before.ideals.after(gain) or Ideals.of(self._ideal(topic), slots.total)
        least = before.least + (gain - ideals.least) * self._weights(rank)
        after = before._replace(slots=slots, ideals=ideals, least=least)
        after.sum_up(having)
        highest = known.highest.copy()
        if len(ideals.steps) != len(after.raised):
            after = after._replace(raised=[np.zeros(runs**2, np.int64) for _ in ideals.steps])
        if gain == ideals.least and ideals.same_down_to(len(slots.place), before.ideals):
            touched = np.zeros((runs, runs), np.bool_)
            touched[having] = touched[:, having] = True
            after.search(highest, np.flatnonzero(touched))
        else:
            after.search(highest)
        return Known(self.values(near), highest, after, known.cells)

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
        slots, ideal = self._slots(topic), self._ideal(topic)
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

    def _discounts(self, rank: IntArray) -> FloatArray:
        return discount_at(rank, self.measure.parameters["discount"], self.measure.parameters["base"])

    def _weights(self, rank: RankArray) -> FloatArray:
        weight = 1.0 / self._discounts(np.maximum(rank, 1).astype(np.int64))
        return np.where(rank > 0, weight, 0.0)

    def _near(self, topic: TopicRuns) -> TopicRuns:
        """The rankings down to the cutoff."""
        return (
            topic if self._cutoff is None else TopicRuns(topic.rankings.to_depth(self._cutoff), topic.label)
        )

    def _gained(self, near: TopicRuns) -> FloatArray:
        """The gain of each run, discounted, if undecided documents gain nothing, float64 (S)."""
        start, lengths = near.rankings.row_start, near.rankings.lengths
        rank = np.arange(1, start[-1] + 1) - np.repeat(start[:-1], lengths)
        gain = self._gains.of(near.label[near.rankings.document]) / self._discounts(rank)
        row = np.repeat(np.arange(len(near)), lengths)
        return np.bincount(row, gain, minlength=len(near)).astype(np.float64, copy=False)

    def _best_gain(self, label: LabelArray) -> FloatArray:
        """The gain of the best ranking of the documents with these labels, float64 (1)."""
        gain = self._gains.of(label[label >= self._gains.lowest_grade])
        best = -np.sort(-gain[gain > 0])[: self._cutoff]
        return np.append(0.0, np.cumsum(best / self._discounts(np.arange(1, len(best) + 1))))[-1:]

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

    def _ideal(self, topic: TopicRuns) -> Ideal:
        """The gain of the best ranking; the rows of a topic share it, so one of no documents is enough."""
        given = self.measure.parameters
        judged = TopicRuns(NO_DOCUMENTS, topic.label).judged
        discounts = summed_discounts(judged, self._cutoff, given["discount"], given["base"])
        return Ideal.of(judged, self._gains, self._gains.of(self._grades), discounts)

    def _least_gains(self, topic: TopicRuns, slots: Slots, ideal: Ideal) -> FloatArray:
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
