"""What it costs to know which pairs of runs are certain: on opening, and after one judgment.

    OMP_NUM_THREADS=1 .venv/bin/python benchmarks/bounds.py

Made rankings, like those of a large evaluation: what one run retrieves others retrieve too. The pool has depth 100, and
a tenth of it is judged. Times are processor time; memory the most that the arrays take.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Iterator

import numpy as np
from data import machine

from workbench.analysis.trust.evidence import IN_A_JOB
from workbench.core.ranking import POOLED, UNJUDGED, Rankings, starts_of
from workbench.methods.bounds import TopicRuns
from workbench.methods.bounds.pairs import PairBounds, pair_bounds, runs_within
from workbench.methods.bounds.registry import differences
from workbench.methods.measures import parse_measure

DEPTH, RANKS = 100, 1000
MOST_STEPS = 3e9
"""So many for each measure on opening; AP of all runs would take minutes."""
ADDING_UP = ("P@10", "RBP(p=0.8)", "RBP(p=0.95)", "DCG@10")
FOLLOWED = ("nDCG@10", "R@1000", "RR", "Success@10")
OTHERS = (*FOLLOWED, "AP")


def main() -> None:
    print(machine())
    for runs, topics in ((100, 50), (143, 50)):
        made = [made_topic(runs, np.random.default_rng(topic)) for topic in range(topics)]
        for name in (*ADDING_UP, *OTHERS):
            opening(name, made)
        if runs == 100:
            for name in (*ADDING_UP, *FOLLOWED):
                following(name, made)
    largest(1000, 250)


def made_topic(runs: int, rng: np.random.Generator) -> TopicRuns:
    """A topic of `runs` rankings, with labels."""
    documents = 4000
    drawn = rng.exponential(1.0, (runs, documents)) * np.linspace(1, 40, documents)
    order = np.argsort(drawn, axis=1)[:, :RANKS]
    start = starts_of(np.full(runs, RANKS))
    rows = np.arange(runs, dtype=np.int32)
    rankings = Rankings(start, order.ravel().astype(np.uint32), rows, np.zeros(runs, np.int32))
    label = np.full(documents, UNJUDGED, np.int16)
    label[np.unique(order[:, :DEPTH])] = POOLED
    judged = np.flatnonzero((label == POOLED) & (rng.random(documents) < 0.1))
    label[judged] = rng.choice([0, 0, 0, 1, 2], len(judged))
    return TopicRuns(rankings, label)


def opening(name: str, topics: list[TopicRuns]) -> None:
    """Print what all pairs cost, of as many runs as the limit allows."""
    kind = differences(parse_measure(name), top_grade=2)
    cost = sum(kind.cost(topic) for topic in topics)
    number = runs_within(cost, len(topics[0]), MOST_STEPS)
    chosen = [topic.of_runs(list(range(number))) for topic in topics]
    start = time.process_time()
    share = opened(name, iter(chosen)).pairs(len(topics)).share_certain()
    taken = time.process_time() - start
    of_runs = f"{number} of {len(topics[0])}" if number < len(topics[0]) else f"{number}"
    print(
        f"{name:<14}{of_runs:>11} runs x {len(topics)} topics on opening {taken:7.2f} s "
        f"({cost:.1e} steps for all; {share:.0%} certain)",
        flush=True,
    )


def opened(name: str, topics: Iterator[TopicRuns]) -> PairBounds:
    """The pairs of these topics."""
    found: PairBounds | None = None
    for number, topic in enumerate(topics):
        found = found or pair_bounds(differences(parse_measure(name), top_grade=2), len(topic), RANKS)
        found.put(number, topic)
    assert found is not None
    return found


def following(name: str, topics: list[TopicRuns]) -> None:
    """Print what one judgment costs, with the differences, bounds and states of all pairs after it."""
    found, taken = opened(name, iter(topics)), []
    for number, topic in enumerate(topics):
        for document in topic.waiting[:4].tolist():
            topic.label[document] = 1
            start = time.process_time()
            found.relabel(number, topic, np.array([document]), np.array([POOLED], np.int16))
            after = found.pairs(len(topics))
            after.share_certain()
            taken.append(1000 * (time.process_time() - start))
    runs = len(topics[0])
    print(
        f"{name:<14}{runs * (runs - 1) // 2:,} pairs after one judgment: median {np.median(taken):.2f} ms, "
        f"95 % {np.quantile(taken, 0.95):.2f} ms",
        flush=True,
    )


def largest(runs: int, topics: int) -> None:
    """Print what the largest campaign costs, topic by topic, within the limit."""
    one = made_topic(runs, np.random.default_rng(0))
    for name in ("P@10", "RBP(p=0.8)", "nDCG@10", "AP"):
        kind = differences(parse_measure(name), top_grade=2)
        number = runs_within(topics * kind.cost(one), runs, IN_A_JOB)
        chosen = one.of_runs(list(range(number)))
        start = time.process_time()
        pair_bounds(kind, number, RANKS).put(0, chosen)
        taken = (time.process_time() - start) * topics
        tracemalloc.start()
        found = pair_bounds(kind, number, RANKS)
        found.put(0, chosen)
        found.pairs(topics).share_certain()
        _, most = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        print(f"{name:<14}{number} of {runs} runs x {topics} topics: {taken:.1f} s, {most / 2**20:.0f} MB")


if __name__ == "__main__":
    main()
