"""Strengths by the battles of models, or agents, corrected by people's of the same: the difference estimator.

The units are a topic and two runs. All have a model's preference f, some also people's y, each the shares of wins of
one run, of the other, and of ties. The likelihood is of the counts

    sum over all units of f + N / n * sum over units of people of (y - f)

which estimate those that people would have given all N units, where the n units of people were drawn from them at
random. Strengths are a smooth function of counts, so they are consistent, not unbiased.

Source: the difference estimator of C.-E. Saerndal, B. Swensson and J. Wretman, Model Assisted Survey Sampling, 1992.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import NamedTuple

import numpy as np

from workbench.methods.battles.counts import BoolArray, Counts, reach
from workbench.methods.battles.davidson import Fit, fit
from workbench.methods.statistics.arrays import FloatArray, IntArray
from workbench.methods.statistics.over_topics import Estimate, jackknifed

HELD = "91 to 100 %"
"""In how many simulations these intervals held the truth (`benchmarks/coverage_of_battles.py`)."""


class Units(NamedTuple):
    """Pairs of runs on topics that models, or agents, judged.

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


def corrected(units: Units, near: Fit | None = None, without: int = -1) -> Fit | None:
    """The fit to the corrected counts, without this topic; None where they determine no strengths.

    A fit that is `near` saves steps.
    """
    rows = units.topic != without
    here = rows & units.has_people
    if not here.any():
        return None
    apart = np.where(here[:, None], units.people - units.model, 0) * rows.sum() / here.sum()
    one, other, won = units.one[rows], units.other[rows], (units.model + apart)[rows]
    counts = Counts(units.runs, 1, 0 * one, one, other, won).over_topics()
    known = counts._replace(won=np.maximum(counts.won, 0))
    return fit(counts, position=False, near=near) if reach(known).finite.all() else None


def without_each_topic(units: Units, found: Fit) -> Iterator[FloatArray]:
    """What the strengths lose without each topic, float64 (runs,); nan without one that alone determines them."""
    for topic in range(units.topics):
        left = corrected(units, found, topic)
        yield found.strengths - (np.nan if left is None else left.strengths)


def estimates(units: Units, found: Fit, changes: FloatArray) -> list[Estimate]:
    """The strengths with their intervals, by what they lose without each topic, float64 (topics, runs)."""
    of_people = np.bincount(units.topic[units.has_people], minlength=units.topics).astype(np.float64)
    return list(map(jackknifed, found.strengths.tolist(), changes.T, repeat(of_people), repeat(HELD)))
