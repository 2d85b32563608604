"""Priors whose draws have as many relevant documents, of those that they were learned from, as were found.

Draws of a fitted model differ in the effects of topics and runs, and a likely value that moves up by as much as another
one moves down is no longer as likely on average: the mean of a bent curve lies beside the curve at the mean. So labels
drawn from a small sample would have too many relevant documents. Here a share of relevant documents is drawn for the
sample, as its number of them tells, and all log odds of the draw are moved by the one distance that gives this share.

A small sample hardly tells how runs differ either, and a fit takes effects that it cannot see to be near 0. So each
draw gives every run one more effect, normal around 0 with the spread RUNS.

The share is drawn from its posterior by Jeffreys' prior, Beta(k + 1/2, n - k + 1/2) for k of n.
Source: L. D. Brown, T. T. Cai, A. DasGupta, Interval Estimation for a Binomial Proportion, Statistical Science 16,
2001.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.statistics.relevance_priors import Features, Priors, fit_priors

RUNS = 2.0
"""In log odds of a run's first document. Chosen on Robust 2003, with 30 % judged by hedge and a probe of 5 %: without
it ranges held tau in 14 of 16 trials and tau_AP in 12, with it in all. docs/reuse.md has how often they do elsewhere.
"""

FARTHEST, HALVINGS = 30.0, 40
"""Log odds are moved by less than this, which is halved so often."""


class LevelledPriors(NamedTuple):
    """Priors with the n documents that they were learned from: their features, topics, and the relevant ones."""

    priors: Priors
    features: Features
    topic: IntArray
    relevant: int

    def probabilities(self, features: Features, topic: IntArray, rng: np.random.Generator) -> FloatArray:
        """A draw of the probability of each document to be relevant, float64 (n,)."""
        from scipy.special import expit

        value, number = self.priors.drawn(rng), len(self.topic)
        value[self.features.places[0]] += RUNS * rng.standard_normal(self.features.of_runs.shape[1])
        share = rng.beta(self.relevant + 0.5, number - self.relevant + 0.5)
        moved = distance(self.priors.logits(self.features, self.topic, value), share)
        return np.asarray(expit(self.priors.logits(features, topic, value) + moved), np.float64)


def fit_levelled(
    features: Features, topic: IntArray, relevant: NDArray[np.bool_], topics: int
) -> LevelledPriors:
    """Fit priors to documents; arguments as of `fit_priors`."""
    return LevelledPriors(fit_priors(features, topic, relevant, topics), features, topic, int(relevant.sum()))


def distance(logits: FloatArray, share: float) -> float:
    """By how much log odds have to be moved for this share, between 0 and 1, of the documents to be relevant."""
    from scipy.special import expit

    low, high = -FARTHEST, FARTHEST
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if expit(logits + middle).mean() < share else (low, middle)
    return (low + high) / 2
