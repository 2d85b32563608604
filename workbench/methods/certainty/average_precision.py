"""Differences by average precision: an outer bound that is never passed, and a way to judge that comes near it.

The sum of precisions is Σ_{i ≤ j} x_i x_j / max(r_i, r_j) over documents that are relevant. So the difference of two
runs is a quadratic form with c_ij = 1 / max(r_i, r_j) in the first run less that in the second, divided by R + m. For m
undecided documents that become relevant the form is at most what is judged plus the sum of the m highest h_i, where

    h_i = c_ii + Σ c_ij over the relevant j + half of the m - 1 highest positive c_ij over the undecided j.

No exact method with a practical running time is known. The bound narrows with every judgment, and is never wider than
the difference of the two runs' own exact bounds, with which it is cut.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray
from workbench.methods.certainty.registry import Completion, Differences, differences_of
from workbench.methods.certainty.topic_runs import TopicRuns
from workbench.methods.measures.bounds import average_precision_bounds
from workbench.methods.measures.judged import ratio

Mask = NDArray[np.bool_]

SORTED = 256
"""Up to so many undecided documents of two runs only the highest c_ij of each row are taken."""


@differences_of("AP")
class AveragePrecisionDifferences(Differences):
    """AP: not exact."""

    exact = False

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`, or somewhat above."""
        highest = self._of_own_bounds(topic)
        shares, known = self._shares(topic)
        for one in range(len(topic)):
            for other in range(len(topic)):
                if one != other:
                    found = self._outer(shares[:, one], shares[:, other], known, topic)
                    highest[one, other] = min(highest[one, other], found)
        np.fill_diagonal(highest, 0.0)
        return highest

    def best_for(self, topic: TopicRuns) -> Completion:
        """One document after the other, each that which does the most for the difference, for the best number."""
        shares, known = self._shares(topic)
        first, second, pairs = _form(shares[:, 0], shares[:, 1], known)
        relevant, total = float(self._relevant(topic)), first
        best, value, chosen = ratio(np.array([total]), np.array([relevant]))[0], second.copy(), []
        number, left = 0, np.ones(len(second), np.bool_)
        for taken in range(1, len(second) + 1):
            at = int(np.where(left, value, -np.inf).argmax())
            left[at] = False
            total += value[at]
            value += pairs[at]
            chosen.append(at)
            if total / (relevant + taken) > best:
                best, number = total / (relevant + taken), taken
        grade = np.full(len(topic.waiting), self.not_relevant, np.int16)
        grade[chosen[:number]] = self.measure.rel
        return Completion(topic.waiting, grade)

    def cost(self, topic: TopicRuns) -> float:
        """As in `Differences`."""
        depth = int(topic.rankings.lengths.max(initial=0))
        several = min(len(topic.waiting), 2 * min(depth, self._cutoff or depth))
        return float(len(topic) ** 2 * (several**2 * 8 + 100))

    @property
    def _cutoff(self) -> int | None:
        cutoff: int | None = self.measure.parameters["cutoff"]
        return cutoff

    def _relevant(self, topic: TopicRuns) -> int:
        return int((topic.label >= self.measure.rel).sum())

    def _of_own_bounds(self, topic: TopicRuns) -> FloatArray:
        lower, upper = average_precision_bounds(topic.judged, cutoff=self._cutoff, rel=self.measure.rel)
        highest: FloatArray = upper[:, None] - lower
        return highest

    def _shares(self, topic: TopicRuns) -> tuple[FloatArray, Mask]:
        """1 / rank of each document in each run (0 without one), undecided documents first, and how many these are."""
        relevant = np.flatnonzero(topic.label >= self.measure.rel)
        documents = np.concatenate([topic.waiting, relevant])
        rank = np.concatenate([topic.ranks(each, self._cutoff) for each in (topic.waiting, relevant)])
        shares = np.divide(1.0, rank, out=np.zeros(rank.shape), where=rank > 0)
        return shares, np.arange(len(documents)) >= len(topic.waiting)

    def _outer(self, first: FloatArray, second: FloatArray, known: Mask, topic: TopicRuns) -> float:
        """The outer bound of the first run less the second."""
        seen = known | (first > 0) | (second > 0)
        judged, single, pairs = _form(first[seen], second[seen], known[seen])
        alone = -np.sort(-(single[:, None] + 0.5 * _with_others(pairs)), axis=0)
        return _best_ratio(judged, alone, int((~seen).sum()), float(self._relevant(topic)))


def _with_others(pairs: FloatArray) -> FloatArray:
    """The sum of the highest positive c_ij of each row: float64 (n, n), of the 0, 1 ... highest; or (n, 1), of all."""
    positive = np.maximum(pairs, 0.0)
    if len(pairs) > SORTED:
        whole: FloatArray = positive.sum(axis=1)[:, None]
        return whole
    highest = np.cumsum(-np.sort(-positive, axis=1), axis=1)
    sums: FloatArray = np.concatenate([np.zeros((len(pairs), 1)), highest], axis=1)[:, : len(pairs)]
    return sums


def _best_ratio(judged: float, alone: FloatArray, others: int, relevant: float) -> float:
    """The highest (judged + the sum of the m highest of a column and of `others` zeros) / (relevant + m).

    `alone` has its columns in descending order; column m - 1 is for m documents, the last one for more.
    """
    number = np.arange(len(alone) + others + 1)
    if not alone.size:
        return float(ratio(np.full(len(number), judged), np.asarray(relevant + number, np.float64)).max())
    column = np.clip(number - 1, 0, alone.shape[1] - 1)
    positive = (alone > 0).sum(axis=0)[column]
    taken = np.where(number <= positive, number, np.maximum(number - others, positive))
    taken[0] = 0
    sums = np.concatenate([np.zeros((1, alone.shape[1])), np.cumsum(alone, axis=0)])
    return float(
        ratio(np.asarray(judged + sums[taken, column]), np.asarray(relevant + number, np.float64)).max()
    )


def _form(first: FloatArray, second: FloatArray, known: Mask) -> tuple[float, FloatArray, FloatArray]:
    """What is judged, what each undecided document adds alone, and what two of them add together (0 for one itself)."""
    form = np.minimum.outer(first, first) - np.minimum.outer(second, second)
    diagonal = np.diag(form).copy()
    given, open_ = np.flatnonzero(known), np.flatnonzero(~known)
    of_given = form[np.ix_(given, given)]
    judged = float((of_given.sum() + diagonal[given].sum()) / 2)
    single = diagonal[open_] + form[np.ix_(open_, given)].sum(axis=1)
    pairs = form[np.ix_(open_, open_)]
    np.fill_diagonal(pairs, 0.0)
    return judged, single, pairs
