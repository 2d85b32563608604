"""Differences by average precision: an outer bound that is never passed, and a way to judge that comes near it.

The sum of precisions is Σ_{i ≤ j} x_i x_j / max(r_i, r_j) over documents that are relevant. So the difference of two
runs is a quadratic form with c_ij = 1 / max(r_i, r_j) in the first run less that in the second, divided by R + m. For m
undecided documents that become relevant the form is at most what is judged plus the sum of the m highest h_i, where

    h_i = c_ii + Σ c_ij over the relevant j + half of the m - 1 highest positive c_ij over the undecided j.

Of more than SORTED undecided documents it is half of all positive c_ij. As min(a_i, a_j) - min(b_i, b_j), where it is
positive, is min(a_i, a_j) - min(e_i, e_j) with e = min(a, b), their sums need no table of all c_ij: sorting is enough.

No exact method with a practical running time is known. The bound narrows with every judgment, and is never wider than
the difference of the two runs' own exact bounds, with which it is cut.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray
from workbench.methods.bounds.registry import Completion, Differences, differences_of
from workbench.methods.bounds.topic_runs import TopicRuns
from workbench.methods.measures.bounds import average_precision_bounds
from workbench.methods.measures.judged import ratio

Mask = NDArray[np.bool_]

SORTED = 100
"""Up to this many undecided documents of two runs only the highest c_ij of each row are taken."""


class _Sums(NamedTuple):
    """What each of S runs has of a topic's U undecided documents, float64 (U, S): 1 / rank, or 0; what each adds to the
    sum of precisions alone; and besides with all other undecided ones together. `judged` (S) is the sum of the others.
    """

    share: FloatArray
    judged: FloatArray
    single: FloatArray
    with_others: FloatArray


@differences_of("AP")
class _AveragePrecisionDifferences(Differences):
    """AP: not exact."""

    reached = False

    def highest(self, topic: TopicRuns) -> FloatArray:
        """As in `Differences`, or somewhat above."""
        least, most = average_precision_bounds(topic.judged, cutoff=self.cutoff, rel=self.measure.rel)
        highest: FloatArray = most[:, None] - least
        sums, relevant = self._sums(topic), float(self._relevant(topic))
        for one in range(len(topic)):
            for other in range(len(topic)):
                if one != other:
                    highest[one, other] = min(highest[one, other], _outer(sums, one, other, relevant))
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
        depth = int(topic.rankings.lengths.max(initial=0))
        several = min(len(topic.waiting), 2 * min(depth, self.cutoff or depth))
        return float(len(topic) ** 2 * (100 * several + 80_000))

    def _relevant(self, topic: TopicRuns) -> int:
        return int((topic.label >= self.measure.rel).sum())

    def _shares(self, topic: TopicRuns) -> tuple[FloatArray, Mask]:
        """1 / rank of each document in each run (0 without one), undecided documents first, and how many these are."""
        relevant = np.flatnonzero(topic.label >= self.measure.rel)
        documents = np.concatenate([topic.waiting, relevant])
        rank = np.concatenate([topic.ranks(each, self.cutoff) for each in (topic.waiting, relevant)])
        shares = np.divide(1.0, rank, out=np.zeros(rank.shape), where=rank > 0)
        return shares, np.arange(len(documents)) >= len(topic.waiting)

    def _sums(self, topic: TopicRuns) -> _Sums:
        shares, known = self._shares(topic)
        share, relevant = shares[~known], shares[known]
        single, with_others, judged = share.copy(), np.zeros_like(share), np.zeros(len(topic))
        for run in range(len(topic)):
            own, given = share[:, run], relevant[:, run]
            judged[run] = (_summed_least(given, given).sum() + given.sum()) / 2
            single[:, run] += _summed_least(own, given)
            with_others[:, run] = _summed_least(own, own) - own
        return _Sums(share, judged, single, with_others)


def _outer(sums: _Sums, one: int, other: int, relevant: float) -> float:
    """The outer bound of the first run less the second."""
    first, second = sums.share[:, one], sums.share[:, other]
    seen = np.flatnonzero((first > 0) | (second > 0))
    single = sums.single[seen, one] - sums.single[seen, other]
    if len(seen) <= SORTED:
        first, second = first[seen], second[seen]
        pairs = np.minimum.outer(first, first) - np.minimum.outer(second, second)
        np.fill_diagonal(pairs, 0.0)
        # The sums of the 0, 1 ... highest positive c_ij of each row.
        most_first = np.cumsum(-np.sort(-np.maximum(pairs, 0.0), axis=1), axis=1)
        added = np.concatenate([np.zeros((len(pairs), 1)), most_first], axis=1)[:, : len(pairs)]
    else:
        both = np.minimum(first, second)
        common = np.flatnonzero(both)
        added = sums.with_others[:, one].copy()
        added[common] -= _summed_least(both[common], both[common]) - both[common]
        added = np.maximum(added[seen], 0.0)[:, None]
    alone = -np.sort(-(single[:, None] + 0.5 * added), axis=0)
    judged = float(sums.judged[one] - sums.judged[other])
    return _best_ratio(judged, alone, len(sums.share) - len(seen), relevant)


def _summed_least(values: FloatArray, others: FloatArray) -> FloatArray:
    """For each of n values the sum of the lesser of it and each of the others, float64 (n)."""
    ordered = np.sort(others)
    sums = np.concatenate([np.zeros(1), np.cumsum(ordered)])
    lower = np.searchsorted(ordered, values)
    least: FloatArray = sums[lower] + values * (len(ordered) - lower)
    return least


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
