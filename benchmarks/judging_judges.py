"""Many judges against a truth: how long it takes, and how often intervals over topics hold what they are about.

    .venv/bin/python benchmarks/judging_judges.py [JUDGES] [RUNS] [TOPICS]

The size by default is that of a task for judges in 2026: 80 judges, 83 runs, 119 topics. Files are written first, in
the layout ir_measures; the command reads them, draws topics 1,000 times again, and compares all runs and the best ten.

Coverage: of Student's t interval of means over topics, for kappa and shares of labels that are drawn, by kind of judge;
and of the middle 95 % of the draws of tau_b, which is no confidence interval, about tau_b of all topics.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from data import machine
from numpy.typing import NDArray

from workbench.analysis.judges.labels import coefficients
from workbench.methods.statistics.intervals import resampled_means, t_intervals
from workbench.methods.statistics.rank_correlation import correlations_of_each

FloatArray = NDArray[np.float64]
SEED = 5
NAMES = {"kappa": 0, "alpha": 3, "precision": 4, "recall": 5, "F1": 6, "Jaccard": 7}
JUDGES = {"good": (0.9, 0.1), "weak": (0.65, 0.2), "strict": (0.5, 0.02), "lenient": (0.95, 0.9)}
"""The chance to be called relevant of what is, and of what is not."""


def write(folder: Path, judges: int, runs: int, topics: int) -> None:
    """A truth and judges whose scores follow its qualities more or less."""
    rng = np.random.default_rng(SEED)
    quality = rng.normal(0.4, 0.1, runs)
    for judge in range(judges + 1):
        values = quality * (1 if not judge else rng.random()) + rng.normal(0, 0.2, (topics, runs))
        lines = (
            f"run{run}\tt{topic}\tscore\t{values[topic, run]:.6f}\n"
            for topic in range(topics)
            for run in range(runs)
        )
        (folder / (f"judge{judge}.eval.txt" if judge else "truth.eval.txt")).write_text("".join(lines))


def seconds(judges: int, runs: int, topics: int) -> tuple[float, float]:
    """By the clock and of the processor, of the command."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write(folder, judges, runs, topics)
        files = sorted(str(file) for file in folder.glob("judge*"))
        workbench = str(Path(sys.executable).with_name("workbench"))
        words = ["--truth", str(folder / "truth.eval.txt"), "--layout", "ir_measures", "--best", "10"]
        before, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        subprocess.run(
            [workbench, "judges", *files, *words, "--format", "csv"], check=True, capture_output=True
        )
        of_processor = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - used
        return time.perf_counter() - before, of_processor


def covered(population: FloatArray, topics: int, rng: np.random.Generator) -> float:
    """The share of samples of topics whose t interval holds the mean of the population."""
    there = population[np.isfinite(population)]
    low, high = t_intervals(rng.choice(there, (topics, 4_000))).T
    return float(((low <= there.mean()) & (there.mean() <= high)).mean())


def of_labels() -> None:
    """Of 60 documents a topic, of which its own share is relevant: beta(2, 4), or beta(1, 9)."""
    rng = np.random.default_rng(SEED)
    print("| judge, share of relevant | topics |", " | ".join(NAMES), "|")
    for (kind, (right, wrong)), shape in (
        (each, shape) for each in JUDGES.items() for shape in ((2, 4), (1, 9))
    ):
        truth = rng.random((1_500, 60)) < rng.beta(*shape, 1_500)[:, None]
        judge = np.where(truth, rng.random((1_500, 60)) < right, rng.random((1_500, 60)) < wrong)
        cells = np.eye(4)[2 * truth + judge].sum(axis=1).reshape(-1, 2, 2)
        table = coefficients(cells, 1)
        for topics in (10, 25, 50):
            found = (f"{covered(table[:, column], topics, rng):.2f}" for column in NAMES.values())
            print(f"| {kind}, beta{shape} | {topics} |", " | ".join(found), "|")


def of_boards() -> None:
    """Of 30 runs, whose judge sees their qualities with an error of his own, and noise on each topic."""
    print("| judge | topics | tau_b of all | mean of samples | draws hold it | t of tau_b by topic |")
    for kind, own, noise in (("good", 0.01, 0.05), ("weak", 0.05, 0.15), ("biased", 0.1, 0.1)):
        rng = np.random.default_rng(SEED)
        quality, own_noise = rng.normal(0, 0.06, 30), rng.normal(0, 0.15, (8_000, 30))
        truth = quality + own_noise
        judge = quality + rng.normal(0, own, 30) + 0.5 * own_noise + rng.normal(0, noise, (8_000, 30))
        whole = float(correlations_of_each(truth.mean(axis=0)[None], judge.mean(axis=0)[None]).tau_b[0])
        by_topic = correlations_of_each(truth, judge).tau_b
        for topics in (10, 50, 119):
            held, taus = 0, []
            for _ in range(300):
                chosen = rng.integers(0, len(truth), topics)
                means = resampled_means(np.hstack([truth[chosen], judge[chosen]]), resamples=300, rng=rng)
                low, high = np.quantile(correlations_of_each(*np.hsplit(means, 2)).tau_b, [0.025, 0.975])
                held += low <= whole <= high
                sides = (side[chosen].mean(axis=0)[None] for side in (truth, judge))
                taus.append(float(correlations_of_each(*sides).tau_b[0]))
            t = covered(by_topic, topics, rng)
            print(f"| {kind} | {topics} | {whole:.2f} | {np.mean(taus):.2f} | {held / 300:.2f} | {t:.2f} |")


if __name__ == "__main__":
    size = [*map(int, sys.argv[1:]), *(80, 83, 119)[len(sys.argv) - 1 :]]
    print(machine())
    by_clock, of_processor = seconds(size[0], size[1], size[2])
    said = f"{by_clock:.0f} s by the clock, {of_processor:.0f} s of the processor"
    print(f"{size[0]} judges x {size[1]} runs x {size[2]} topics: {said}")
    of_labels()
    of_boards()
