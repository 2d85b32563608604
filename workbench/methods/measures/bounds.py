"""The lowest and the highest value that the judgments still to come could lead to, exactly.

The pool is taken to be closed: every document that was pooled and is not judged, retrieved or not, may turn out
to have any grade; a document that was never pooled stays non-relevant. The value with the judgments so far lies
between the two, unless a table of gains gives grade 0 a gain, which unjudged documents do not have. Topics do
not depend on one another, so the mean of the lower values is the lowest mean of the same topics; which topics count in
a campaign once its pool is judged, workbench/scoring/board/loading.py says.

This width is one thing, the residual of RBP another: the residual counts every unjudged document, pooled or
not, and all that could follow after the ranking's end.

A binary measure asks only whether a document is relevant. Where grades count, the grades that are still
possible are `least_grade` to `top_grade`, by default the lowest and the highest grade in all the labels at hand, and at
most 0 and at least 1: a caller that scores topics one by one must say them, or the topics would have different ones.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import NamedTuple

import numpy as np

from workbench.core.ranking import POOLED, IntArray, starts_of
from workbench.methods.measures.binary import precision, reciprocal_rank, success
from workbench.methods.measures.cascade import expected_reciprocal_rank
from workbench.methods.measures.gained import Ideal, discount_at, summed_discounts
from workbench.methods.measures.gains import LINEAR, Gains, GradeArray, grades_between
from workbench.methods.measures.graded import discounted_gain, normalised_discounted_gain
from workbench.methods.measures.judged import FloatArray, Hits, JudgedRankings, ratio
from workbench.methods.measures.parameters import (
    Base,
    Cutoff,
    Discount,
    GainsOf,
    MaxGrade,
    Persistence,
    Rel,
    SharesOf,
    Value,
)
from workbench.methods.measures.registry import NO_EXACT_WAY, MeasureFunction, bounds_of
from workbench.methods.measures.running import running_sums
from workbench.methods.measures.user_models import rank_biased_precision

Bounds = tuple[FloatArray, FloatArray]

NO_EXACT_WAY["Bpref"] = (
    "a document that turns out not to be relevant takes something from every relevant one below it, and changes the "
    "number by which that is divided"
)
NO_EXACT_WAY["Q"] = (
    "each rank compares what was gained down to it with the best ranking, which every grade changes"
)

NUMBERS_AT_A_TIME = 1 << 20
"""This many numbers of relevant documents are tried together, so that memory stays small."""


def _none_and_all(
    value: MeasureFunction, judged: JudgedRankings, *, cutoff: int | None = None, rel: int = 1
) -> Bounds:
    """A value with none of the undecided documents relevant, and with all of them: two float64 (R)."""
    best = value(judged.completed(rel), cutoff=cutoff, rel=rel)
    return value(judged, cutoff=cutoff, rel=rel), best


bounds_of("P")(partial(_none_and_all, precision))
bounds_of("RR")(partial(_none_and_all, reciprocal_rank))
bounds_of("Success")(partial(_none_and_all, success))


@bounds_of("ERR")
def expected_reciprocal_rank_bounds(
    judged: JudgedRankings,
    *,
    max_grade: MaxGrade = 4,
    cutoff: Cutoff | None = None,
    top_grade: int | None = None,
) -> Bounds:
    """ERR with grade 0 for all undecided documents, and with the highest for all of them: two float64 (R).

    It rises with the grade of each document: a user who stops at rank i counts 1 / i, and further down less than that.
    """
    highest = judged.labels.range_of_grades()[1] if top_grade is None else top_grade
    best = expected_reciprocal_rank(judged.completed(highest), max_grade=max_grade, cutoff=cutoff)
    return expected_reciprocal_rank(judged, max_grade=max_grade, cutoff=cutoff), best


@bounds_of("RBP")
def rank_biased_precision_bounds(
    judged: JudgedRankings,
    *,
    p: Persistence = 0.8,
    rel: Rel = 1,
    gains: SharesOf | None = None,
    cutoff: Cutoff | None = None,
    top_grade: int | None = None,
    least_grade: int | None = None,
) -> Bounds:
    """RBP with what is worth least for all undecided documents, and what is worth most: two float64 (R).

    That is non-relevant and relevant, or grades where a table says what they are worth.
    """
    worst, best = judged, judged.completed(rel)
    if gains is not None:
        worst, best = _settled_by_gain(judged, gains, _possible(judged, least_grade, top_grade))
    lowest = rank_biased_precision(worst, p=p, rel=rel, gains=gains, cutoff=cutoff)
    return lowest, rank_biased_precision(best, p=p, rel=rel, gains=gains, cutoff=cutoff)


@bounds_of("R")
def recall_bounds(judged: JudgedRankings, *, cutoff: Cutoff, rel: Rel = 1) -> Bounds:
    """Recall with just those undecided documents relevant that are not among the first k, and just those that are.

    Two float64 (R).
    """
    found = judged.add_up(judged.hits(rel).within(cutoff))
    near = judged.add_up(judged.undecided.within(cutoff))
    num_rel = judged.num_rel(rel)
    return ratio(found, num_rel + judged.num_undecided - near), ratio(found + near, num_rel + near)


@bounds_of("Rprec")
def r_precision_bounds(judged: JudgedRankings, *, rel: Rel = 1) -> Bounds:
    """Rprec with m undecided documents relevant, as many as can be or as few of them among the first R + m: two (R).

    For each m the value depends on nothing but how many of the first R + m are relevant; the best m is searched.
    """
    num_rel, number = judged.num_rel(rel), judged.num_undecided
    found = np.concatenate([[0], np.cumsum(judged.label >= rel)])
    waiting = np.concatenate([[0], np.cumsum(judged.label == POOLED)])
    lowest, highest = np.zeros(len(judged)), np.zeros(len(judged))
    start, end = judged.row_start[:-1], judged.row_start[1:]
    for rows in _blocks(1 + number):
        first = starts_of(1 + number[rows])
        row = np.repeat(np.arange(rows.start, rows.stop), 1 + number[rows])
        m = np.arange(first[-1]) - np.repeat(first[:-1], 1 + number[rows])
        at = np.minimum(start[row] + num_rel[row] + m, end[row])
        relevant, near = found[at] - found[start[row]], waiting[at] - waiting[start[row]]
        forced = np.maximum(0, m - (number[row] - near))
        then = num_rel[row] + m
        lowest[rows] = np.minimum.reduceat(ratio(relevant + forced, then), first[:-1])
        highest[rows] = np.maximum.reduceat(ratio(relevant + np.minimum(m, near), then), first[:-1])
    return lowest, highest


def _blocks(sizes: IntArray) -> Iterator[slice]:
    """The rows, together as long as their sizes add up to no more than NUMBERS_AT_A_TIME."""
    ends = np.cumsum(sizes)
    first = 0
    while first < len(sizes):
        before = ends[first - 1] if first else 0
        last = int(np.searchsorted(ends, before + NUMBERS_AT_A_TIME, side="right"))
        yield slice(first, max(last, first + 1))
        first = max(last, first + 1)


@bounds_of("AP")
def average_precision_bounds(judged: JudgedRankings, *, cutoff: Cutoff | None = None, rel: Rel = 1) -> Bounds:
    """AP with the m undecided documents relevant that do the most, or the least, for it, for the best m: two (R).

    The most is done by those on top; the least by those that the ranking lacks (down to the cutoff), which
    only add to the number that is divided by, and then by those at its bottom.
    """
    hits, undecided = judged.hits(rel).within(cutoff), Undecided.of(judged, cutoff)
    row, rank, nth, _ = undecided.hits
    num_rel, total = judged.num_rel(rel), judged.add_up(hits, hits.nth / hits.rank)
    # What each undecided document adds to the sum of AP together with the relevant `hits`, less 1 / rank: the relevant
    # documents above it count at its own rank, and it counts at the rank of each one below it.
    start = starts_of(np.bincount(hits.row, minlength=len(judged)))
    next_hit = np.searchsorted(_positions(judged, hits), _positions(judged, undecided.hits))
    below = np.append(running_sums_up(1.0 / hits.rank, start), 0.0)
    has_below = next_hit < start[row + 1]
    alone = (next_hit - start[row]) / rank + np.where(has_below, below[next_hit], 0.0)
    up_to_here = total[row] + undecided.running(alone + nth / rank)
    highest = undecided.most(ratio(total, num_rel), up_to_here / (num_rel[row] + nth))
    from_here = total[row] + undecided.running_up(alone + undecided.running_up(1.0 / rank))
    num_rel_then = num_rel + undecided.outside
    lowest = undecided.least(
        ratio(total, num_rel_then), from_here / (num_rel_then[row] + undecided.from_bottom)
    )
    return lowest, highest


def _positions(judged: JudgedRankings, hits: Hits) -> IntArray:
    return np.asarray(judged.row_start[hits.row] + hits.rank, np.int64)


@bounds_of("DCG")
def discounted_gain_bounds(
    judged: JudgedRankings,
    *,
    gains: GainsOf = LINEAR,
    discount: Discount = "plus-one",
    base: Base = 2.0,
    cutoff: Cutoff | None = None,
    top_grade: int | None = None,
    least_grade: int | None = None,
) -> Bounds:
    """DCG with the grade of the least gain for all undecided documents, and with that of the most: two (R)."""
    worst, best = _settled_by_gain(judged, gains, _possible(judged, least_grade, top_grade))
    lowest = discounted_gain(worst, gains=gains, discount=discount, base=base, cutoff=cutoff)
    return lowest, discounted_gain(best, gains=gains, discount=discount, base=base, cutoff=cutoff)


def _possible(judged: JudgedRankings, least_grade: int | None, top_grade: int | None) -> GradeArray:
    """The grades that an undecided document may get."""
    if least_grade is None or top_grade is None:
        least, top = judged.labels.range_of_grades()
        least_grade = least if least_grade is None else least_grade
        top_grade = top if top_grade is None else top_grade
    return grades_between(least_grade, top_grade)


def _settled_by_gain(
    judged: JudgedRankings, gains: Gains, grades: GradeArray
) -> tuple[JudgedRankings, JudgedRankings]:
    """The rankings with the undecided documents graded so that each gains the least, and the most."""
    possible = gains.of(grades)
    # An undecided document gains nothing, like one with a grade that gains nothing.
    worst = judged if possible.min() == 0 else judged.completed(int(grades[possible.argmin()]))
    return worst, judged.completed(int(grades[possible.argmax()]))


def _why_not(given: Mapping[str, Value]) -> str | None:
    """Why nDCG with these parameters has no bounds that could be found, or None if it has."""
    gains, base = given["gains"], given["base"]
    if isinstance(gains, Gains) and any(gain < 0 for _, gain in gains.table):
        return "bound is not possible with negative gains"
    if given["discount"] == "after-first" and isinstance(base, float) and base > 2:
        return "bound is not possible with discount=after-first and a base above 2: rank 2 counts more than rank 1"
    return None


@bounds_of("nDCG", unless=_why_not)
def normalised_discounted_gain_bounds(
    judged: JudgedRankings,
    *,
    gains: GainsOf = LINEAR,
    discount: Discount = "plus-one",
    base: Base = 2.0,
    cutoff: Cutoff | None = None,
    top_grade: int | None = None,
    least_grade: int | None = None,
) -> Bounds:
    """nDCG over all ways to grade the undecided documents: two float64 (R)."""
    parameters = {"gains": gains, "discount": discount, "base": base, "cutoff": cutoff}
    value = normalised_discounted_gain(judged, **parameters)
    undecided = Undecided.of(judged, cutoff)
    ideal = Ideal.of(
        judged,
        gains,
        gains.of(_possible(judged, least_grade, top_grade)),
        summed_discounts(judged, cutoff, discount, base),
    )
    weight = 1.0 / discount_at(undecided.hits.rank, discount, base)
    gain = discounted_gain(judged, **parameters) + ideal.least * judged.add_up(undecided.hits, weight)
    # The gain is linear in the gains of the undecided documents and that of the best ranking convex, so their ratio is
    # lowest where each has either the least gain or the most: the most those that the ranking lacks, and the m lowest
    # of the others, for the best m.
    row, raised = undecided.hits.row, undecided.outside
    then = gain[row] + (ideal.most - ideal.least) * undecided.running_up(weight)
    lowest = undecided.least(
        ratio(gain, ideal.raised_to_most(raised)),
        ratio(then, ideal.raised_to_most(raised[row] + undecided.from_bottom, row)),
    )
    highest = _highest_ratio(gain, undecided, weight, ideal)
    # Where the least is 0 the value so far is one of those that can be reached: no rounding may pass it.
    if ideal.least == 0.0:
        lowest, highest = np.minimum(lowest, value), np.maximum(highest, value)
    decided = judged.num_undecided == 0
    return np.where(decided, value, lowest), np.where(decided, value, highest)


def _highest_ratio(gain: FloatArray, undecided: Undecided, weight: FloatArray, ideal: Ideal) -> FloatArray:
    """The highest value of nDCG, where `gain` is that with the least for all undecided documents: float64 (R).

    Dinkelbach's method (Management Science 13(7), 1967): as long as some way to grade makes gain - t * ideal
    positive, its ratio is above t, and is the next t. The best way is found step by step: each is taken by the
    m undecided documents on top, for the best m; a higher step, with fewer judged documents, never wants more.
    """
    row, nth, none = undecided.hits.row, undecided.hits.nth, np.zeros_like(undecided.outside)
    sums = np.append(0.0, undecided.running(weight))
    ideals = [(step.ideal(none), step.ideal(nth, row)) for step in ideal.steps]
    best, rises = ratio(gain, ideal.raised_to_most(none)), True
    while rises:
        above, below = gain.copy(), ideal.settled.copy()
        for step, (now, then) in zip(ideal.steps, ideals, strict=True):
            height = sum(step.heights)
            worth = height * sums[1:] - best[row] * then
            is_most = worth >= undecided.most(-best * now, worth)[row]
            raised = undecided.most(np.zeros(len(best)), np.where(is_most, nth, 0.0)).astype(np.int64)
            above += height * sums[np.where(raised > 0, undecided.start[:-1] + raised, 0)]
            below += step.ideal(raised)
        reached = np.maximum(best, ratio(above, below))
        best, rises = reached, bool((reached > best).any())
    return best


class Undecided(NamedTuple):
    """The undecided documents of R rows; U of them are in the rankings, down to the cutoff.

    Attributes:
        hits: those in the rankings, each (U).
        start: int64 (R + 1). Row i has the hits start[i] to start[i + 1] - 1.
        outside: int64 (R). How many others the row's topic has.
    """

    hits: Hits
    start: IntArray
    outside: IntArray

    @classmethod
    def of(cls, judged: JudgedRankings, cutoff: int | None) -> Undecided:
        """Those of these rankings, looked at down to `cutoff` (None: to the end)."""
        hits = judged.undecided.within(cutoff)
        number = np.bincount(hits.row, minlength=len(judged))
        return cls(hits, starts_of(number), judged.num_undecided - number)

    @property
    def from_bottom(self) -> IntArray:
        """The place of each one in its row, counted from 1 at the bottom, int64 (U)."""
        counted: IntArray = self.start[self.hits.row + 1] - self.start[self.hits.row] - self.hits.nth + 1
        return counted

    def running(self, values: FloatArray) -> FloatArray:
        """The sum of each one's value and those above it in its row, float64 (U)."""
        return running_sums(values, self.start)

    def running_up(self, values: FloatArray) -> FloatArray:
        """The sum of each one's value and those below it in its row, float64 (U)."""
        return running_sums_up(values, self.start)

    def most(self, values: FloatArray, candidates: FloatArray) -> FloatArray:
        """The highest of each row's value (R) and its candidates (U), float64 (R)."""
        return self._reduced(np.maximum, values, candidates)

    def least(self, values: FloatArray, candidates: FloatArray) -> FloatArray:
        """The lowest of each row's value (R) and its candidates (U), float64 (R)."""
        return self._reduced(np.minimum, values, candidates)

    def _reduced(self, choose: np.ufunc, values: FloatArray, candidates: FloatArray) -> FloatArray:
        chosen = values.copy()
        rows = np.flatnonzero(np.diff(self.start))
        if len(rows):
            chosen[rows] = choose(values[rows], choose.reduceat(candidates, self.start[rows]))
        return chosen


def running_sums_up(values: FloatArray, start: IntArray) -> FloatArray:
    """The sum of each value and those after it in its row; arguments and result as in `running_sums`."""
    return running_sums(values[::-1], start[-1] - start[::-1])[::-1]
