"""How likely documents without a judgment are to be relevant, learned from those that have one.

A logistic regression with an effect of each topic and of each run: topics differ in how much of their pool is relevant,
and what a good run ranks high is more often relevant. Further groups of columns let the curves over ranks bend. Effects
are taken to be normal around 0, each group with a spread that is estimated with it (Laplace's approximation). A draw
takes coefficients and effects from their posterior before it draws labels, so that what is not known of a topic moves
all its documents together, and what is not known of a rank at which nothing is judged all documents of that rank.

Source: the model is that of N. E. Breslow and D. G. Clayton, Journal of the American Statistical Association 88, 1993.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray

RIDGE = 0.1
"""The precision of the normal prior of each coefficient; features are standardised."""

AVERAGE = 1e-3
"""The same of how dense pools are on average, of which nothing is known beforehand."""

NEWTON, CLOSE = 30, 1e-6
OUTER, CLOSE_SPREAD = 12, 1e-2
LEAST_SPREAD = 0.05

CELLS = 4_000_000
"""This many numbers of the columns of runs are written out at a time."""


class Features(NamedTuple):
    """What is known of n documents.

    A document is in few of many runs, so their columns are kept without their zeros: in full, those of 1,000 runs on
    250 topics would take gigabytes.

    Attributes:
        own: float64 (n, F). Column 0 is 1.
        of_runs: a sparse array (n, R) with a column for each run: how high it has the document, 0 where it lacks it.
        bends: further groups of columns, sparse (n, B), whose coefficients have a spread in common.
    """

    own: FloatArray
    of_runs: Any
    bends: tuple[Any, ...] = ()

    @property
    def groups(self) -> tuple[Any, ...]:
        """All groups of columns whose coefficients have a spread in common."""
        return self.of_runs, *self.bends

    def rows(self, chosen: NDArray[np.bool_]) -> Features:
        """Those of some documents."""
        places = np.flatnonzero(chosen)
        return Features(self.own[chosen], self.of_runs[places], tuple(each[places] for each in self.bends))

    def by_rank_alone(self) -> Features:
        """The constant and the first of their own columns alone."""
        return Features(self.own[:, :2], self.of_runs[:, :0])

    @property
    def number(self) -> int:
        """How many columns there are, K = F + R and those of the bends."""
        return int(self.own.shape[1] + sum(each.shape[1] for each in self.groups))

    @property
    def places(self) -> list[slice]:
        """Where each group is among the columns."""
        ends = np.cumsum([self.own.shape[1], *(each.shape[1] for each in self.groups)]).tolist()
        return [slice(start, end) for start, end in pairwise(ends)]

    def weighed(self, value: FloatArray) -> FloatArray:
        """The sum of each document's features with these weights, float64 (n,)."""
        found = self.own @ value[: self.own.shape[1]]
        for group, place in zip(self.groups, self.places, strict=True):
            found = found + group @ value[place]
        return np.asarray(found, np.float64)

    def summed(self, weight: FloatArray) -> FloatArray:
        """The sum of each column over documents with these weights, float64 (K,)."""
        return np.concatenate([self.own.T @ weight, *(group.T @ weight for group in self.groups)])

    def products(self, weight: FloatArray) -> FloatArray:
        """The weighted sum over documents of the product of each two columns, float64 (K, K)."""
        found, at_a_time = np.zeros((self.number, self.number)), max(1, CELLS // self.number)
        for start in range(0, len(weight), at_a_time):
            part = slice(start, start + at_a_time)
            whole = np.column_stack([self.own[part], *(group[part].toarray() for group in self.groups)])
            found += whole.T @ (whole * weight[part, None])
        return found

    def by_topic(self, topic: IntArray, weight: FloatArray, topics: int) -> FloatArray:
        """The weighted sum of each column over the documents of each topic, float64 (K, T)."""
        from scipy.sparse import csr_array

        of_topic = csr_array((weight, (np.arange(len(topic)), topic)), shape=(len(topic), topics))
        of_groups = [(group.T @ of_topic).toarray() for group in self.groups]
        return np.concatenate([(of_topic.T @ self.own).T, *of_groups])


class Priors(NamedTuple):
    """A fitted model of K columns of features (the first is constant) and T topics.

    Attributes:
        centre, scale: float64 (F,). What the features that are not of runs are standardised by.
        mean: float64 (K + T,). The coefficients, and after them the effects of the topics.
        root: float64 (K + T, K + T). A root of their posterior covariance.
        spread: the standard deviation of the effects of topics.
        spreads: that of the coefficients of each group, runs first.
    """

    centre: FloatArray
    scale: FloatArray
    mean: FloatArray
    root: FloatArray
    spread: float
    spreads: tuple[float, ...]

    def probabilities(
        self, features: Features, topic: IntArray, rng: np.random.Generator | None = None
    ) -> FloatArray:
        """The probability of each document to be relevant, float64 (n,): by the mean, or by a draw of the posterior."""
        from scipy.special import expit

        return np.asarray(expit(self.logits(features, topic, self.mean if rng is None else self.drawn(rng))))

    def drawn(self, rng: np.random.Generator) -> FloatArray:
        """Coefficients and effects, float64 (K + T,), drawn from their posterior."""
        return np.asarray(self.mean + self.root @ rng.standard_normal(len(self.mean)), np.float64)

    def logits(self, features: Features, topic: IntArray, value: FloatArray) -> FloatArray:
        """The log odds of each document to be relevant, float64 (n,), with these coefficients and effects."""
        number = features.number
        standard = features._replace(own=(features.own - self.centre) / self.scale)
        return standard.weighed(value[:number]) + value[number:][topic]


def fit_priors(features: Features, topic: IntArray, relevant: NDArray[np.bool_], topics: int) -> Priors:
    """Fit the model to judged documents.

    Args:
        features: of n documents.
        topic: int64 (n,). The topic of each document, from 0.
        relevant: bool (n,).
        topics: T; those without a judged document get the effect 0 and the whole spread.
    """
    centre, scale = features.own.mean(axis=0), features.own.std(axis=0)
    centre[0], scale[scale == 0] = 0.0, 1.0
    standard = features._replace(own=(features.own - centre) / scale)
    number, places = features.number, features.places
    value, covariance = np.zeros(number + topics), np.eye(number + topics)
    there = number + np.unique(topic)
    spread, spreads = 1.0, [1.0] * len(places)
    for _ in range(OUTER):
        precision = np.full(number + topics, spread**-2)
        precision[:number], precision[0] = RIDGE, AVERAGE
        for place, each in zip(places, spreads, strict=True):
            precision[place] = each**-2
        value, covariance = _newton(standard, topic, relevant, value, precision)
        before = spread, *spreads
        spread = _spread(value, covariance, there)
        spreads = [_spread(value, covariance, place) for place in places]
        if max(abs(now - then) for now, then in zip((spread, *spreads), before, strict=True)) < CLOSE_SPREAD:
            break
    root = np.asarray(np.linalg.cholesky(covariance), np.float64)
    return Priors(centre, scale, value, root, spread, tuple(spreads))


def _spread(value: FloatArray, covariance: FloatArray, places: IntArray | slice) -> float:
    """The standard deviation of some effects, which are known as well as `covariance` says."""
    squares = value[places] ** 2 + np.diag(covariance)[places]
    return max(float(np.sqrt(squares.mean())), LEAST_SPREAD) if len(squares) else 1.0


def _newton(
    features: Features,
    topic: IntArray,
    relevant: NDArray[np.bool_],
    value: FloatArray,
    precision: FloatArray,
) -> tuple[FloatArray, FloatArray]:
    """The most probable values, and the inverse of the curvature there."""
    from scipy.special import expit

    number = features.number
    for _ in range(NEWTON):
        p = expit(features.weighed(value[:number]) + value[number:][topic])
        rest = relevant - p
        weight = np.maximum(p * (1 - p), 1e-9)
        of_topics = np.bincount(topic, rest, minlength=len(value) - number)
        gradient = np.r_[features.summed(rest), of_topics] - precision * value
        curvature = _curvature(features, topic, weight, precision)
        step = np.linalg.solve(curvature, gradient)
        # A long step may overshoot where a topic has only one kind of label.
        value = value + step * min(1.0, 5.0 / max(float(np.abs(step).max()), 1e-12))
        if np.abs(step).max() < CLOSE:
            break
    return value, np.asarray(np.linalg.inv(curvature), np.float64)


def _curvature(features: Features, topic: IntArray, weight: FloatArray, precision: FloatArray) -> FloatArray:
    number, size = features.number, len(precision)
    curvature = np.diag(precision)
    curvature[:number, :number] += features.products(weight)
    across = features.by_topic(topic, weight, size - number)
    curvature[:number, number:] += across
    curvature[number:, :number] += across.T
    places = np.arange(number, size)
    curvature[places, places] += np.bincount(topic, weight, minlength=size - number)
    return curvature
