"""Estimates of measures from corrected gains: sums without bias, and ratios of them, which are right with many labels.

P, RBP, DCG and CG are sums over documents of gain times the weight of the rank. nDCG and AP divide two estimates; what
that adds on average shrinks with the number of judged documents, and most of it is taken off by a jackknife.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.corrected.labels import GainOf, Spread, TwoLabels, spread_of
from workbench.methods.measures.additive import ADDITIVE
from workbench.methods.measures.gains import GradeArray, grades_between
from workbench.methods.measures.judged import ratio
from workbench.methods.measures.parameters import MODIFIERS
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.measures.sampled_rankings import SampledRankings

GROUPS = 10
"""The judged documents of a topic are left out in this many groups, one after the other."""

MOST_BIAS = 0.1
"""No more is taken off a topic's value: of few judged documents the jackknife can be far off."""

RATIOS = ("nDCG", "AP")


class Estimates(NamedTuple):
    """The estimate of each row, the bias that was taken off it, and its variance by the design; all float64 (R)."""

    value: FloatArray
    taken_off: FloatArray
    variance: FloatArray


class Estimator(NamedTuple):
    """How a measure is estimated.

    Attributes:
        measure: with its parameters.
        weight: float64 (ranks + 2). Of rank 0, 1 ... in the sum; 0 below the last.
        gain_of: of grades.
        grades: those of the scale from 0 on, int16.
        whole: for a ratio, what its sum is divided by or made of; None for a sum.
    """

    measure: BoundMeasure
    weight: FloatArray
    gain_of: GainOf
    grades: GradeArray
    whole: Callable[[SampledRankings, TwoLabels, FloatArray, Estimator], FloatArray] | None

    @property
    def is_unbiased(self) -> bool:
        """Whether it is right on average whatever the model said; else it is right with many judged documents."""
        return self.whole is None

    def weights(self, sampled: SampledRankings) -> FloatArray:
        """The weight of each candidate in its row, float64 (M)."""
        return self.weight[np.minimum(sampled.rank, len(self.weight) - 1)]

    def spread(self, sampled: SampledRankings, labels: TwoLabels) -> Spread:
        """The variances of its sum by the design of the sample; of rows that are a grid of topics by runs."""
        return spread_of(sampled, labels, self.weights(sampled), self.gain_of)

    def effective_chance(self, sampled: SampledRankings, labels: TwoLabels) -> float:
        """The chance of an even sample of the same precision, if all candidates were as unsure: Σ a^2 / Σ (a^2 / π)."""
        squares, chance = self.weights(sampled) ** 2, labels.people.chance[sampled.cell]
        needed = ratio(squares, chance).sum()
        return float(squares[chance > 0].sum() / needed) if needed else 1.0

    def estimates(
        self, sampled: SampledRankings, labels: TwoLabels, trust: FloatArray, spread: Spread
    ) -> Estimates:
        """The estimate of each row with λ of each topic, float64 (T); `spread` is that of the same rows."""
        value = self._value(sampled, labels, trust)
        if self.whole is None:
            return Estimates(value, np.zeros(len(value)), spread.corrected(trust).ravel())
        bias, variance = self._jackknifed(sampled, labels, trust, value)
        return Estimates(value - bias, bias, variance)

    def by_model_alone(self, sampled: SampledRankings, labels: TwoLabels) -> FloatArray:
        """The value of each row by the model's labels, whatever people said, float64 (R)."""
        unjudged = labels.without(np.ones(len(labels.model), np.bool_))
        return self._value(sampled, unjudged, np.ones(len(labels.people)))

    def _value(self, sampled: SampledRankings, labels: TwoLabels, trust: FloatArray) -> FloatArray:
        if self.whole is not None:
            return self.whole(sampled, labels, trust, self)
        gain = labels.corrected(self.gain_of, trust)[sampled.cell]
        return _sums(sampled, self.weights(sampled) * gain)

    def _jackknifed(
        self, sampled: SampledRankings, labels: TwoLabels, trust: FloatArray, value: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """The bias and the variance of a ratio, both float64 (R), by a jackknife over groups of judged documents.

        Formula: (1 - n / N) (G - 1) (m - v), at most MOST_BIAS, and (1 - n / N) (G - 1) / G Σ_g (v_g - m)^2 for n
        judged of N candidates, where v_g is the value without group g, and m the mean of these

        Source: M. Quenouille, Biometrika 43 (1956); J. Tukey, The Annals of Mathematical Statistics 29 (1958); the
        factor 1 - n / N is of samples without replacement.
        """
        group, topics = _groups(labels), len(labels.people)
        total, squares, number = np.zeros(len(value)), np.zeros(len(value)), np.zeros(topics)
        topic_of = np.repeat(np.arange(topics), np.diff(labels.people.topic_start))
        for one in range(GROUPS):
            there = np.bincount(topic_of[group == one], minlength=topics) > 0
            if there.any():
                without = np.where(
                    there[sampled.topic], self._value(sampled, labels.without(group == one), trust), 0.0
                )
                total, squares, number = total + without, squares + without**2, number + there
        open_ = np.bincount(topic_of[group >= 0], minlength=topics)
        left = (1.0 - ratio(open_, labels.people.size.sum(axis=1)))[sampled.topic]
        count = number[sampled.topic]
        mean = ratio(total, count)
        bias = np.clip(left * (count - 1) * (mean - value), -MOST_BIAS, MOST_BIAS)
        variance = left * ratio(count - 1, count) * np.maximum(squares - total * mean, 0.0)
        return np.where(count > 1, bias, 0.0), np.where(count > 1, variance, 0.0)


def estimator_of(measure: BoundMeasure, *, ranks: int, top_grade: int) -> Estimator:
    """How a measure is estimated, for rankings of at most `ranks` ranks and grades up to `top_grade`.

    UnknownName where it is neither a sum over documents nor nDCG or AP, or is modified.
    """
    grades = grades_between(0, top_grade)
    sum_of = "DCG" if measure.name == "nDCG" else measure.name
    if any(name in MODIFIERS for name, _ in measure.values) or sum_of not in {*ADDITIVE, "AP"}:
        known = ", ".join(sorted({*ADDITIVE, *RATIOS}))
        raise UnknownName(
            f"{measure} cannot be corrected by people's labels of a sample; choose one of {known}"
        )
    if measure.name == "AP":
        depth = ranks if measure.parameters["cutoff"] is None else min(ranks, measure.parameters["cutoff"])
        weight = np.concatenate([[0.0], 1.0 / np.arange(1, depth + 1), [0.0]])
        rel = measure.rel
        return Estimator(measure, weight, lambda grade: (grade >= rel).astype(np.float64), grades, _precision)
    form = ADDITIVE[sum_of](ranks=ranks, grades=grades, **measure.parameters)
    weight = np.concatenate([[0.0], form.weight, [0.0]])
    return Estimator(measure, weight, form.gain_of, grades, _normalised if measure.name == "nDCG" else None)


def _normalised(sampled: SampledRankings, labels: TwoLabels, trust: FloatArray, by: Estimator) -> FloatArray:
    """nDCG: the corrected DCG over that of the best order of as many documents of each grade as are estimated.

    Of a grade there are at least as many as people found; a part of a document has that part of its rank's weight. The
    best order has at least one document, of the lowest grade that is worth something.
    """
    gain = labels.corrected(by.gain_of, trust)[sampled.cell]
    upto = np.concatenate([by.weight[:-1].cumsum(), by.weight[:-1].sum(keepdims=True)])
    best, before = np.zeros(len(labels.people)), np.zeros(len(labels.people))
    worths = by.gain_of(by.grades)
    for at in np.argsort(-worths, kind="stable").tolist():
        if worths[at] <= 0:
            continue
        grade = by.grades[at]
        number = _totals(labels, labels.corrected(_is(grade), trust))
        found = labels.people.totals(labels.people.grade == grade).sum(axis=1)
        after = before + np.maximum(number, found)
        best += worths[at] * (_at(upto, after) - _at(upto, before))
        before = after
    least = by.weight[1] * worths[worths > 0].min(initial=np.inf)
    return ratio(_sums(sampled, by.weights(sampled) * gain), np.maximum(best, least)[sampled.topic])


def _precision(sampled: SampledRankings, labels: TwoLabels, trust: FloatArray, by: Estimator) -> FloatArray:
    """AP: Σ e_i (1 + Σ_{j above i} e_j) / rank_i over Σ e, at least 1 and as many as people found.

    With people alone it is statAP.
    """
    corrected = labels.corrected(by.gain_of, trust)
    gain = corrected[sampled.cell]
    found = labels.people.totals(by.gain_of(labels.people.grade) > 0).sum(axis=1)
    number = np.maximum(_totals(labels, corrected), found)
    return ratio(
        _sums(sampled, by.weights(sampled) * gain * (1.0 + sampled.above(gain))), number[sampled.topic]
    )


def _groups(labels: TwoLabels) -> IntArray:
    """The group of each judged document that may be left out, int64 (N), else -1.

    Those of a stratum are dealt out one by one; the only judged one of a stratum, and what was certain, stay.
    """
    people = labels.people
    topic = np.repeat(np.arange(len(people)), np.diff(people.topic_start))
    open_ = (people.grade >= 0) & (people.chance < 1)
    several = people.totals(open_)[topic, np.maximum(people.stratum, 0)] > 1
    cells = np.flatnonzero(open_ & several)
    cells = cells[np.lexsort((people.stratum[cells], topic[cells]))]
    starts = np.searchsorted(topic[cells], np.arange(len(people)))
    group = np.full(len(open_), -1, np.int64)
    group[cells] = (np.arange(len(cells)) - starts[topic[cells]]) % GROUPS
    return group


def _is(grade: int) -> GainOf:
    return lambda given: (given == grade).astype(np.float64)


def _totals(labels: TwoLabels, value: FloatArray) -> FloatArray:
    """The sum of a value over the candidates of each topic, float64 (T)."""
    whole: FloatArray = labels.people.totals(labels.people.stratum >= 0, value).sum(axis=1)
    return whole


def _sums(sampled: SampledRankings, value: FloatArray) -> FloatArray:
    return np.bincount(sampled.row, value, minlength=len(sampled)).astype(np.float64)


def _at(upto: FloatArray, number: FloatArray) -> FloatArray:
    """The weight of the first so many ranks, also of a part of one."""
    return np.asarray(np.interp(number, np.arange(len(upto)), upto), np.float64)
