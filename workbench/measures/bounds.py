"""The lowest and the highest value that the judgments still to come could lead to, exactly.

The pool is taken to be closed: every document that was pooled and is not judged, retrieved or not, may turn out
to have any grade; a document that was never pooled stays non-relevant. The value with the judgments so far lies
between the two. Topics do not depend on one another, so the mean of the lower values is the lowest mean.

This width is one thing, the residual of RBP another: the residual counts every unjudged document, pooled or
not, and all that could follow after the ranking's end.

A binary measure asks only whether a document is relevant. Where grades count, the grades that are still
possible are 0 to `top_grade`, by default the highest grade in all the labels at hand, and at least 1: whoever
scores topics one by one must say it, or the topics would have different ones.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.measures.binary import precision, reciprocal_rank
from workbench.measures.gains import LINEAR, Gains
from workbench.measures.graded import normalised_discounted_gain
from workbench.measures.judged import FloatArray, Hits, JudgedRankings, log2_discount, ratio
from workbench.measures.parameters import Cutoff, Persistence, Rel
from workbench.measures.registry import bounds_of
from workbench.measures.undecided import Undecided, running_sums_up
from workbench.measures.user_models import rank_biased_precision
from workbench.ranking import IntArray, starts_of

Bounds = tuple[FloatArray, FloatArray]


@bounds_of("P")
def precision_bounds(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> Bounds:
    """P with none of the undecided documents relevant, and with all of them: two float64 (R)."""
    best = precision(judged.completed(rel), cutoff=cutoff, rel=rel)
    return precision(judged, cutoff=cutoff, rel=rel), best


@bounds_of("RR")
def reciprocal_rank_bounds(judged: JudgedRankings, *, cutoff: Cutoff | None = None, rel: Rel = 1) -> Bounds:
    """RR with none of the undecided documents relevant, and with all of them: two float64 (R)."""
    best = reciprocal_rank(judged.completed(rel), cutoff=cutoff, rel=rel)
    return reciprocal_rank(judged, cutoff=cutoff, rel=rel), best


@bounds_of("RBP")
def rank_biased_precision_bounds(
    judged: JudgedRankings, *, p: Persistence = 0.8, rel: Rel = 1, cutoff: Cutoff | None = None
) -> Bounds:
    """RBP with none of the undecided documents relevant, and with all of them: two float64 (R)."""
    best = rank_biased_precision(judged.completed(rel), p=p, rel=rel, cutoff=cutoff)
    return rank_biased_precision(judged, p=p, rel=rel, cutoff=cutoff), best


@bounds_of("R")
def recall_bounds(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> Bounds:
    """Recall with just those undecided documents relevant that are not among the first k, and just those that are.

    Two float64 (R).
    """
    found = judged.add_up(judged.hits(rel).within(cutoff))
    near = judged.add_up(judged.undecided.within(cutoff))
    num_rel = judged.num_rel(rel)
    return ratio(found, num_rel + judged.num_undecided - near), ratio(found + near, num_rel + near)


@bounds_of("AP")
def average_precision_bounds(judged: JudgedRankings, *, cutoff: Cutoff | None = None, rel: Rel = 1) -> Bounds:
    """AP with the m undecided documents relevant that do the most, or the least, for it, for the best m: two (R).

    The most is done by those on top; the least by those that the ranking lacks (down to the cutoff), which
    only add to the number that is divided by, and then by those at its bottom.
    """
    hits, undecided = judged.hits(rel).within(cutoff), Undecided.of(judged, cutoff)
    row, rank, nth, _ = undecided.hits
    num_rel, total = judged.num_rel(rel), judged.add_up(hits, hits.nth / hits.rank)
    alone = _alone(judged, hits, undecided.hits)
    up_to_here = total[row] + undecided.running(alone + nth / rank)
    highest = undecided.most(ratio(total, num_rel), up_to_here / (num_rel[row] + nth))
    from_here = total[row] + undecided.running_up(alone + undecided.running_up(1.0 / rank))
    num_rel_then = num_rel + undecided.outside
    lowest = undecided.least(
        ratio(total, num_rel_then), from_here / (num_rel_then[row] + undecided.from_bottom)
    )
    return lowest, highest


def _alone(judged: JudgedRankings, hits: Hits, undecided: Hits) -> FloatArray:
    """What each undecided document adds to the sum of AP together with the relevant `hits`, less 1 / rank: (U).

    The relevant documents above it count at its own rank, and it counts at the rank of each one below it.
    """
    start = starts_of(np.bincount(hits.row, minlength=len(judged)))
    next_hit = np.searchsorted(_positions(judged, hits), _positions(judged, undecided))
    below = np.append(running_sums_up(1.0 / hits.rank, start), 0.0)
    has_below = next_hit < start[undecided.row + 1]
    above = next_hit - start[undecided.row]
    return above / undecided.rank + np.where(has_below, below[next_hit], 0.0)


def _positions(judged: JudgedRankings, hits: Hits) -> IntArray:
    position: IntArray = judged.row_start[hits.row] + hits.rank
    return position


@bounds_of("nDCG")
def normalised_discounted_gain_bounds(
    judged: JudgedRankings, *, cutoff: Cutoff | None = None, top_grade: int | None = None
) -> Bounds:
    """nDCG over all ways to grade the undecided documents: two float64 (R)."""
    value = normalised_discounted_gain(judged, cutoff=cutoff)
    undecided = Undecided.of(judged, cutoff)
    ideal = _Ideal.of(judged, LINEAR, top_grade_of(judged, top_grade), cutoff)
    weight = 1.0 / log2_discount(undecided.hits.rank)
    hits = judged.hits(1).within(cutoff)
    gain = judged.add_up(hits, hits.grade / log2_discount(hits.rank))
    lowest = _lowest_ratio(gain, undecided, weight, ideal)
    highest = _highest_ratio(gain, undecided, weight, ideal)
    if (
        ideal.least == 0.0
    ):  # then the value so far is one of those that can be reached: no rounding may pass it
        lowest, highest = np.minimum(lowest, value), np.maximum(highest, value)
    decided = judged.num_undecided == 0
    return np.where(decided, value, lowest), np.where(decided, value, highest)


def top_grade_of(judged: JudgedRankings, told: int | None) -> int:
    """The highest grade that an undecided document may get: as told, or the highest of all labels, at least 1."""
    return max(1, int(judged.labels.label.max(initial=1))) if told is None else told


class _Ideal(NamedTuple):
    """The gain of the best ranking, taken apart into layers: what each step from one gain to the next adds.

    A document of gain g belongs to every layer up to g, and the n documents of a layer stand on the first n
    ranks of the best ranking. So its gain is the sum of height * discounts[n] over the layers.

    Attributes:
        least, most: the gains that an undecided document may at least and at most have.
        settled: float64 (R). The part of layers that undecided documents belong to in any case, or cannot.
        heights: of the layers that they may belong to, from the bottom.
        counts: int64 (R) for each of these: how many judged documents belong to it.
        discounts: float64. Place n holds the sum of the first n discounts, down to the cutoff.
    """

    least: float
    most: float
    settled: FloatArray
    heights: list[float]
    counts: list[IntArray]
    discounts: FloatArray

    @classmethod
    def of(cls, judged: JudgedRankings, gains: Gains, top_grade: int, cutoff: int | None) -> _Ideal:
        possible = gains.of(np.arange(top_grade + 1).astype(np.int16))
        least, most = float(possible.min()), float(possible.max())
        worth = gains.of(judged.labels.label)
        edges = np.unique(np.append(worth, (least, most)))
        edges = edges[edges > 0]
        discounts = _discounts(int(np.diff(judged.labels.topic_start).max(initial=0)), cutoff)
        ideal = cls(least, most, np.zeros(len(judged)), [], [], discounts)
        settled = ideal.settled
        for edge, height in zip(edges.tolist(), np.diff(edges, prepend=0.0).tolist(), strict=True):
            count = judged.labels.count(worth >= edge)[judged.topic]
            if least < edge <= most:
                ideal.heights.append(height)
                ideal.counts.append(count)
            else:
                settled += height * discounts[count + (judged.num_undecided if edge <= least else 0)]
        return ideal

    def of_counts(self, raised: IntArray, row: IntArray | None = None) -> FloatArray:
        """The gain of the best ranking if `raised` undecided documents have the most gain, the others the least.

        `raised` has one number per row, or several of which `row` tells the row.
        """
        chosen = slice(None) if row is None else row
        total = self.settled[chosen].copy()
        for height, count in zip(self.heights, self.counts, strict=True):
            total += height * self.discounts[count[chosen] + raised]
        return total


def _discounts(number: int, cutoff: int | None) -> FloatArray:
    """Sums of the first 0 to `number` discounts; ranks beyond the cutoff have none: float64 (number + 1)."""
    weight = 1.0 / log2_discount(np.arange(1, number + 1))
    weight[number if cutoff is None else cutoff :] = 0.0
    return np.cumsum(np.append(0.0, weight))


def _lowest_ratio(gain: FloatArray, undecided: Undecided, weight: FloatArray, ideal: _Ideal) -> FloatArray:
    """The lowest value of nDCG: float64 (R).

    The gain is linear in the gains of the undecided documents and that of the best ranking convex, so their
    ratio is lowest where each has either the least gain or the most: the most those that the ranking lacks,
    and the m lowest of the others, for the best m.
    """
    row, raised = undecided.hits.row, undecided.outside
    now = gain + ideal.least * _total(undecided, weight)
    least = ratio(now, ideal.of_counts(raised))
    then = now[row] + (ideal.most - ideal.least) * undecided.running_up(weight)
    return undecided.least(least, ratio(then, ideal.of_counts(raised[row] + undecided.from_bottom, row)))


def _total(undecided: Undecided, weight: FloatArray) -> FloatArray:
    """The sum of each row's weights, float64 (R)."""
    return np.bincount(undecided.hits.row, weight, minlength=len(undecided.outside)).astype(
        np.float64, copy=False
    )


