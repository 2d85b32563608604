"""The Bradley-Terry model with ties (Davidson) and a position effect, fitted by Newton's method.

With strengths a (log-odds), position effect g and tie effect t, and d = a_left - a_right + g:

    P(left) = e^(d/2) / S    P(right) = e^(-d/2) / S    P(tie) = e^t / S    S = e^(d/2) + e^(-d/2) + e^t

which is pi_left / (pi_left + pi_right + nu sqrt(pi_left pi_right)) with pi = e^a, nu = e^t, and the left one's pi
multiplied by e^g. Without ties it is the model of Bradley and Terry.

Sources: R. A. Bradley and M. E. Terry, Biometrika 39, 1952; R. R. Davidson, JASA 65, 1970; with an effect of the order
R. R. Davidson and R. J. Beaver, Biometrics 33, 1977 (their nu is ours times e^(g/2)).
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.methods.battles.counts import Counts
from workbench.methods.statistics.arrays import FloatArray

MOST_STEPS = 100
LARGEST = 25.0
"""No log-odds of a pair that met grow beyond this, unless without end: 1 win against e^25 losses."""
CLOSE, NEARLY = 1e-10, 1e-6
"""A step of less ends the search; where rounding keeps steps above the one, less than the other is enough."""

NO_SIDES = "no pair of runs was shown on both sides, so that strength and position cannot be told apart"
ONE_SIDE = "it has no finite value: strengths and the side explain every win"


class Fit(NamedTuple):
    """The model at its largest likelihood.

    Attributes:
        strengths: log-odds with mean 0, float64 (runs,).
        position: log-odds of the left side among equals; None where it is left out.
        ties: the logarithm of nu; None without ties.
        no_position: why the position effect was left out; "" where it is in, or was not wanted.
    """

    strengths: FloatArray
    position: float | None
    ties: float | None
    no_position: str = ""


def fit(counts: Counts, *, position: bool = True, near: Fit | None = None) -> Fit | None:
    """Fit battles between runs that `counts.reach` calls finite; with a position effect, where it has a value.

    None where no strengths are the likeliest ones: all battles are ties, or ties are all that connects the runs. A fit
    that is `near`, of as many parameters, saves steps.
    """
    reason, counts = "", counts.over_topics()
    if position:
        model = _Model(counts, position=True)
        reason = ONE_SIDE if model.is_determined else NO_SIDES
        found = model.largest() if model.is_determined else None
        if found is not None:
            return model.fit(found)
    model = _Model(counts, position=False)
    found = model.largest(near)
    return None if found is None else model.fit(found)._replace(no_position=reason)


def by_topic(counts: Counts, found: Fit) -> FloatArray:
    """What the strengths, and then the position effect, lose without each topic, float64 (topics, runs + 1).

    By one step of Newton's method from the fit to all topics, (H - H_t)^-1 s_t with the information H and the score
    s_t. A topic without which they are not determined has nan.
    """
    return _Model(counts, position=found.position is not None).without_topics(found)


def covariance(counts: Counts, found: Fit) -> FloatArray:
    """The covariance of strengths less that of the first run, by the information, float64 (runs, runs).

    For battles that do not depend on each other; those of topics do (`by_topic`).
    """
    return _Model(counts.over_topics(), position=found.position is not None).covariance(found)


def _parameters(found: Fit) -> FloatArray:
    others = [each for each in (found.position, found.ties) if each is not None]
    return np.hstack([found.strengths[1:] - found.strengths[0], others])


class _Model:
    """The likelihood of counts as a function of the parameters: a of all runs but the first, g, t."""

    def __init__(self, counts: Counts, *, position: bool) -> None:
        rows, runs = len(counts.topic), counts.runs
        x = np.zeros((rows, runs + position))
        x[np.arange(rows), counts.left] += 1
        x[np.arange(rows), counts.right] -= 1
        if position:
            x[:, -1] = 1
        self.counts, self.x, self.position = counts, x[:, 1:], position
        self.total, self.ties = counts.total, counts.ties
        self.lead = (counts.left_wins - counts.right_wins) / 2
        self.has_ties = bool(counts.ties.sum() > 0)

    @property
    def is_determined(self) -> bool:
        """Whether no parameter can be had from the others."""
        return bool(np.linalg.matrix_rank(self.x) == self.x.shape[1])

    def largest(self, near: Fit | None = None) -> FloatArray | None:
        """The parameters of the largest likelihood; None where they grow without end."""
        parameters: FloatArray = np.zeros(self.x.shape[1] + self.has_ties)
        if near is not None and len(_parameters(near)) == len(parameters):
            parameters = _parameters(near)
        value = self._value(parameters)
        for _ in range(MOST_STEPS):
            score, information = self._derivatives(parameters)
            step = np.linalg.lstsq(information, score, rcond=None)[0]
            while (higher := self._value(parameters + step)) < value - CLOSE and np.abs(step).max() > CLOSE:
                step = step / 2
            parameters, value = parameters + step, higher
            if max(np.abs(self._odds(parameters)).max(), abs(self._nu(parameters))) > LARGEST:
                return None
            if np.abs(step).max() < CLOSE:
                break
        return parameters if np.abs(step).max() < NEARLY else None

    def _odds(self, parameters: FloatArray) -> FloatArray:
        return np.asarray(self.x @ parameters[: self.x.shape[1]], np.float64)

    def _nu(self, parameters: FloatArray) -> float:
        return float(parameters[-1]) if self.has_ties else 0.0

    def _shares(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray, FloatArray]:
        half = self._odds(parameters) / 2
        tie = np.full_like(half, self._nu(parameters) if self.has_ties else -np.inf)
        most = np.maximum(np.abs(half), tie)
        left, right, tied = (np.exp(each - most) for each in (half, -half, tie))
        all_ = left + right + tied
        return left / all_, right / all_, tied / all_, np.log(all_) + most

    def _value(self, parameters: FloatArray) -> float:
        log_sum = self._shares(parameters)[3]
        value = self.lead @ self._odds(parameters) - self.total @ log_sum
        return float(value + self._nu(parameters) * self.ties.sum())

    def _residuals(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        left, right, tied, _ = self._shares(parameters)
        return self.lead - self.total * (left - right) / 2, self.ties - self.total * tied

    def _weights(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
        left, right, tied, _ = self._shares(parameters)
        lead = (left - right) / 2
        spread = (left + right) / 4 - lead**2
        return self.total * spread, -self.total * lead * tied, self.total * tied * (1 - tied)

    def _derivatives(self, parameters: FloatArray) -> tuple[FloatArray, FloatArray]:
        of_odds, of_ties = self._residuals(parameters)
        score = [self.x.T @ of_odds, *([of_ties.sum()] if self.has_ties else [])]
        return np.hstack(score), self._information(self._weights(parameters), slice(None))

    def _information(self, weights: tuple[FloatArray, FloatArray, FloatArray], rows: slice) -> FloatArray:
        x, (odds, both, ties) = self.x[rows], (each[rows] for each in weights)
        inner = x.T @ (odds[:, None] * x)
        if not self.has_ties:
            return np.asarray(inner, np.float64)
        side = x.T @ both
        return np.block([[inner, side[:, None]], [side[None, :], np.array([[ties.sum()]])]])

    def fit(self, parameters: FloatArray) -> Fit:
        """The fit at these parameters."""
        position = float(parameters[self.counts.runs - 1]) if self.position else None
        return Fit(self._strengths(parameters), position, float(parameters[-1]) if self.has_ties else None)

    def _strengths(self, parameters: FloatArray) -> FloatArray:
        a = np.concatenate([[0.0], parameters[: self.counts.runs - 1]])
        return np.asarray(a - a.mean(), np.float64)

    def covariance(self, at: Fit) -> FloatArray:
        """As `covariance`."""
        information = self._information(self._weights(_parameters(at)), slice(None))
        found, others = np.zeros((self.counts.runs, self.counts.runs)), self.counts.runs - 1
        found[1:, 1:] = np.linalg.inv(information)[:others, :others]
        return found

    def without_topics(self, at: Fit) -> FloatArray:
        """As `by_topic`."""
        parameters = _parameters(at)
        counts, weights = self.counts, self._weights(parameters)
        of_odds, of_ties = self._residuals(parameters)
        whole = self._information(weights, slice(None))
        ends = np.searchsorted(counts.topic, np.arange(counts.topics + 1)).tolist()
        found = np.zeros((counts.topics, counts.runs + 1))
        for topic, (start, end) in enumerate(pairwise(ends)):
            rows = slice(start, end)
            score = [self.x[rows].T @ of_odds[rows], *([of_ties[rows].sum()] if self.has_ties else [])]
            change = _solved(whole, self._information(weights, rows), np.hstack(score))
            found[topic, :-1] = self._strengths(change)
            found[topic, -1] = change[counts.runs - 1] if self.position else 0.0
        return found


SINGULAR = 1e-6
"""The share of the information on something below which the rest of the topics does not determine it."""


def _solved(whole: FloatArray, part: FloatArray, score: FloatArray) -> FloatArray:
    """(whole - part)^-1 score; nan where the whole without the part is singular."""
    root = np.linalg.cholesky(whole)
    inverse = np.linalg.inv(root)
    left = np.eye(len(whole)) - inverse @ part @ inverse.T
    values, vectors = np.linalg.eigh(left)
    if values[0] < SINGULAR:
        return np.full(len(score), np.nan)
    return np.asarray(inverse.T @ (vectors @ ((vectors.T @ (inverse @ score)) / values)), np.float64)
