"""The Bradley-Terry model with ties (Davidson) and a position effect, fitted by Newton's method.

With strengths a (log-odds), position effect g and tie effect t, and d = a_left - a_right + g:

    P(left) = e^(d/2) / S    P(right) = e^(-d/2) / S    P(tie) = e^t / S    S = e^(d/2) + e^(-d/2) + e^t

which is pi_left / (pi_left + pi_right + nu sqrt(pi_left pi_right)) with pi = e^a, nu = e^t, and the left one's pi
multiplied by e^g. Without ties it is the model of Bradley and Terry.

Sources: R. A. Bradley and M. E. Terry, Biometrika 39, 1952; R. R. Davidson, JASA 65, 1970; with an effect of the order
R. R. Davidson and R. J. Beaver, Biometrics 33, 1977 (their nu is ours times e^(g/2)).
"""

from __future__ import annotations

from collections.abc import Iterator
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
SLOPES = np.array([[0.5, -0.5, 0.5, 0.0], [-0.5, 0.5, -0.5, 0.0], [0.0, 0.0, 0.0, 1.0]])
"""How left, right and tie depend on a_left, a_right, g and t."""
SINGULAR = 1e-6
"""The share of the information on something below which the rest of the topics does not determine it."""


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

    @property
    def parameters(self) -> FloatArray:
        """The strengths, and then the effects that are in, float64 (parameters,)."""
        return np.hstack([self.strengths, *(each for each in self[1:3] if each is not None)])


def fit(counts: Counts, *, position: bool = True, near: Fit | None = None) -> Fit | None:
    """Fit battles between runs that `counts.reach` calls finite; with a position effect, where it has a value.

    None where no strengths are the likeliest ones: all battles are ties, or ties are all that connects the runs. A fit
    that is `near`, of as many parameters, saves steps.
    """
    reason, counts = "", counts.over_topics()
    ties = bool(counts.won[:, 2].sum() > 0)
    if position:
        model = _Model(counts, position=True, ties=ties)
        reason = ONE_SIDE if model.is_determined else NO_SIDES
        found = model.largest() if model.is_determined else None
        if found is not None:
            return found
    found = _Model(counts, position=False, ties=ties).largest(near)
    return found if found is None else found._replace(no_position=reason)


def without_each_topic(counts: Counts, found: Fit) -> Iterator[FloatArray]:
    """What the parameters lose without each topic, float64 (parameters,); nan without one that alone determines some.

    By one step of Newton's method from the fit to all topics, (H - H_t)^-1 s_t with the information H and the score
    s_t. A topic has rows and columns of H_t for its own runs alone, so this is H^-1 (s_t + H_t L (I - L' H_t L)^-1 L'
    s_t) with the part L L' of H^-1 that is theirs.

    Source: M. A. Woodbury, Inverting modified matrices, Princeton, 1950.
    """
    spread, at = covariance(counts, found), found.parameters
    for topic in range(counts.topics):
        here, runs = counts.of_topic(topic)
        own = np.hstack([runs, np.arange(counts.runs, len(at))])
        score, information = _Model.like(here, found).derivatives(at[own])
        root = np.linalg.cholesky(spread[np.ix_(own, own)])
        left = np.eye(len(own)) - root.T @ information @ root
        try:
            np.linalg.cholesky(left - SINGULAR * np.eye(len(own)))
        except np.linalg.LinAlgError:
            yield np.full(len(at), np.nan)
            continue
        yield spread[:, own] @ (score + information @ root @ np.linalg.solve(left, root.T @ score))


def covariance(counts: Counts, found: Fit) -> FloatArray:
    """The covariance of the parameters where the mean of the strengths is known, float64 (parameters, parameters).

    Up to the same number for all strengths, which their differences do not have; for battles that do not depend on each
    other, but those of topics do (`without_each_topic`).
    """
    information = _Model.like(counts.over_topics(), found).derivatives(found.parameters)[1]
    return np.asarray(np.linalg.inv(_with_mean(information, counts.runs)), np.float64)


