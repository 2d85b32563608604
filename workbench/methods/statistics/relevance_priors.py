"""How likely documents without a judgment are to be relevant, learned from those that have one.

A logistic regression with an effect of each topic and of each run: topics differ in how much of their pool is relevant,
and what a good run ranks high is more often relevant. Effects are taken to be normal around 0, and their spread is
estimated with them (Laplace's approximation). A draw takes coefficients and effects from their posterior before it
draws labels, so that what is not known of a topic moves all its documents together.

Source: the model is that of N. E. Breslow and D. G. Clayton, Journal of the American Statistical Association 88, 1993.
"""

from __future__ import annotations

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
"""So many numbers of the columns of runs are written out at a time."""


class Features(NamedTuple):
    """What is known of n documents.

    A document is in few of many runs, so their columns are kept without their zeros: in full, those of 1,000 runs on
    250 topics would take gigabytes.

    Attributes:
        own: float64 (n, F). Column 0 is 1.
        of_runs: a sparse array (n, R) with a column for each run: how high it has the document, 0 where it lacks it.
    """

    own: FloatArray
    of_runs: Any

    def rows(self, chosen: NDArray[np.bool_]) -> Features:
        """Those of some documents."""
        return Features(self.own[chosen], self.of_runs[np.flatnonzero(chosen)])

    @property
    def number(self) -> int:
        """How many columns there are, F + R."""
        return int(self.own.shape[1] + self.of_runs.shape[1])

    def weighed(self, value: FloatArray) -> FloatArray:
        """The sum of each document's features with these weights, float64 (n,)."""
        fixed = self.own.shape[1]
        return np.asarray(self.own @ value[:fixed] + self.of_runs @ value[fixed:], np.float64)

    def summed(self, weight: FloatArray) -> FloatArray:
        """The sum of each column over documents with these weights, float64 (F + R,)."""
        return np.concatenate([self.own.T @ weight, self.of_runs.T @ weight])

    def products(self, weight: FloatArray) -> FloatArray:
        """The weighted sum over documents of the product of each two columns, float64 (F + R, F + R)."""
        found, at_a_time = np.zeros((self.number, self.number)), max(1, CELLS // self.number)
        for start in range(0, len(weight), at_a_time):
            part = slice(start, start + at_a_time)
            whole = np.column_stack([self.own[part], self.of_runs[part].toarray()])
            found += whole.T @ (whole * weight[part, None])
        return found

    def by_topic(self, topic: IntArray, weight: FloatArray, topics: int) -> FloatArray:
        """The weighted sum of each column over the documents of each topic, float64 (F + R, T)."""
        from scipy.sparse import csr_array

        of_topic = csr_array((weight, (np.arange(len(topic)), topic)), shape=(len(topic), topics))
        of_runs = (self.of_runs.T @ of_topic).toarray()
        return np.concatenate([(of_topic.T @ self.own).T, of_runs])


class Priors(NamedTuple):
    """A fitted model of K = F + R features (the first is constant) and T topics.

    Attributes:
        centre, scale: float64 (F,). What the features that are not of runs are standardised by.
        mean: float64 (K + T,). The coefficients, and after them the effects of the topics.
        root: float64 (K + T, K + T). A root of their posterior covariance.
        spread: the standard deviation of the effects of topics.
        spread_of_runs: that of the coefficients of runs.
    """

    centre: FloatArray
    scale: FloatArray
    mean: FloatArray
    root: FloatArray
    spread: float
    spread_of_runs: float

    def probabilities(
        self, features: Features, topic: IntArray, rng: np.random.Generator | None = None
    ) -> FloatArray:
        """The probability of each document to be relevant, float64 (n,): by the mean, or by a draw of the posterior."""
        from scipy.special import expit

        value = self.mean if rng is None else self.mean + self.root @ rng.standard_normal(len(self.mean))
        number = features.number
        standard = features._replace(own=(features.own - self.centre) / self.scale)
        return np.asarray(expit(standard.weighed(value[:number]) + value[number:][topic]), np.float64)


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
    scale[0] = 1.0
    standard = features._replace(own=(features.own - centre) / scale)
    fixed, number = len(centre), features.number
    value, covariance = np.zeros(number + topics), np.eye(number + topics)
    there = number + np.unique(topic)
    spread, of_runs = 1.0, 1.0
    for _ in range(OUTER):
        precision = np.full(number + topics, spread**-2)
        precision[:number], precision[fixed:number] = RIDGE, of_runs**-2
        precision[0] = AVERAGE
        value, covariance = _newton(standard, topic, relevant, value, precision)
        before = spread, of_runs
        spread, of_runs = (_spread(value, covariance, at) for at in (there, np.arange(fixed, number)))
        if max(abs(spread - before[0]), abs(of_runs - before[1])) < CLOSE_SPREAD:
            break
    root = np.asarray(np.linalg.cholesky(covariance), np.float64)
    return Priors(centre, scale, value, root, spread, of_runs)


def _spread(value: FloatArray, covariance: FloatArray, places: IntArray) -> float:
    """The standard deviation of some effects, which are known as well as `covariance` says."""
    if not len(places):
        return 1.0
    squares = value[places] ** 2 + np.diag(covariance)[places]
    return max(float(np.sqrt(squares.mean())), LEAST_SPREAD)


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
