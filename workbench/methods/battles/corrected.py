"""Strengths by models' battles, corrected by those that people fought again: the difference estimator.

The units are a topic and two runs. All have a model's preference f, some also people's y, each the shares of wins of
one run, of the other, and of ties. The likelihood is of the counts

    sum over all units of f + N / n * sum over units of people of (y - f)

which estimate those that people would have given all N units, where the n units of people were drawn from them at
random. Strengths are a smooth function of counts, so they are consistent, not unbiased.

Source: the difference estimator of C.-E. Saerndal, B. Swensson and J. Wretman, Model Assisted Survey Sampling, 1992.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.methods.battles.counts import BoolArray, Counts, reach
from workbench.methods.battles.davidson import Fit, fit
from workbench.methods.statistics.arrays import FloatArray, IntArray
from workbench.methods.statistics.over_topics import Estimate, jackknifed

HELD = "91 to 100 %"
"""In how many simulations these intervals held the truth (`benchmarks/coverage_of_battles.py`)."""


class Units(NamedTuple):
    """Pairs of runs on topics that models judged.

    Attributes:
        runs, topics: how many there are.
        topic, one, other: int64 (N,).
        model: the shares of wins of `one`, of `other` and of ties, float64 (N, 3).
        people: the same by people, nan where they did not judge the unit.
    """

    runs: int
    topics: int
    topic: IntArray
    one: IntArray
    other: IntArray
    model: FloatArray
    people: FloatArray

    @property
    def has_people(self) -> BoolArray:
        """Which of them people judged too."""
        return np.asarray(~np.isnan(self.people[:, 0]), np.bool_)


def corrected(units: Units) -> list[Estimate] | None:
    """The strengths of all runs with intervals over topics; None where the corrected counts determine none."""
    summed = _summed(units)
    found = _fit(summed, np.ones(units.topics, np.bool_))
    if found is None:
        return None
    changes = np.full((units.topics, units.runs), np.nan)
    for topic in range(units.topics):
        without = _fit(summed, np.arange(units.topics) != topic, found)
        if without is not None:
            changes[topic] = without.strengths - found.strengths
    weights = summed.numbers[:, 1]
    return [
        jackknifed(float(value), changes[:, run], weights, HELD) for run, value in enumerate(found.strengths)
    ]


class _Summed(NamedTuple):
    """The units of each topic by the pairs of runs: what models say, float64 (topics, pairs, 3), and what people say
    minus that of the units they judged; how many units there are, and of people, float64 (topics, 2).
    """

    runs: int
    one: IntArray
    other: IntArray
    model: FloatArray
    apart: FloatArray
    numbers: FloatArray


def _summed(units: Units) -> _Summed:
    pairs, place = np.unique(units.one * units.runs + units.other, return_inverse=True)
    here, shape = units.has_people, (units.topics, len(pairs), 3)
    model, apart, numbers = np.zeros(shape), np.zeros(shape), np.zeros((units.topics, 2))
    np.add.at(model, (units.topic, place), units.model)
    np.add.at(apart, (units.topic[here], place[here]), units.people[here] - units.model[here])
    np.add.at(numbers, units.topic, np.stack([np.ones(len(here)), here], axis=1))
    return _Summed(units.runs, pairs // units.runs, pairs % units.runs, model, apart, numbers)


def _fit(summed: _Summed, topics: BoolArray, near: Fit | None = None) -> Fit | None:
    """The fit to the corrected counts of these topics; None without units of people, or without finite strengths."""
    number, of_people = summed.numbers[topics].sum(axis=0).tolist()
    if not of_people:
        return None
    left, right, ties = (
        summed.model[topics].sum(axis=0) + number / of_people * summed.apart[topics].sum(axis=0)
    ).T
    counts = Counts(summed.runs, 1, 0 * summed.one, summed.one, summed.other, left, right, ties)
    known = counts._replace(
        left_wins=np.maximum(left, 0), right_wins=np.maximum(right, 0), ties=np.maximum(ties, 0)
    )
    return fit(counts, position=False, near=near) if reach(known).finite.all() else None
