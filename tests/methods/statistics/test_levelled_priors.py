"""Draws of priors that have as many relevant documents as were found."""

from __future__ import annotations

import numpy as np
from pytest import approx
from scipy.sparse import csr_array
from scipy.special import expit

from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.statistics.levelled_priors import distance, fit_levelled
from workbench.methods.statistics.relevance_priors import Features, fit_priors


def test_the_distance_gives_the_share() -> None:
    assert distance(np.zeros(3), 0.5) == approx(0.0, abs=1e-9)
    assert distance(np.zeros(3), 0.2) == approx(np.log(0.2 / 0.8))
    logits = np.array([-3.0, 0.0, 1.0, 4.0])
    assert expit(logits + distance(logits, 0.3)).mean() == approx(0.3)


def sample(number: int, share: float) -> tuple[Features, IntArray, FloatArray]:
    """Documents of 20 topics and two runs, of which a share is relevant, most in the first topics."""
    rng = np.random.default_rng(3)
    topic = np.arange(number) % 20
    heights = csr_array(rng.random((number, 2)))
    relevant = rng.random(number) < share * (topic < 10) * 2
    return Features(np.ones((number, 1)), heights), topic, relevant


def test_a_small_sample_is_drawn_again_with_as_many_relevant_documents_as_it_has() -> None:
    features, topic, relevant = sample(200, 0.05)
    levelled, plain = (
        fit_levelled(features, topic, relevant, 20),
        fit_priors(features, topic, relevant, 20),
    )
    rng = np.random.default_rng(1)
    numbers = [levelled.probabilities(features, topic, rng).sum() for _ in range(2000)]
    expected = 200 * (relevant.sum() + 0.5) / 201
    assert np.mean(numbers) == approx(expected, rel=0.03)
    # Beta(k + 1/2, n - k + 1/2) has this spread.
    share = expected / 200
    assert np.std(numbers) == approx(200 * np.sqrt(share * (1 - share) / 202), rel=0.1)
    assert np.mean([plain.probabilities(features, topic, rng).sum() for _ in range(500)]) > 1.1 * expected


def test_runs_differ_by_more_than_their_effects_that_a_sample_shows() -> None:
    features, topic, relevant = sample(200, 0.2)
    levelled, plain = (
        fit_levelled(features, topic, relevant, 20),
        fit_priors(features, topic, relevant, 20),
    )
    of_one = Features(np.ones((2, 1)), csr_array(np.eye(2)))
    rng = np.random.default_rng(1)

    def spread(priors: object) -> float:
        draws = [priors.probabilities(of_one, np.array([0, 0]), rng) for _ in range(500)]  # type: ignore[attr-defined]
        return float(np.std([np.log(p / (1 - p)) @ [1, -1] for p in draws]))

    assert spread(levelled) ** 2 - spread(plain) ** 2 == approx(2 * 2.0**2, rel=0.25)
