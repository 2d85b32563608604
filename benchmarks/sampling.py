"""What a sample of the pool tells of the whole: errors of the estimates, and the coverage of their intervals.

    .venv/bin/python benchmarks/sampling.py [SEEDS]

The pool of depth 100 of the 17 runs of Robust 2003 (WORKBENCH_TEST_DATA) is closed: what is in it has its official
grade, everything else is not relevant, and a run's score with all of it judged is the truth. A tenth or a fifth of
each topic's pool is drawn by each design, as often as SEEDS says (5), and the means over the 100 topics are compared
with the truth: bias and root mean square error over runs and seeds, and Kendall's tau of the order of runs, its mean
over seeds.

The second table draws 8 times as often, and counts how often estimate ± 1.96 * sqrt(variance / topics) holds the
truth.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from data import machine, robust_qrels, robust_runs
from numpy.typing import NDArray
from scipy.stats import kendalltau

from workbench.core.ranking import POOLED, UNJUDGED, IntArray, Labels, Rankings, order_run, pack_rankings
from workbench.formats.qrels import read_qrels
from workbench.formats.runs import read_run
from workbench.methods.measures import JudgedRankings, parse_measure
from workbench.methods.measures.sampled_rankings import OUTSIDE, SampledRankings, SampleLabels
from workbench.methods.pooling import STRATEGIES
from workbench.methods.pooling.adaptive import adaptive_sequence
from workbench.methods.pooling.frames import Frame, in_drawing_order, stratified, topics_of
from workbench.methods.pooling.registry import PoolPairs
from workbench.methods.pooling.topic_table import table_of

FloatArray = NDArray[np.float64]
DEPTH = 100
DESIGNS: dict[str, tuple[str, dict[str, Any]]] = {
    "strata": ("strata", {"strata": "1-10:100%,11-40:20%,41-100:10%"}),
    "uniform": ("uniform", {"depth": DEPTH, "percent": 10.0}),
    "uniform, whole=5": ("uniform", {"depth": DEPTH, "percent": 10.0, "whole": 5}),
    "pps": ("pps", {"depth": DEPTH, "percent": 10.0}),
}
INTERVALS = {
    "P@10": ("statP@10", "statPVariance@10"),
    "P@30": ("statP@30", "statPVariance@30"),
    "RBP(p=0.8)": ("statRBP(p=0.8)", "statRBPVariance(p=0.8)"),
    "RBP(p=0.95)": ("statRBP(p=0.95)", "statRBPVariance(p=0.95)"),
    "DCG@30": ("statDCG@30", "statDCGVariance@30"),
}


class Error(NamedTuple):
    """How far estimates are from the truth."""

    bias: float
    rmse: float
    tau: float

    def __str__(self) -> str:
        return f"{self.bias:+.3f} | {self.rmse:.3f} | {self.tau:.3f}"


@dataclass(frozen=True, eq=False)
class Bed:
    """A closed pool: its rankings as they are and as a grid of topics and runs, its candidates, and their grades."""

    rankings: Rankings
    grid: Rankings
    starts: IntArray
    pool: PoolPairs
    grade: NDArray[np.int16]
    shape: tuple[int, int]

    def judged(self, grade: NDArray[np.int16]) -> JudgedRankings:
        """The rankings with these labels."""
        return JudgedRankings.join(self.grid, Labels(self.starts, grade))

    def cells(self, pairs: PoolPairs) -> IntArray:
        """Where these pairs are among the labels."""
        cells: IntArray = self.starts[pairs.topic] + pairs.document
        return cells

    def sampled(self, frame: Frame) -> SampledRankings:
        """The rankings with what was drawn judged."""
        cells, size = self.cells(frame.pairs), len(self.grade)
        stratum, probability = np.full(size, OUTSIDE), np.zeros(size)
        stratum[cells] = frame.pairs.stratum - 1
        probability[cells] = frame.pairs.inclusion_probability
        drawn = np.zeros(size, np.bool_)
        drawn[cells] = frame.drawn
        labels = SampleLabels(
            self.starts, stratum, self.grade, probability, drawn, has_strata=frame.has_strata
        )
        return SampledRankings.join(self.grid, labels)

    def partly(self, frame: Frame) -> JudgedRankings:
        """The rankings with what was drawn judged, and the rest of the pool as pooled."""
        label = np.full(len(self.grade), UNJUDGED, np.int16)
        cells = self.cells(frame.pairs)
        label[cells] = np.where(frame.drawn, self.grade[cells], POOLED)
        return self.judged(label)

    def means(self, name: str, rankings: JudgedRankings | SampledRankings) -> FloatArray:
        """A measure's mean over the topics for each run."""
        values: FloatArray = parse_measure(name)(rankings).reshape(self.shape).mean(axis=0)
        return values

    def frame(self, strategy: str, **parameters: Any) -> Frame:
        """What a strategy draws."""
        entry = STRATEGIES.find(strategy)
        assert entry.frame is not None
        found: Frame = entry.frame(self.rankings, **entry.check(parameters))
        return found


