"""Additive measures: sums over the documents of a ranking of their gain times the weight of their rank.

The value of such a measure is the sum of gain * weight over the documents of a ranking. So the difference of two runs
is one sum over documents, in which each counts by the difference of its two weights: that is what makes bounds of
differences exact and quick. A form says both for a measure with all its parameters set.

To add one: write a function beside those below, under `@adds_up("NAME")`, with the measure's own keyword parameters.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import GradesDoNotFit
from workbench.core.ranking import IntArray
from workbench.methods.measures.gained import discount_at
from workbench.methods.measures.gains import LINEAR, Gains, GradeArray, grades_between
from workbench.methods.measures.judged import FloatArray, power
from workbench.methods.measures.registry import BoundMeasure

NEGLIGIBLE = 2.0**-52
"""Ranks that together weigh less than this are left out: a double near 1 would not show them."""


class Additive(NamedTuple):
    """An additive measure.

    Attributes:
        weight: float64 (ranks). Of rank 1, 2 ...; what is below weighs nothing.
        gain_of: what documents with these labels are worth, float64 of their shape; 0 where nothing is known.
        least, most: the least and the most that an undecided document can be worth.
        worst_grade, best_grade: the lowest grades that make it so, of those from 0 on where these do.
    """

    weight: FloatArray
    gain_of: Callable[[NDArray[np.int16]], FloatArray]
    least: float
    most: float
    worst_grade: int
    best_grade: int

    def weights_at(self, rank: NDArray[np.integer[Any]]) -> FloatArray:
        """The weights of ranks, float64 of their shape; 0 of rank 0, which stands for "not retrieved"."""
        padded = np.concatenate([[0.0], self.weight, [0.0]])
        weights: FloatArray = padded[np.minimum(rank, len(self.weight) + 1)]
        return weights


AdditiveForm = Callable[..., Additive]
ADDITIVE: dict[str, AdditiveForm] = {}
"""The additive measures, by name: `form(ranks=, grades=, **parameters)` for rankings of at most `ranks`, whose
undecided documents may get these `grades`."""


def adds_up(name: str) -> Callable[[AdditiveForm], AdditiveForm]:
    """Put a function into the registry that gives the form of the measure `name`."""

    def register(form: AdditiveForm) -> AdditiveForm:
        ADDITIVE[name] = form
        return form

    return register


def additive_form(
    measure: BoundMeasure, *, ranks: int, top_grade: int, least_grade: int = 0
) -> Additive | None:
    """The form of a measure with its parameters, or None if it is not additive; its modifiers play no part.

    The longest ranking has this many ranks. An undecided document may get grades from `least_grade`, 0 or below, to
    `top_grade`.
    """
    form = ADDITIVE.get(measure.name)
    grades = grades_between(least_grade, top_grade)
    return None if form is None else form(ranks=ranks, grades=grades, **measure.parameters)


@adds_up("P")
def of_precision(*, ranks: int, grades: GradeArray, cutoff: int, rel: int) -> Additive:
    """P: each of the first k ranks weighs 1 / k."""
    return Additive(np.full(min(ranks, cutoff), 1.0 / cutoff), *_relevant(rel))


@adds_up("RBP")
def of_rank_biased_precision(
    *, ranks: int, grades: GradeArray, p: float, rel: int, gains: Gains | None, cutoff: int | None
) -> Additive:
    """RBP: rank i weighs (1 - p) p^(i - 1); GradesDoNotFit where a gain is not from 0 to 1."""
    number = ranks if cutoff is None else min(ranks, cutoff)
    weight = (1.0 - p) * power(p, np.arange(number))
    far = p ** np.arange(number) < NEGLIGIBLE
    weight = weight[: int(far.argmax()) if far.any() else number]
    if gains is None:
        return Additive(weight, *_relevant(rel))
    worths = _graded(gains, grades)
    if worths[1] < 0.0 or worths[2] > 1.0:
        message = f"RBP needs a worth from 0 to 1 for each grade up to {grades.max()}; give it in gains"
        raise GradesDoNotFit(message)
    return Additive(weight, *worths)


@adds_up("CG")
def of_cumulated_gain(*, ranks: int, grades: GradeArray, gains: Gains, cutoff: int | None) -> Additive:
    """CG: every rank down to the cutoff weighs 1."""
    return Additive(np.ones(_number(ranks, cutoff)), *_graded(gains, grades))


@adds_up("DCG")
def of_discounted_gain(
    *,
    ranks: int,
    grades: GradeArray,
    gains: Gains = LINEAR,
    discount: str = "plus-one",
    base: float = 2.0,
    cutoff: int | None = None,
) -> Additive:
    """DCG: each rank weighs 1 / its discount."""
    rank: IntArray = np.arange(1, _number(ranks, cutoff) + 1)
    return Additive(1.0 / discount_at(rank, discount, base), *_graded(gains, grades))


Worths = tuple[Callable[[NDArray[np.int16]], FloatArray], float, float, int, int]


def _relevant(rel: int) -> Worths:
    """Worth 1 from the smallest relevant grade on; an undecided document may be relevant or not."""
    return (lambda label: (label >= rel).astype(np.float64)), 0.0, 1.0, min(0, rel - 1), rel


def _graded(gains: Gains, grades: GradeArray) -> Worths:
    possible = gains.of(grades)
    worst, best = possible.argmin(), possible.argmax()
    return gains.of, float(possible[worst]), float(possible[best]), int(grades[worst]), int(grades[best])


def _number(ranks: int, cutoff: int | None) -> int:
    return ranks if cutoff is None else min(ranks, cutoff)
