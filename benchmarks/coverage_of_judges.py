"""How often the 95 % intervals of a judge against people hold the truth, with topics as the sample.

    .venv/bin/python benchmarks/coverage_of_judges.py [REPETITIONS]

The population are topics of which each has a confusion matrix near one of the 22 topics of `agreement` (with
WORKBENCH_TEST_DATA set): its shares are drawn from a Dirichlet distribution around that topic's, its size from a
lognormal one, of about 460 or 60 pairs. The judge is the real one, one that gives people's grades back half of the
time, one that gives a grade at random, one that is a grade too generous, and one that turns the scale round.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from workbench.methods.statistics.over_topics import (
    GRADED,
    Statistic,
    above,
    below,
    difference,
    estimate,
    found,
)

FloatArray = NDArray[np.float64]
GRADES = 5
SEED = 5
TOPICS = (5, 10, 25, 50)
PAIRS = (460, 60)
MANY = 20_000
STATISTICS: Mapping[str, tuple[Statistic, Statistic | None]] = {
    **{name: (statistic, None) for name, statistic in GRADED.items()},
    "above": (above, None),
    "below": (below, None),
    "difference": (difference(range(GRADES)), None),
    "found, grade 3": found(3),
}


def real_tables(folder: Path) -> FloatArray:
    """The confusion matrices of the topics of `agreement`, float64 (22, 5, 5)."""
    people, judge = (
        {
            (topic, document): int(grade)
            for topic, _, document, grade in map(str.split, path.open(encoding="utf-8"))
        }
        for path in (folder / "qrels.rag25.test.txt", folder / "qrels.rag25.test-umbrela2.txt")
    )
    topics = {topic: place for place, topic in enumerate(dict.fromkeys(topic for topic, _ in people))}
    tables = np.zeros((len(topics), GRADES, GRADES))
    for pair in people.keys() & judge.keys():
        tables[topics[pair[0]], people[pair], judge[pair]] += 1
    return tables


def judged(by: Callable[[FloatArray], FloatArray]) -> Callable[[FloatArray], FloatArray]:
    """Tables in which the judge answers by chance, given the people's grade: rows of shares, float64 (k, k)."""

    def of(tables: FloatArray) -> FloatArray:
        people = tables.sum(axis=2)
        return np.asarray(people[:, :, None] * by(np.eye(GRADES))[None], np.float64)

    return of


JUDGES: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "real": lambda tables: tables,
    "good": judged(lambda eye: 0.8 * eye + 0.2 / GRADES),
    "by chance": judged(lambda eye: 0 * eye + 1 / GRADES),
    "generous": judged(lambda eye: 0.7 * np.roll(eye, 1, axis=1) + 0.3 / GRADES),
    "adversarial": judged(lambda eye: 0.7 * eye[::-1] + 0.3 / GRADES),
}


def drawn(tables: FloatArray, topics: int, pairs: int, rng: np.random.Generator) -> FloatArray:
    """Topics of the population, float64 (topics, k, k)."""
    base = tables[rng.integers(0, len(tables), topics)]
    sizes = base.sum(axis=(1, 2)) / tables.sum(axis=(1, 2)).mean() * pairs * rng.lognormal(0, 0.4, topics)
    shares = rng.standard_gamma(base / base.sum(axis=(1, 2), keepdims=True) * 60 + 0.02)
    shares /= shares.sum(axis=(1, 2), keepdims=True)
    number = np.maximum(10, sizes).astype(int)
    found = rng.multinomial(number, shares.reshape(topics, -1)).reshape(shares.shape)
    return np.asarray(found, np.float64)


def coverage(judge: str, topics: int, pairs: int, repetitions: int, tables: FloatArray) -> dict[str, float]:
    """The share of intervals that hold the population's value, by statistic."""
    rng = np.random.default_rng(SEED)
    base = JUDGES[judge](tables)
    population = drawn(base, MANY, pairs, rng).sum(axis=0)[None]
    held, given = dict.fromkeys(STATISTICS, 0), dict.fromkeys(STATISTICS, 0)
    for _ in range(repetitions):
        sample = drawn(base, topics, pairs, rng)
        for name, (statistic, about) in STATISTICS.items():
            interval = estimate(sample, statistic, about, lowest=-GRADES, highest=GRADES).interval
            if interval is not None:
                given[name] += 1
                held[name] += interval.low <= float(statistic(population)[0]) <= interval.high
    return {name: held[name] / max(given[name], 1) for name in STATISTICS}


def main() -> None:
    """Print a table for each judge."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 2000
    tables = real_tables(Path(os.environ["WORKBENCH_TEST_DATA"]) / "agreement")
    for judge in JUDGES:
        for pairs in PAIRS:
            for topics in TOPICS:
                found = coverage(judge, topics, pairs, repetitions, tables)
                values = "  ".join(f"{name} {share:.3f}" for name, share in found.items())
                sys.stdout.write(f"{judge:12} {pairs:4} pairs {topics:3} topics: {values}\n")


if __name__ == "__main__":
    main()
