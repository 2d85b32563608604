"""How often the intervals of what showing a model's label does hold the truth, with topics as the sample.

    .venv/bin/python benchmarks/coverage_of_showing.py [REPETITIONS]

Topics differ in how often first grades agree with the model (a logistic normal), in what showing does, and in size (a
lognormal). Prints, for control, shown and difference, the percentage of intervals that hold the truth and how often
there is one.
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np
from numpy.typing import NDArray

from workbench.analysis.models.showing import effect

FloatArray = NDArray[np.float64]
SEED, MANY, SIZES = 3, 400_000, 0.8
WORLDS = ((0.5, 0.0, 0.5), (0.5, 0.15, 0.5), (-2.0, 0.05, 0.7))
"""Log odds of agreement, what showing adds to it, and how much topics differ."""


def shares(
    rng: np.random.Generator, world: tuple[float, float, float], topics: int
) -> tuple[FloatArray, ...]:
    """Agreement without and with showing, and the relative size, of topics."""
    base, added, spread = world
    alone = 1 / (1 + np.exp(-(base + spread * rng.normal(size=topics))))
    varied = added + 0.08 * rng.normal(size=topics) * (added != 0)
    size = np.exp(SIZES * rng.normal(size=topics) - SIZES**2 / 2)
    return alone, np.clip(alone + varied, 0, 1), size


def held(
    world: tuple[float, float, float], topics: int, pairs: int, control: float, times: int
) -> FloatArray:
    """By group and difference, the share of intervals that hold the truth, and of samples with one: float64 (3, 2)."""
    rng = np.random.default_rng(SEED)
    alone, shown, size = shares(rng, world, MANY)
    truth = [np.average(alone, weights=size), np.average(shown, weights=size)]
    truth.append(truth[1] - truth[0])
    found = np.zeros((3, 2))
    for _ in range(times):
        alone, shown, size = shares(rng, world, topics)
        number = np.maximum(1, rng.poisson(pairs * size))
        group = np.stack([kept := rng.binomial(number, control), number - kept], 1)
        yes = rng.binomial(group, np.stack([alone, shown], 1))
        no = group - yes
        tables = np.stack([np.stack([yes[:, 0], no[:, 0]], 1), np.stack([no[:, 1], yes[:, 1]], 1)], 1).astype(
            float
        )
        for place, (estimate, _) in enumerate(effect(tables).values()):
            if (interval := estimate.interval) is not None:
                found[place] += (interval.low <= truth[place] <= interval.high, 1)
    return np.stack([found[:, 0] / found[:, 1], found[:, 1] / times], 1)


def main(times: int = 1_000) -> None:
    """Print a line for each world, number of topics, pairs of a topic and share of control."""
    for world, topics, pairs, control in product(WORLDS, (5, 10, 25, 50), (20, 100), (0.5, 0.2)):
        found = (100 * held(world, topics, pairs, control, times)).round(1)
        print(world, topics, pairs, control, found[:, 0], found[:, 1])


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
