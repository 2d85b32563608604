"""Probabilities of relevance learned from judged documents."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.special import expit

from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.statistics.relevance_priors import AVERAGE, RIDGE, Features, fit_priors

TOPICS, RUNS, EACH = 20, 5, 80


def world(seed: int) -> tuple[Features, IntArray, FloatArray, NDArray[np.bool_]]:
    """Documents as the model has them: features of rank and runs, topics, chances, and labels drawn from these."""
    rng = np.random.default_rng(seed)
    topic = np.repeat(np.arange(TOPICS), EACH)
    rank = np.log(rng.integers(1, 50, len(topic)))
    runs = rng.random((len(topic), RUNS)) * (rng.random((len(topic), RUNS)) < 0.4)
    value = -1.0 - 0.6 * rank + runs @ rng.normal(0, 1.5, RUNS) + rng.normal(0, 1.0, TOPICS)[topic]
    chance = expit(value)
    features = Features(np.column_stack([np.ones(len(topic)), rank]), csr_array(runs))
    return features, topic, np.asarray(chance), rng.random(len(topic)) < chance


def test_chances_are_found_again() -> None:
    features, topic, chance, relevant = world(1)
    found = fit_priors(features, topic, relevant, TOPICS)
    estimated = found.probabilities(features, topic)
    assert abs(estimated.mean() - relevant.mean()) < 0.005
    assert np.corrcoef(estimated, chance)[0, 1] > 0.95
    assert 0.5 < found.spread < 2


@pytest.mark.slow
def test_where_the_model_is_true_the_middle_of_the_draws_mostly_holds_the_relevant_documents() -> None:
    """Half of the documents are judged. Of 60 worlds the middle 95 % hold the truth in 52: less often than they say."""
    held = 0
    for seed in range(60):
        features, topic, _, relevant = world(seed)
        rng = np.random.default_rng(seed)
        known = rng.random(len(topic)) < 0.5
        found = fit_priors(features.rows(known), topic[known], relevant[known], TOPICS)
        rest = ~known
        counts = [
            int((rng.random(rest.sum()) < found.probabilities(features.rows(rest), topic[rest], rng)).sum())
            for _ in range(100)
        ]
        low, high = np.quantile(counts, [0.025, 0.975])
        held += low <= relevant[rest].sum() <= high
    assert 48 <= held < 60


def test_a_topic_of_which_nothing_is_judged_is_as_uncertain_as_topics_differ() -> None:
    features, topic, _, relevant = world(3)
    known = topic > 0
    found = fit_priors(features.rows(known), topic[known], relevant[known], TOPICS)
    rng = np.random.default_rng(1)
    new = [found.probabilities(features.rows(~known), topic[~known], rng).mean() for _ in range(200)]
    old = [found.probabilities(features.rows(topic == 5), topic[topic == 5], rng).mean() for _ in range(200)]
    assert np.std(new) > 1.5 * np.std(old)


def test_what_bends_where_nothing_is_judged_is_uncertain() -> None:
    # The judged documents are of the first stretch of ranks; how the curve goes on in the second is not known.
    features, topic, _, relevant = world(5)
    stretch = np.exp(features.own[:, 1]) > 7
    bends = csr_array(
        np.column_stack([features.own[:, 1] / 4, np.where(stretch, features.own[:, 1] - np.log(7), 0)])
    )
    straight, bent = features, features._replace(bends=(bends,))
    spreads = []
    for each in (straight, bent):
        found, rng = (
            fit_priors(each.rows(~stretch), topic[~stretch], relevant[~stretch], TOPICS),
            np.random.default_rng(1),
        )
        beyond = [found.probabilities(each.rows(stretch), topic[stretch], rng).mean() for _ in range(200)]
        spreads.append(np.std(beyond))
    assert spreads[1] > 1.2 * spreads[0]


def test_labels_that_a_feature_tells_exactly_do_no_harm() -> None:
    relevant = np.arange(40) < 20
    features = Features(np.column_stack([np.ones(40), relevant.astype(np.float64)]), csr_array((40, 0)))
    found = fit_priors(features, np.zeros(40, np.int64), relevant, 1)
    estimated = found.probabilities(features, np.zeros(40, np.int64))
    assert np.isfinite(found.mean).all()
    assert estimated[:20].min() > 0.9
    assert estimated[20:].max() < 0.1


def test_how_uncertain_the_effects_are_is_the_curvature_of_their_likelihood() -> None:
    """Against the second differences of the logarithm of what the labels make likely."""
    features, topic, _, relevant = world(4)
    features = features.rows(np.arange(len(topic)) < 300)
    topic, relevant = topic[:300], relevant[:300]
    found = fit_priors(features, topic, relevant, 4)
    scaled = np.column_stack([(features.own - found.centre) / found.scale, features.of_runs.toarray()])
    precision = np.full(len(found.mean), found.spread**-2)
    precision[: features.number] = [AVERAGE, RIDGE, *[found.spreads[0] ** -2] * RUNS]

    def likelihood(value: FloatArray) -> float:
        each = scaled @ value[: features.number] + value[features.number :][topic]
        return float(np.log(expit(np.where(relevant, each, -each))).sum() - (precision * value**2).sum() / 2)

    step, number = 1e-3, len(found.mean)
    unit = np.eye(number) * step
    second = np.array(
        [
            [
                likelihood(found.mean + a + b) - likelihood(found.mean + a - b)
                - likelihood(found.mean - a + b) + likelihood(found.mean - a - b)
                for b in unit
            ]
            for a in unit
        ]
    ) / (4 * step**2)  # fmt: skip
    assert np.allclose(found.root @ found.root.T, np.linalg.inv(-second), rtol=0.05, atol=0.02)
