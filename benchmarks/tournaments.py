"""Whether tournaments recover the order of runs with the error that is stated, and what 15,000 battles take.

    .venv/bin/python benchmarks/tournaments.py [REPETITIONS]

Eight runs, 40 battles a topic, ties, a position effect, runs that differ by topic (as in coverage_of_battles.py). The
root mean square error of strengths by their stated standard error, half of the interval by t; tau to the true order;
and the share of pairs whose intervals do not meet that are in the right order. Then the processor time of strengths
and of a whole report of 20 runs, 50 topics and 15,000 battles of people, and of a report where half are a model's.
"""

from __future__ import annotations

import sys
import time
from itertools import combinations

import numpy as np
from coverage_of_battles import outcomes
from scipy.special import stdtrit

from workbench.analysis.battles.coded import coded
from workbench.analysis.battles.report import report
from workbench.analysis.battles.strengths import strengths
from workbench.core.battles import LEFT, RIGHT, TIE, Battle
from workbench.methods.battles.counts import counts_of, reach
from workbench.methods.battles.davidson import fit
from workbench.methods.battles.intervals import estimates, half_width
from workbench.methods.statistics.rank_correlation import tau_b

RUNS, EACH, DEVIATION = 8, 40, 0.5
TOPICS = (5, 10, 25, 50, 100)


def fought(runs: int, topics: int, each: int, rng: np.random.Generator) -> np.ndarray:
    """Topic, left run, right run and outcome of each battle; runs are in order, the best first."""
    topic = np.repeat(np.arange(topics), each)
    sides = np.argsort(rng.random((len(topic), runs)), axis=1)[:, :2]
    strength = np.linspace(1, -1, runs) + rng.normal(0, DEVIATION, (topics, runs))
    odds = strength[topic, sides[:, 0]] - strength[topic, sides[:, 1]] + 0.3
    return np.column_stack([topic, sides, outcomes(odds, rng)])


def tournaments(topics: int, repetitions: int) -> tuple[float, float, float]:
    """Error by stated error, mean tau to the true order, and the share of separated pairs in the right order."""
    rng, truth = np.random.default_rng(topics), np.linspace(1, -1, RUNS)
    whole = fit(counts_of(fought(RUNS, 4000, EACH, rng), RUNS))
    assert whole is not None
    errors, taus, right = [], [], []
    for _ in range(repetitions):
        counts = counts_of(fought(RUNS, topics, EACH, rng), RUNS)
        found = fit(counts) if reach(counts).finite.all() else None
        if found is None:
            continue
        each = estimates(counts, found).strengths
        stated = np.array([half_width(one) for one in each]) / stdtrit(topics - 1, 0.975)
        errors.append(((found.strengths - whole.strengths) / stated) ** 2)
        taus.append(tau_b(truth, found.strengths) or 0.0)
        ends = [one.interval for one in each if one.interval is not None]
        pairs = [
            (one, other)
            for one, other in combinations(ends, 2)
            if one.low > other.high or other.low > one.high
        ]
        right += [one.low > other.high for one, other in pairs]
    return float(np.sqrt(np.mean(errors))), float(np.mean(taus)), float(np.mean(right))


def milliseconds() -> tuple[float, float, float]:
    """The least processor time of five, of strengths, of a whole report, and of one where half are a model's."""
    names = {0: LEFT, 1: RIGHT, 2: TIE}
    rows = fought(20, 50, 300, np.random.default_rng(1)).tolist()
    battles = [
        Battle(str(number), str(topic), f"run{left}", f"run{right}", names[outcome], f"p{number % 5}")
        for number, (topic, left, right, outcome) in enumerate(rows)
    ]
    mixed = [*battles[::2], *(each._replace(assessor="m", assessor_class="model") for each in battles[1::2])]
    found = []
    for of in (lambda: strengths(coded(battles)), lambda: report(battles), lambda: report(mixed)):
        times = []
        for _ in range(5):
            start = time.process_time()
            of()
            times.append(1000 * (time.process_time() - start))
        found.append(min(times))
    return found[0], found[1], found[2]


def main() -> None:
    """Print a line for each number of topics, and the times."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    for topics in TOPICS:
        error, tau, right = tournaments(topics, repetitions)
        sys.stdout.write(
            f"{topics} topics: error by stated {error:.2f}, tau {tau:.3f}, separated {right:.4f}\n"
        )
    sys.stdout.write(
        "15,000 battles: strengths {:.0f} ms, report {:.0f} ms, half of a model {:.0f} ms\n".format(
            *milliseconds()
        )
    )


if __name__ == "__main__":
    main()
