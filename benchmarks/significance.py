"""Significance among 143 runs on 50 topics, in memory: seconds, and what scipy takes for the same where it has it.

    .venv/bin/python benchmarks/significance.py [PERMUTATIONS]

Scores are drawn with a seed: a topic's difficulty, a run's quality and chance, squeezed between 0 and 1. scipy's
`permutation_test` with permutation_type="samples" exchanges scores within topics too, so it can be made to do what
randomised Tukey HSD does for one pair of runs; it is given the same number of rounds, a hundred at a time.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TypeVar

import numpy as np
from data import machine
from numpy.typing import NDArray
from scipy import stats

from workbench.methods.statistics.all_pairs import (
    groups,
    max_t,
    max_t_of_pairs,
    pairwise_t,
    randomised_tukey,
    tukey,
)
from workbench.methods.statistics.intervals import t_intervals
from workbench.methods.statistics.paired import randomisation
from workbench.methods.statistics.rank_correlation import tau_ap_b, tau_b

RUNS, TOPICS, SEED = 143, 50, 5
Result = TypeVar("Result")


def scores() -> NDArray[np.float64]:
    rng = np.random.default_rng(SEED)
    topic, run = rng.normal(-1, 1, (TOPICS, 1)), rng.normal(0, 0.3, RUNS)
    return 1 / (1 + np.exp(-(topic + run + rng.normal(0, 0.5, (TOPICS, RUNS)))))


def timed(what: str, function: Callable[[], Result]) -> Result:
    start = time.perf_counter()
    result = function()
    print(f"{what:<72}{time.perf_counter() - start:8.2f} s", flush=True)
    return result


def largest_difference(*samples: NDArray[np.float64], axis: int = -1) -> NDArray[np.float64]:
    """What randomised Tukey HSD keeps of a round, in the form scipy asks for."""
    means = np.stack([sample.mean(axis=axis) for sample in samples])
    return means.max(axis=0) - means.min(axis=0)


def main(permutations: int) -> None:
    print(machine())
    values, rounds = scores(), f"{permutations:,} permutations"
    means = values.mean(axis=0)
    d = values[:, 1] - values[:, 0]
    rng = np.random.default_rng(SEED)
    p = timed(
        f"randomised Tukey HSD, {RUNS} x {TOPICS}, {rounds}",
        lambda: randomised_tukey(values, permutations=permutations, rng=rng),
    )
    reference = timed(
        "  scipy.stats.permutation_test, the best pair alone",
        lambda: stats.permutation_test(
            tuple(values.T), largest_difference, permutation_type="samples", n_resamples=permutations,
            alternative="greater", vectorized=True, batch=100, rng=rng,
        ),
    )  # fmt: skip
    best, worst = int(means.argmax()), int(means.argmin())
    print(f"  p of the pair furthest apart: {p[best, worst]:.5f}, scipy {reference.pvalue:.5f}")
    letters = timed("letters of groups", lambda: groups(p, means))
    print(f"  {len(set(''.join(letters)))} groups")
    timed("two-way Tukey HSD, 10,153 pairs", lambda: tukey(values))
    timed("paired t of all pairs", lambda: pairwise_t(values))
    timed(f"max-T against one run, {rounds}", lambda: max_t(values, 0, permutations=permutations, rng=rng))
    timed(
        f"max-T over all pairs, {rounds}", lambda: max_t_of_pairs(values, permutations=permutations, rng=rng)
    )
    ours = timed(
        f"randomisation test of one pair, {rounds}",
        lambda: randomisation(d, permutations=permutations, rng=rng),
    )
    theirs = timed("  scipy.stats.permutation_test", lambda: stats.permutation_test(
        (values[:, 1], values[:, 0]), lambda x, y, axis: (x - y).mean(axis=axis), permutation_type="samples",
        n_resamples=permutations, vectorized=True, rng=rng,
    ))  # fmt: skip
    print(f"  p: {ours.p_value:.4f}, scipy {theirs.pvalue:.4f}")
    timed("t intervals of all runs, a hundred times", lambda: [t_intervals(values) for _ in range(100)])
    timed("  scipy.stats.bootstrap, percentile", lambda: stats.bootstrap(
        (values,), np.mean, axis=0, n_resamples=permutations, method="percentile", batch=100, rng=rng,
    ))  # fmt: skip
    other = means + rng.normal(0, 0.01, RUNS)
    timed("tau_b of 143 runs, a hundred times", lambda: [tau_b(means, other) for _ in range(100)])
    timed("  scipy.stats.kendalltau", lambda: [stats.kendalltau(means, other) for _ in range(100)])
    timed("tau_AP,b of 143 runs, a hundred times", lambda: [tau_ap_b(means, other) for _ in range(100)])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 10_000)
