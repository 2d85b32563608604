"""Corrected gains: what a model says of every candidate, put right by what people say of a sample of them.

Of N candidates of a topic the model has found the gains f; people have found the gains y of a sample S, in which each
candidate had the chance π. The corrected gain of a candidate is

    e = λ f + [in S] (y - λ f) / π

which is y on average over the samples that could have been drawn, whatever the model said, if f and λ were fixed before
the topic's sample was judged. So every sum of gains times weights is estimated without bias by the same sum of e. With
λ = 1 it is the difference estimator, with λ = 0 that of Horvitz and Thompson, from people alone.

Source: Y. Tillé, Sampling and Estimation from Finite Populations, 2020 (difference estimator); A. Angelopoulos,
J. Duchi and T. Zrnic, PPI++: Efficient Prediction-Powered Inference, 2023 (λ, for samples of equal chances).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray
from workbench.methods.measures.judged import ratio
from workbench.methods.measures.sampled_rankings import SampledRankings, SampleLabels
from workbench.methods.measures.weighted import sampling_variance

GainOf = Callable[[NDArray[np.int16]], FloatArray]


class TwoLabels(NamedTuple):
    """People's grades of a sample, and a model's of the candidates.

    Attributes:
        people: the sample with people's grades; T topics, N cells.
        model: int16 (N). Below 0 where the model has no label, which then counts as a gain of 0.
    """

    people: SampleLabels
    model: NDArray[np.int16]

    def without(self, cells: NDArray[np.bool_]) -> TwoLabels:
        """The same with these of people's grades taken out, bool (N)."""
        grade = np.where(cells, np.int16(-1), self.people.grade).astype(np.int16)
        return self._replace(people=self.people.with_grades(grade))

    def model_gain(self, gain_of: GainOf) -> FloatArray:
        """f of each candidate, float64 (N)."""
        known = (self.model >= 0) & (self.people.stratum >= 0)
        return np.where(known, gain_of(np.maximum(self.model, 0).astype(np.int16)), 0.0)

    def corrected(self, gain_of: GainOf, trust: FloatArray) -> FloatArray:
        """e of each candidate, float64 (N); `trust` is λ of each topic, float64 (T)."""
        people = self.people
        judged = people.grade >= 0
        scaled = np.repeat(trust, np.diff(people.topic_start)) * self.model_gain(gain_of)
        known = gain_of(np.maximum(people.grade, 0).astype(np.int16))
        left = np.where(judged, ratio(known - scaled, people.chance), 0.0)
        return scaled + left


class Spread(NamedTuple):
    """Variances over the samples that could have been drawn, as estimated, of a weighted sum in R rows of T topics.

    Attributes:
        people: float64 (T, R / T). Of the estimate from people alone, Σ a y / π.
        model: the same of Σ a f / π.
        both: the covariance of the two.
    """

    people: FloatArray
    model: FloatArray
    both: FloatArray

    def corrected(self, trust: FloatArray) -> FloatArray:
        """The variance of the corrected estimate by λ of each topic, float64 (T): V(y) - 2 λ C(y, f) + λ^2 V(f)."""
        of = trust[:, None]
        return np.maximum(self.people - 2 * of * self.both + of**2 * self.model, 0.0)


def spread_of(sampled: SampledRankings, labels: TwoLabels, weight: FloatArray, gain_of: GainOf) -> Spread:
    """The variances by the design, for rows that are a grid of topics by runs; `weight`, float64 (M), of each entry."""
    shape = (len(labels.people), -1)
    known = weight * gain_of(np.maximum(sampled.grade, 0).astype(np.int16))
    said = weight * labels.model_gain(gain_of)[sampled.cell]
    people, model, apart = (
        sampling_variance(sampled, part).reshape(shape) for part in (known, said, known - said)
    )
    return Spread(people, model, (people + model - apart) / 2)


def trust_by_topic(spread: Spread) -> FloatArray:
    """λ of each topic as the other topics would have it, from 0 to 1, float64 (T).

    It is the one by which the variances of all rows of the other topics together would be least. The topic's own sample
    has no part in it, so that the topic's estimate stays unbiased. 0 is people alone: with many topics the sum of the
    variances is never above theirs. Of one topic alone λ is 1.

    Formula: λ_t = min(1, max(0, Σ_{u ≠ t} C_u(y, f) / Σ_{u ≠ t} V_u(f)))

    Of a simple random sample that is λ of PPI++ for N candidates with the sample among them.
    """
    if len(spread.both) == 1:
        return np.ones(1)
    both, model = (each.sum() - each.sum(axis=1) for each in (spread.both, spread.model))
    return np.clip(ratio(both, np.where(model > 1e-12, model, 0.0)), 0.0, 1.0)