def robust() -> Bed:
    """The closed pool of Robust 2003."""
    runs = [order_run(read_run(file).frame) for file in robust_runs()]
    packed = pack_rankings(runs, read_qrels(robust_qrels()).frame)
    pool = in_drawing_order(packed.rankings.to_depth(DEPTH))
    starts, official = packed.labels.topic_start, packed.labels.label
    grade = np.full(len(official), UNJUDGED, np.int16)
    cells = starts[pool.topic] + pool.document
    grade[cells] = np.maximum(official[cells], 0)
    shape = (len(packed.topic_ids), len(runs))
    return Bed(packed.rankings, packed.rankings.as_grid(*shape), starts, pool, grade, shape)


def shares(pool: PoolPairs, percent: int) -> dict[int, int]:
    """How many pairs of each topic are a budget of so many percent."""
    topics, sizes = np.unique(pool.topic, return_counts=True)
    return dict(zip(topics.tolist(), np.floor(sizes * percent / 100 + 0.5).astype(int).tolist(), strict=True))


def half_and_half(bed: Bed, percent: int, seed: int) -> Frame:
    """Half of the budget at the top of the depth order, half drawn evenly from the rest of the topic's pool."""
    budget, stratum = shares(bed.pool, percent), np.ones(len(bed.pool.topic), np.int64)
    for topic in topics_of(bed.pool):
        stratum[topic.start + budget[int(bed.pool.topic[topic.start])] // 2 : topic.stop] = 2
    left = iter([number - number // 2 for number in budget.values()])
    rng = np.random.default_rng(seed)
    return stratified(bed.pool, stratum, lambda one, size: size if one == 1 else next(left), rng)


def depth_order(bed: Bed, percent: int) -> JudgedRankings:
    """The first of the depth order judged, and nothing drawn."""
    budget, label = shares(bed.pool, percent), np.full(len(bed.grade), UNJUDGED, np.int16)
    for topic in topics_of(bed.pool):
        first = bed.pool.take(np.arange(topic.start, topic.start + budget[int(bed.pool.topic[topic.start])]))
        label[bed.cells(first)] = bed.grade[bed.cells(first)]
    return bed.judged(label)


def maxmean_order(bed: Bed, percent: int, seed: int) -> JudgedRankings:
    """What the bandit MaxMean judges first, and nothing drawn."""
    budget, label = shares(bed.pool, percent), np.full(len(bed.grade), UNJUDGED, np.int16)
    function = STRATEGIES.find("maxmean").order
    assert function is not None
    for topic, share in budget.items():
        table = table_of(bed.rankings.of_topic(topic), depth=DEPTH)
        cells = bed.starts[topic] + table.document.astype(np.int64)
        order = adaptive_sequence(function, table, bed.grade[cells] > 0, budget=share, seed=seed)
        label[cells[order]] = bed.grade[cells[order]]
    return bed.judged(label)


def estimators(bed: Bed, percent: int) -> Iterator[tuple[str, Callable[[int], FloatArray]]]:
    """What the first table compares: each with a function from a seed to the estimates of MAP."""
    own = {"depth": DEPTH, "percent": float(percent)}
    yield "plain AP, depth order", lambda _: bed.means("AP", depth_order(bed, percent))
    yield "plain AP, MaxMean's order", lambda seed: bed.means("AP", maxmean_order(bed, percent, seed))
    yield (
        "plain AP, uniform sample",
        lambda seed: bed.means("AP", bed.partly(bed.frame("uniform", **own, seed=seed))),
    )
    yield (
        "infAP, uniform sample",
        lambda seed: bed.means("infAP", bed.partly(bed.frame("uniform", **own, seed=seed))),
    )
    yield (
        "xinfAP, half on top, half uniform",
        lambda seed: bed.means("xinfAP", bed.sampled(half_and_half(bed, percent, seed))),
    )
    yield "statAP, pps", lambda seed: bed.means("statAP", bed.sampled(bed.frame("pps", **own, seed=seed)))
    yield (
        "statAP, pps by RBP.95",
        lambda seed: bed.means("statAP", bed.sampled(bed.frame("pps", **own, prior="rbp", seed=seed))),
    )


def error_of(estimates: Sequence[FloatArray], truth: FloatArray) -> Error:
    """Bias, error and tau of estimates, each float64 (runs,)."""
    off = np.array(estimates) - truth
    tau = np.mean([kendalltau(each, truth).statistic for each in estimates])
    return Error(float(off.mean()), float(np.sqrt((off**2).mean())), float(tau))


def errors(bed: Bed, percent: int, seeds: int) -> dict[str, Error]:
    """The first table."""
    truth = bed.means("AP", bed.judged(bed.grade))
    return {
        name: error_of([estimate(seed) for seed in range(seeds)], truth)
        for name, estimate in estimators(bed, percent)
    }


def coverages(bed: Bed, design: str, seeds: int) -> dict[str, float]:
    """How often the interval of each measure holds the truth, over seeds and runs."""
    whole, (strategy, parameters) = bed.judged(bed.grade), DESIGNS[design]
    truth = {name: bed.means(name, whole) for name in INTERVALS}
    held: dict[str, list[float]] = {name: [] for name in INTERVALS}
    for seed in range(seeds):
        sampled = bed.sampled(bed.frame(strategy, **parameters, seed=seed))
        for name, (estimate, variance) in INTERVALS.items():
            half = 1.96 * np.sqrt(bed.means(variance, sampled) / bed.shape[0])
            off = np.abs(bed.means(estimate, sampled) - truth[name])
            held[name].append(float((off <= half + 1e-12).mean()))
    return {name: float(np.mean(shares)) for name, shares in held.items()}


def main(seeds: int) -> None:
    """Print both tables."""
    bed = robust()
    print(
        f"MAP of {bed.shape[1]} runs, {bed.shape[0]} topics, {len(bed.pool.topic):,} pairs, {seeds} seeds\n"
    )
    print("| budget | estimator and design | bias | RMSE | tau |\n|---|---|---|---|---|")
    for percent in (10, 20):
        for name, error in errors(bed, percent, seeds).items():
            print(f"| {percent} % | {name} | {error} |", flush=True)
    print(f"\nCoverage of the 95 % intervals, {8 * seeds} seeds\n")
    print(f"| design | {' | '.join(INTERVALS)} |\n|---|{'---|' * len(INTERVALS)}")
    for design in DESIGNS:
        found = coverages(bed, design, 8 * seeds)
        print(f"| {design} | {' | '.join(f'{share:.2f}' for share in found.values())} |", flush=True)
    print(f"\n{machine()}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 5)