def _with_mean(information: FloatArray, runs: int) -> FloatArray:
    """The information, and some on the mean of the strengths, of which battles have none: so it can be inverted."""
    return information + np.pad(np.ones((runs, runs)), (0, len(information) - runs))


class _Model:
    """The likelihood of counts as a function of the parameters: a of all runs, g, t.

    The logarithms of what the outcomes of a row weigh, d/2, -d/2 and t, are linear in four parameters at most: `places`
    says in which, int64 (rows, n), and `slopes` how, float64 (outcomes, n).
    """

    def __init__(self, counts: Counts, *, position: bool, ties: bool) -> None:
        runs, used = counts.runs, np.array([True, True, position, ties])
        places = np.broadcast_arrays(counts.left, counts.right, runs, runs + position)
        self.runs, self.ties, self.position = runs, ties, position
        self.places, self.number = np.stack(places, axis=1)[:, used], runs + position + ties
        self.slopes = SLOPES[: 2 + ties, used]
        self.won = counts.won[:, : 2 + ties]
        self.total = counts.won.sum(axis=1, keepdims=True)

    @classmethod
    def like(cls, counts: Counts, found: Fit) -> _Model:
        """The model with the effects of a fit."""
        return cls(counts, position=found.position is not None, ties=found.ties is not None)

    @property
    def is_determined(self) -> bool:
        """Whether no parameter can be had from the others, but for the mean of the strengths."""
        along, linear = np.outer(self.slopes[0], self.slopes[0]), self.number - self.ties
        found = self._sums(along[None].repeat(len(self.places), axis=0))[:linear, :linear]
        return bool(np.linalg.matrix_rank(found, hermitian=True) == linear - 1)

    def largest(self, near: Fit | None = None) -> Fit | None:
        """The fit of the largest likelihood; None where parameters grow without end."""
        is_near = near is not None and len(near.parameters) == self.number
        at: FloatArray = near.parameters if near and is_near else np.zeros(self.number)
        value = self._value(at)
        for _ in range(MOST_STEPS):
            score, information = self.derivatives(at)
            try:
                step = np.linalg.solve(_with_mean(information, self.runs), score)
            except np.linalg.LinAlgError:
                return None
            while (higher := self._value(at + step)) < value - CLOSE and np.abs(step).max() > CLOSE:
                step = step / 2
            at, value = at + step, higher
            logs = self._logs(at)
            if max(np.abs(logs[:, 0] - logs[:, 1]).max(), np.abs(at[-1]) if self.ties else 0) > LARGEST:
                return None
            if np.abs(step).max() < CLOSE:
                break
        if np.abs(step).max() >= NEARLY:
            return None
        position = float(at[self.runs]) if self.position else None
        return Fit(at[: self.runs], position, float(at[-1]) if self.ties else None)

    def _logs(self, at: FloatArray) -> FloatArray:
        return np.asarray(at[self.places] @ self.slopes.T, np.float64)

    def _value(self, at: FloatArray) -> float:
        logs = self._logs(at)
        most = logs.max(axis=1, keepdims=True)
        log_sums = most + np.log(np.exp(logs - most).sum(axis=1, keepdims=True))
        return float((self.won * logs).sum() - (self.total * log_sums).sum())

    def derivatives(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Score and information, float64 (parameters,) and (parameters, parameters)."""
        logs = self._logs(at)
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        expected = self.total * chances
        of_rows = (self.won - expected) @ self.slopes
        score = np.bincount(self.places.ravel(), of_rows.ravel(), self.number).astype(np.float64)
        # Slopes less their means: where one outcome is nearly certain, no difference of large numbers loses the rest.
        apart = self.slopes - (chances @ self.slopes)[:, None, :]
        return score, self._sums(np.swapaxes(apart * expected[:, :, None], 1, 2) @ apart)

    def _sums(self, of_rows: FloatArray) -> FloatArray:
        """The sum of matrices of the rows' parameters, float64 (parameters, parameters)."""
        cells = self.places[:, :, None] * self.number + self.places[:, None, :]
        found = np.bincount(cells.ravel(), of_rows.ravel(), self.number**2).reshape(self.number, -1)
        return np.asarray(found, np.float64)
