"""How often the interval of a run's share of recent documents holds the truth, with topics as the sample.

    .venv/bin/python benchmarks/coverage_of_freshness.py [REPETITIONS]

Of the first ten documents of a topic those that are recent are beta-binomial: topics differ. Prints the percentage of
intervals that hold the mean share, and how often there is one (analysis/costs/freshness.py says when).
"""

from __future__ import annotations

import sys
from itertools import product

import numpy as np

from workbench.analysis.costs.freshness import FEWEST_SIDES
from workbench.methods.statistics.intervals import t_interval

SEED, K = 11, 10
MEANS, SPREADS, TOPICS = (0.02, 0.1, 0.3, 0.5), (0.3, 2.0, 20.0), (25, 50, 100, 250)
"""Mean shares, the sum of the parameters of the beta distribution, and how many topics there are."""


def held(
    rng: np.random.Generator, mean: float, spread: float, topics: int, repetitions: int
) -> tuple[int, int]:
    """How many intervals hold the mean, and how many there are."""
    shown = hits = 0
    for _ in range(repetitions):
        shares = rng.binomial(K, rng.beta(mean * spread, (1 - mean) * spread, topics)) / K
        if min((shares > 0).sum(), (shares < 1).sum()) >= FEWEST_SIDES:
            interval = t_interval(shares, lowest=0, highest=1)
            if interval is not None:
                shown += 1
                hits += interval[0] <= mean <= interval[1]
    return hits, shown


def main() -> None:
    """Print the table."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 4_000
    print("| mean share | spread | topics | intervals | that hold |")
    print("|---|---|---|---|---|")
    for number, (mean, spread, topics) in enumerate(product(MEANS, SPREADS, TOPICS)):
        hits, shown = held(np.random.default_rng([SEED, number]), mean, spread, topics, repetitions)
        if shown >= repetitions / 20:
            print(f"| {mean} | {spread} | {topics} | {shown / repetitions:.0%} | {hits / shown:.1%} |")


if __name__ == "__main__":
    main()
