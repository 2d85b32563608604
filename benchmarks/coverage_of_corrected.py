"""How often intervals of scores that people corrected hold the truth, for judges of every kind.

    .venv/bin/python benchmarks/coverage_of_corrected.py [REPETITIONS [DESIGN ...]]

The pool of depth 100 of the 17 runs of Robust 2003 (WORKBENCH_TEST_DATA) is closed, and its 100 topics are all topics
there are: the mean over them is the truth. Of these, 5 to 50 topics are drawn with replacement, and of each a tenth of
its pool, as often as REPETITIONS says (400, four times that of sums, fewer of many topics). Judges are simulated; each
labels the whole pool once. A cell has the coverage of the intervals that claim 95 %, the share of samples that have
one, and the same of those that claim at least 90 %; the rest have no interval. The runs are the best, the middle and
the last by MAP.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
import polars as pl
from data import machine, robust_qrels, robust_runs
from numpy.typing import NDArray
from sampling import Bed

from workbench.core.ranking import UNJUDGED, IntArray, Names, Rankings, cells_of, order_run, pack_rankings
from workbench.formats.qrels import read_qrels
from workbench.formats.runs import read_run
from workbench.methods.corrected.claims import claims, noise_of
from workbench.methods.corrected.labels import Spread, TwoLabels, trust_by_topic
from workbench.methods.corrected.measures import Estimator, estimator_of
from workbench.methods.measures import parse_measure
from workbench.methods.measures.sampled_rankings import OUTSIDE, SampledRankings, SampleLabels
from workbench.methods.pooling import STRATEGIES
from workbench.methods.pooling.frames import in_drawing_order

FloatArray = NDArray[np.float64]
DEPTH, DRAWS = 100, 100
TOPICS = (5, 10, 25, 50)
MEASURES = ("P@10", "RBP(p=0.8)", "nDCG@10")
DESIGNS = ("pps", "uniform", "by-model", "pps-by-model")
PART = 10_000
"""So many topics, of all samples, are estimated at once."""


class Judge(NamedTuple):
    """A simulated judge: how many of the relevant, and of the others, it calls relevant."""

    hits: float
    alarms: float

    def labels(self, grade: NDArray[np.int16], rng: np.random.Generator) -> NDArray[np.int16]:
        """Its grades; what it finds rightly it grades rightly."""
        yes = rng.random(len(grade)) < np.where(grade > 0, self.hits, self.alarms)
        return np.where(yes, np.maximum(grade, 1), 0).astype(np.int16)


JUDGES = {
    "good": Judge(0.9, 0.03),
    "weak": Judge(0.6, 0.2),
    "biased": Judge(0.98, 0.4),
    "constant": Judge(1.0, 1.0),
    "adversarial": Judge(0.1, 0.9),
}


def closed_pool() -> Bed:
    """The pool, with the rankings cut to its depth."""
    runs = [
        order_run(read_run(file).frame).group_by("topic_id", maintain_order=True).head(DEPTH)
        for file in robust_runs()
    ]
    pairs = ["topic_id", "document_id"]
    pooled = pl.concat([run.select(pairs) for run in runs]).unique()
    packed = pack_rankings(runs, read_qrels(robust_qrels()).frame.join(pooled, on=pairs, how="semi"))
    ids = packed.pairs.group_by("topic_id", maintain_order=True).all()
    known = dict(zip(ids["topic_id"].to_list(), ids["document_id"].to_list(), strict=True))
    rankings = replace(packed.rankings, names=Names(packed.topic_ids, known, robust_runs()))
    pool = in_drawing_order(rankings)
    starts, grade = packed.labels.topic_start, np.full(len(packed.labels.label), UNJUDGED, np.int16)
    cells = starts[pool.topic] + pool.document
    grade[cells] = np.maximum(packed.labels.label[cells], 0)
    shape = (len(packed.topic_ids), len(runs))
    return Bed(rankings, rankings.as_grid(*shape), starts, pool, grade, shape)


def labelled(bed: Bed, model: NDArray[np.int16]) -> Bed:
    """The pool with what a judge says of it."""
    names = bed.rankings.names
    assert names is not None
    grades = {
        topic_id: dict(zip(names.document_ids[topic_id], model[start:end].tolist(), strict=False))
        for topic_id, start, end in zip(names.topic_ids, bed.starts[:-1], bed.starts[1:], strict=True)
    }
    return replace(bed, rankings=replace(bed.rankings, names=names._replace(grades=grades)))


@dataclass(frozen=True, eq=False)
class Samples:
    """Many samples of a pool by one design, and three of its runs."""

    bed: Bed
    people: SampleLabels
    drawn: NDArray[np.bool_]
    grid: Rankings
    runs: list[int]

    @classmethod
    def of(cls, bed: Bed, design: str, model: NDArray[np.int16], draws: int = DRAWS) -> Samples:
        asked = {"depth": DEPTH, "percent": 10.0}
        if STRATEGIES.find(design).uses_labels:
            bed, asked = labelled(bed, model), asked | {"judge": "simulated"}
        frames = [bed.frame(design, **asked, seed=seed) for seed in range(draws)]
        cells, size = bed.cells(frames[0].pairs), len(bed.grade)
        stratum, chance, drawn = np.full(size, OUTSIDE), np.zeros(size), np.zeros((draws, size), np.bool_)
        stratum[cells] = frames[0].pairs.stratum - 1
        chance[cells] = frames[0].pairs.inclusion_probability
        for row, frame in zip(drawn, frames, strict=True):
            row[cells] = frame.drawn
        order = np.argsort(bed.means("AP", bed.judged(bed.grade))).tolist()
        runs = [order[-1], order[len(order) // 2], order[0]]
        rows = (np.arange(bed.shape[0])[:, None] * bed.shape[1] + np.array(runs)).ravel()
        whole = SampleLabels(
            bed.starts, stratum, bed.grade, chance, np.ones(size, np.bool_), has_strata=frames[0].has_strata
        )
        return cls(bed, whole, drawn, bed.grid.select(rows), runs)

    def truth(self, name: str) -> FloatArray:
        """The mean over all topics for each of the runs."""
        return self.bed.means(name, self.bed.judged(self.bed.grade))[self.runs]

    def stacked(
        self, topics: IntArray, draws: IntArray, model: NDArray[np.int16]
    ) -> tuple[TwoLabels, Rankings]:
        """These topics one after the other, each as one of the samples has it."""
        starts, cells = cells_of(self.bed.starts, topics)
        people = SampleLabels(
            starts,
            self.people.stratum[cells],
            self.bed.grade[cells],
            self.people.probability[cells],
            self.drawn[np.repeat(draws, np.diff(starts)), cells],
            has_strata=self.people.has_strata,
        )
        number = len(self.runs)
        chosen = self.grid.select((topics[:, None] * number + np.arange(number)).ravel())
        topic = np.repeat(np.arange(len(topics), dtype=np.int32), number)
        run = np.tile(np.arange(number, dtype=np.int32), len(topics))
        return TwoLabels(people, model[cells]), Rankings(chosen.row_start, chosen.document, run, topic)


class Estimated(NamedTuple):
    """Estimates of each sample, topic and run, and what was taken off; those of people alone, and their variances.

    All are float64 (repetitions, topics, runs), and the effective chance of a document.
    """

    value: FloatArray
    taken_off: FloatArray
    people: FloatArray
    variance: FloatArray
    chance: float

    @property
    def differences(self) -> Estimated:
        """Of each two runs."""
        one, other = np.triu_indices(self.value.shape[-1], 1)
        apart = [each[..., one] - each[..., other] for each in (self.value, self.taken_off, self.people)]
        variance = self.variance[..., one] + self.variance[..., other]
        return Estimated(apart[0], apart[1], apart[2], variance, self.chance)


def estimated(
    samples: Samples,
    by: Estimator,
    model: NDArray[np.int16],
    shape: tuple[int, int],
    rng: np.random.Generator,
) -> Estimated:
    """Estimates from as many samples of so many topics as `shape` says."""
    topics = rng.integers(samples.bed.shape[0], size=shape)
    draws = rng.integers(len(samples.drawn), size=shape)
    labels, rankings = samples.stacked(topics.ravel(), draws.ravel(), model)
    sampled = SampledRankings.join(rankings.to_depth(len(by.weight) - 2), labels.people)
    spread = by.spread(sampled, labels)
    parts = [Spread(*(each[at : at + shape[1]] for each in spread)) for at in range(0, topics.size, shape[1])]
    found = by.estimates(sampled, labels, np.concatenate([trust_by_topic(part) for part in parts]), spread)
    people = by.estimates(sampled, labels, np.zeros(len(labels.people)), spread)
    value, taken_off, alone, variance = (
        each.reshape(*shape, -1) for each in (found.value, found.taken_off, people.value, people.variance)
    )
    return Estimated(value, taken_off, alone, variance, by.effective_chance(sampled, labels))


class Coverage(NamedTuple):
    """How many intervals of a level hold the truth, how many there are, and of how many samples."""

    held: int
    of: int
    samples: int

    @property
    def share(self) -> float:
        return self.held / self.of if self.of else float("nan")

    def __str__(self) -> str:
        return f"{self.share:.3f} ({self.of / self.samples:.2f})" if self.of else "–"


def coverage(found: Estimated, truth: FloatArray, *, of_sums: bool) -> dict[float, Coverage]:
    """The coverage of what claims 95 %, and of what claims at least 90 %."""
    repetitions, topics, columns = found.value.shape
    value, _, people, variance = (
        each.transpose(1, 0, 2).reshape(topics, repetitions * columns) for each in found[:4]
    )
    noise = noise_of(people, variance, found.chance)
    made = claims(value, found.taken_off.mean(axis=1).ravel(), noise, of_sums=of_sums)
    right = np.tile(truth, repetitions).tolist()
    held: dict[float, list[bool]] = {0.95: [], 0.9: []}
    for claim, value in zip(made, right, strict=True):
        if claim.interval is not None and claim.level is not None:
            held[claim.level].append(claim.interval.low <= value <= claim.interval.high)
    return {level: Coverage(sum(each), len(each), len(made)) for level, each in held.items()}


def repetitions_of(name: str, topics: int, repetitions: int) -> int:
    """Fewer of many topics, and of a ratio, which takes long."""
    return max(repetitions // 5, repetitions * (4 if name != "nDCG@10" else 1) * 10 // (10 + topics))


def parts_of(repetitions: int, topics: int) -> list[int]:
    """The repetitions in parts that fit into the memory."""
    most = max(1, PART // topics)
    return [min(most, repetitions - at) for at in range(0, repetitions, most)]


def cells(
    samples: Samples, name: str, model: NDArray[np.int16], repetitions: int, rng: np.random.Generator
) -> Iterator[tuple[str, list[str]]]:
    """The cells of scores and of differences, one for each number of topics."""
    by, truth = estimator_of(parse_measure(name), ranks=DEPTH, top_grade=2), samples.truth(name)
    one, other = np.triu_indices(len(truth), 1)
    every: dict[str, list[str]] = {"score": [], "difference": []}
    for topics in TOPICS:
        held: dict[str, list[dict[float, Coverage]]] = {of: [] for of in every}
        for part in parts_of(repetitions_of(name, topics, repetitions), topics):
            found = estimated(samples, by, model, (part, topics), rng)
            held["score"].append(coverage(found, truth, of_sums=by.is_unbiased))
            apart = found.differences, truth[one] - truth[other]
            held["difference"].append(coverage(*apart, of_sums=by.is_unbiased))
        for of, parts in held.items():
            levels = (
                Coverage(*np.sum([part[level] for part in parts], axis=0).tolist()) for level in parts[0]
            )
            every[of].append("; ".join(map(str, levels)))
    yield from every.items()


def rows(design: str, repetitions: int) -> Iterator[tuple[str, ...]]:
    """The table of a design."""
    bed, rng = closed_pool(), np.random.default_rng(20)
    for judge, kind in JUDGES.items():
        model = kind.labels(bed.grade, rng)
        samples = Samples.of(bed, design, model)
        for name in MEASURES:
            for of, every in cells(samples, name, model, repetitions, rng):
                yield (judge, f"{name}, {of}", *every)


def errors(draws: int = 12) -> Iterator[tuple[str, ...]]:
    """By judge and measure, how many judgments drawn evenly are as good as one of each design, for differences of two
    runs on a topic and for scores: the ratios of mean squared errors over all topics and runs, with the tool's λ.
    """
    bed, rng = closed_pool(), np.random.default_rng(20)
    for judge, kind in JUDGES.items():
        model = kind.labels(bed.grade, rng)
        for name in ("P@10", "RBP(p=0.8)"):
            found = {design: squared_errors(bed, design, name, model, draws) for design in DESIGNS}
            ratios = [found["uniform"] / found[design] for design in DESIGNS if design != "uniform"]
            yield (judge, name, *(f"{each[0]:.1f}; {each[1]:.1f}" for each in ratios))


def squared_errors(
    bed: Bed, design: str, name: str, model: NDArray[np.int16], draws: int
) -> NDArray[np.float64]:
    """Of differences of two runs and of scores, on a topic, float64 (2)."""
    by, (topics, runs) = estimator_of(parse_measure(name), ranks=DEPTH, top_grade=2), bed.shape
    truth = parse_measure(name)(bed.judged(bed.grade)).reshape(bed.shape)
    samples, total = Samples.of(bed, design, model, draws), np.zeros(2)
    for drawn in samples.drawn:
        people = samples.people
        people = SampleLabels(
            people.topic_start,
            people.stratum,
            bed.grade,
            people.probability,
            drawn,
            has_strata=people.has_strata,
        )
        sampled, labels = SampledRankings.join(bed.grid, people), TwoLabels(people, model)
        spread = by.spread(sampled, labels)
        values = by.estimates(sampled, labels, trust_by_topic(spread), spread).value.reshape(topics, runs)
        off = values - truth
        apart = (off[:, :, None] - off[:, None, :]) ** 2
        total += apart.sum() / (topics * runs * (runs - 1)), (off**2).mean()
    return total / draws


def main(repetitions: int, designs: Sequence[str] = DESIGNS) -> None:
    """Print a table for each design, and that of errors."""
    print(machine())
    for design in designs:
        print(
            f"\n{design}\n\n| judge | measure | {' | '.join(map(str, TOPICS))} |\n|{'---|' * (2 + len(TOPICS))}"
        )
        for row in rows(design, repetitions):
            print(f"| {' | '.join(row)} |", flush=True)
    print(f"\n| judge | measure | {' | '.join(one for one in DESIGNS if one != 'uniform')} |\n|{'---|' * 5}")
    for row in errors():
        print(f"| {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400, sys.argv[2:] or DESIGNS)