def _highest_ratio(gain: FloatArray, undecided: Undecided, weight: FloatArray, ideal: _Ideal) -> FloatArray:
    """The highest value of nDCG: float64 (R).

    Dinkelbach's method (Management Science 13(7), 1967): while some way to grade makes gain - t * ideal positive, its
    ratio is above t, and the next t. The layers can be looked at one by one: into each go the m undecided
    documents on top for the best m, and a higher layer, with fewer judged documents, never takes more.
    """
    row = undecided.hits.row
    sums = np.append(0.0, undecided.running(weight))
    ideal_then = [ideal.discounts[count[row] + undecided.hits.nth] for count in ideal.counts]
    start = gain + ideal.least * _total(undecided, weight)
    best, rises = ratio(start, ideal.of_counts(np.zeros_like(undecided.outside))), True
    while rises:
        above, below = start.copy(), ideal.settled.copy()
        for height, count, then in zip(ideal.heights, ideal.counts, ideal_then, strict=True):
            worth = sums[1:] - best[row] * then
            most = undecided.most(-best * ideal.discounts[count], worth)
            number = undecided.most(
                np.zeros(len(best)), np.where(worth >= most[row], undecided.hits.nth, 0.0)
            )
            taken = number.astype(np.int64)
            above += height * sums[np.where(taken > 0, undecided.start[:-1] + taken, 0)]
            below += height * ideal.discounts[count + taken]
        reached = np.maximum(best, ratio(above, below))
        best, rises = reached, bool((reached > best).any())
    return best
