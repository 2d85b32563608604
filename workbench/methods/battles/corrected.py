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
    pairs, place = np.unique(units.one * units.runs + units.other, return_inverse=True)
    here = units.has_people
    # By topic and pair what models say, and what people say more of the units they judged; how many units of each.
    model, apart = np.zeros((2, units.topics, len(pairs), 3))
    np.add.at(model, (units.topic, place), units.model)
    np.add.at(apart, (units.topic[here], place[here]), units.people[here] - units.model[here])
    number, of_people = (
        np.bincount(each, minlength=units.topics).astype(np.float64)
        for each in (units.topic, units.topic[here])
    )
    one, other = np.divmod(pairs, units.runs)

    def fitted(topics: BoolArray, near: Fit | None = None) -> Fit | None:
        if not of_people[topics].any():
            return None
        times = number[topics].sum() / of_people[topics].sum()
        won = model[topics].sum(axis=0) + times * apart[topics].sum(axis=0)
        counts = Counts(units.runs, 1, 0 * one, one, other, won)
        known = counts._replace(won=np.maximum(won, 0))
        return fit(counts, position=False, near=near) if reach(known).finite.all() else None

    found = fitted(np.ones(units.topics, np.bool_))
    if found is None:
        return None
    changes = np.full((units.topics, units.runs), np.nan)
    for topic in range(units.topics):
        without = fitted(np.arange(units.topics) != topic, found)
        if without is not None:
            changes[topic] = without.strengths - found.strengths
    each = zip(found.strengths.tolist(), changes.T, strict=True)
    return [jackknifed(*of_run, of_people, HELD) for of_run in each]
