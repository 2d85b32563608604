"""The Bradley-Terry model with ties (Davidson) and a position effect, fitted by Newton's method.

With strengths a (log-odds), position effect g and tie effect t, and d = a_left - a_right + g:

    P(left) = e^(d/2) / S    P(right) = e^(-d/2) / S    P(tie) = e^t / S    S = e^(d/2) + e^(-d/2) + e^t

which is pi_left / (pi_left + pi_right + nu sqrt(pi_left pi_right)) with pi = e^a, nu = e^t, and the left one's pi
multiplied by e^g. Without ties it is the model of Bradley and Terry.

Sources: R. A. Bradley and M. E. Terry, Biometrika 39, 1952; R. R. Davidson, JASA 65, 1970; with an effect of the order
R. R. Davidson and R. J. Beaver, Biometrics 33, 1977 (their nu is ours times e^(g/2)).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.methods.battles.counts import Counts
from workbench.methods.statistics.arrays import FloatArray, rounds

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


def by_topic(counts: Counts, found: Fit) -> FloatArray:
    """What the strengths, and then the position effect, lose without each topic, float64 (topics, runs + 1).

    By one step of Newton's method from the fit to all topics, (H - H_t)^-1 s_t with the information H and the score
    s_t. A topic without which they are not determined has nan.
    """
    at, runs = _parameters(found), counts.runs
    inverse = np.linalg.inv(np.linalg.cholesky(_information(counts, found)))
    changes, start = [], 0
    for topics in rounds(counts.topics, inverse.size):
        here = counts.kept((counts.topic >= start) & (counts.topic < start + topics))
        here = here._replace(topic=here.topic - start, topics=topics)
        score, information = _Model.like(here, found).derivatives(at)
        values, vectors = np.linalg.eigh(np.eye(len(inverse)) - inverse @ information @ inverse.T)
        values = np.where(values[:, :1] < SINGULAR, np.nan, values)
        turned = np.einsum("tij,ti->tj", vectors, score @ inverse.T) / values
        changes.append(np.einsum("tij,tj->ti", vectors, turned) @ inverse)
        start += topics
    change = np.concatenate(changes)
    strengths = np.pad(change[:, : runs - 1], ((0, 0), (1, 0)))
    position = 0 * change[:, 0] if found.position is None else change[:, runs - 1]
    return np.column_stack([strengths - strengths.mean(axis=1, keepdims=True), position])


def covariance(counts: Counts, found: Fit) -> FloatArray:
    """The covariance of strengths less that of the first run, by the information, float64 (runs, runs).

    For battles that do not depend on each other; those of topics do (`by_topic`).
    """
    others = counts.runs - 1
    return np.pad(np.linalg.inv(_information(counts, found))[:others, :others], (1, 0))


def _information(counts: Counts, found: Fit) -> FloatArray:
    """The information of all topics on the parameters, float64 (parameters, parameters)."""
    return np.asarray(
        _Model.like(counts.over_topics(), found).derivatives(_parameters(found))[1][0], np.float64
    )


def _parameters(found: Fit) -> FloatArray:
    others = [each for each in (found.position, found.ties) if each is not None]
    return np.hstack([found.strengths[1:] - found.strengths[0], others])


class _Model:
    """The likelihood of counts as a function of the parameters: a of all runs but the first, g, t.

    The logarithms of what the outcomes of a row weigh, d/2, -d/2 and t, are linear in four parameters at most: `places`
    says in which, int64 (rows, n), and `slopes` how, float64 (outcomes, n).
    """

    def __init__(self, counts: Counts, *, position: bool, ties: bool) -> None:
        runs, used = counts.runs, np.array([True, True, position, ties])
        places = np.broadcast_arrays(counts.left, counts.right, runs, runs + position)
        self.counts, self.ties, self.position = counts, ties, position
        self.places, self.number = np.stack(places, axis=1)[:, used], runs + position + ties
        self.slopes = SLOPES[: 2 + ties, used]
        self.won = counts.won[:, : 2 + ties]
        self.total = counts.won.sum(axis=1, keepdims=True)

    @classmethod
    def like(cls, counts: Counts, found: Fit) -> _Model:
        """The model with the parameters of a fit."""
        return cls(counts, position=found.position is not None, ties=found.ties is not None)

    @property
    def is_determined(self) -> bool:
        """Whether no parameter can be had from the others."""
        along = np.outer(self.slopes[0], self.slopes[0])[None].repeat(len(self.places), axis=0)
        linear = self._information(along)[0][: self.number - self.ties - 1, : self.number - self.ties - 1]
        return bool(np.linalg.matrix_rank(linear, hermitian=True) == len(linear))

    def largest(self, near: Fit | None = None) -> Fit | None:
        """The fit of the largest likelihood; None where parameters grow without end."""
        at: FloatArray = np.zeros(self.number - 1)
        if near is not None and len(_parameters(near)) == len(at):
            at = _parameters(near)
        value = self._value(at)
        for _ in range(MOST_STEPS):
            (score,), (information,) = self.derivatives(at)
            try:
                step = np.linalg.solve(information, score)
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
        return self._fit(at) if np.abs(step).max() < NEARLY else None

    def _fit(self, at: FloatArray) -> Fit:
        strengths = np.append(0.0, at[: self.counts.runs - 1])
        position = float(at[self.counts.runs - 1]) if self.position else None
        return Fit(strengths - strengths.mean(), position, float(at[-1]) if self.ties else None)

    def _logs(self, at: FloatArray) -> FloatArray:
        return np.asarray(np.append(0.0, at)[self.places] @ self.slopes.T, np.float64)

    def _value(self, at: FloatArray) -> float:
        logs = self._logs(at)
        most = logs.max(axis=1, keepdims=True)
        log_sums = most + np.log(np.exp(logs - most).sum(axis=1, keepdims=True))
        return float((self.won * logs).sum() - (self.total * log_sums).sum())

    def derivatives(self, at: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Score and information of each topic, float64 (topics, parameters) and (topics, parameters, parameters)."""
        logs = self._logs(at)
        chances = np.exp(logs - logs.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        expected = self.total * chances
        topic, size = self.counts.topic[:, None] * self.number, self.counts.topics * self.number
        score = np.bincount(
            (topic + self.places).ravel(), ((self.won - expected) @ self.slopes).ravel(), size
        )
        # Slopes less their means: where one outcome is nearly certain, no difference of large numbers loses the rest.
        apart = self.slopes - (chances @ self.slopes)[:, None, :]
        information = np.swapaxes(apart * expected[:, :, None], 1, 2) @ apart
        scores = np.asarray(score.reshape(-1, self.number)[:, 1:], np.float64)
        return scores, self._information(information)

    def _information(self, of_rows: FloatArray) -> FloatArray:
        """The sums of matrices of the rows' parameters, float64 (topics, parameters, parameters)."""
        topic = self.counts.topic[:, None, None] * self.number
        cells = (topic + self.places[:, :, None]) * self.number + self.places[:, None, :]
        size = self.counts.topics * self.number**2
        found = np.bincount(cells.ravel(), of_rows.ravel(), size).reshape(-1, self.number, self.number)
        return np.asarray(found[:, 1:, 1:], np.float64)
