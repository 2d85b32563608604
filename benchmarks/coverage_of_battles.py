"""How often the intervals of battles hold the truth, with topics as the sample, and whether their plan is kept.

    .venv/bin/python benchmarks/coverage_of_battles.py [REPETITIONS]

Six runs have battles with ties and a position effect. Battles of a topic depend on each other: each run is stronger or
weaker on a topic by a normal amount (none, or with a deviation of .7). Pairs are drawn evenly with 30 battles a topic,
or by weights 6:5:...:1 with a number of battles that varies (lognormal). The truth is the fit to 4,000 such topics.

`draws` are percentiles of draws of topics. `corrected` are models' battles of 30 units a topic, which prefer two runs
too much, of which people judge 30 % again. `kappa` is between those. `plan` are the battles for three fifths of the
width: the share of second samples of that size whose widest interval is within, and its mean width by the wanted one.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from workbench.methods.battles import corrected, intervals
from workbench.methods.battles.corrected import Units
from workbench.methods.battles.counts import Counts, counts_of, reach
from workbench.methods.battles.davidson import fit, without_each_topic
from workbench.methods.statistics.arrays import FloatArray, IntArray
from workbench.methods.statistics.over_topics import GRADED, Estimate, estimate

RUNS = 6
STRENGTHS = np.linspace(1, -1, RUNS)
BIAS = np.array([0, 0.8, 0, 0, -0.8, 0])
POSITION, NU = 0.3, 0.6
EACH, MANY = 30, 4_000
PEOPLE = 0.3
TOPICS = (5, 10, 25, 50)
SEED = 9


class World(NamedTuple):
    """How runs differ by topic, and whether pairs and sizes of topics are uneven."""

    deviation: float
    uneven: bool


WORLDS = [World(deviation, uneven) for uneven in (False, True) for deviation in (0.0, 0.7)]


def pairs(world: World, topics: int, rng: np.random.Generator) -> tuple[IntArray, IntArray, IntArray]:
    """Topic, left and right run of each battle."""
    sizes = np.full(topics, EACH)
    if world.uneven:
        sizes = np.maximum(rng.poisson(EACH * rng.lognormal(-0.125, 0.5, topics)), 1)
    weight = np.log(np.arange(RUNS, 0, -1)) if world.uneven else np.zeros(RUNS)
    order = np.argsort(-(weight + rng.gumbel(size=(sizes.sum(), RUNS))), axis=1)
    sides = rng.permuted(order[:, :2], axis=1)
    return np.repeat(np.arange(topics), sizes), sides[:, 0], sides[:, 1]


def outcomes(odds: FloatArray, rng: np.random.Generator) -> IntArray:
    """0 for the left one, 1 for the right one, 2 for a tie."""
    shares = np.stack([np.exp(odds / 2), np.exp(-odds / 2), np.full_like(odds, NU)], axis=1)
    shares /= shares.sum(axis=1, keepdims=True)
    return np.asarray((rng.random((len(odds), 1)) > shares.cumsum(axis=1)).sum(axis=1), np.int64)


def battles(world: World, topics: int, rng: np.random.Generator) -> Counts:
    """Battles of topics of the world."""
    topic, left, right = pairs(world, topics, rng)
    strength = STRENGTHS + rng.normal(0, world.deviation, (topics, RUNS))
    odds = strength[topic, left] - strength[topic, right] + POSITION
    return counts_of(np.stack([topic, left, right, outcomes(odds, rng)], axis=1), RUNS)


def units(world: World, topics: int, rng: np.random.Generator) -> Units:
    """Battles of a model, some of them judged by people; they share what runs are worth on a topic and in a unit."""
    topic, one, other = pairs(world, topics, rng)
    strength = STRENGTHS + rng.normal(0, world.deviation, (topics, RUNS))
    odds = strength[topic, one] - strength[topic, other] + rng.normal(0, 1.5, len(topic))
    model, people = (np.eye(3)[outcomes(odds + bias[one] - bias[other], rng)] for bias in (BIAS, 0 * BIAS))
    drawn = rng.permutation(len(topic)) < round(PEOPLE * len(topic))
    return Units(RUNS, topics, topic, one, other, model, np.where(drawn[:, None], people, np.nan))


def tables(found: Units) -> FloatArray:
    """Model against people by topic, with either run as the first, float64 (topics, 3, 3)."""
    here = found.has_people
    each = found.model[here][:, :, None] * found.people[here][:, None, :]
    whole = np.zeros((found.topics, 3, 3))
    np.add.at(whole, found.topic[here], each)
    swapped = [1, 0, 2]
    return np.asarray((whole + whole[:, swapped][:, :, swapped]) / 2, np.float64)


class Tally:
    """How often something held, of how often there was something."""

    def __init__(self) -> None:
        self.held, self.of = 0.0, 0

    def add(self, held: float) -> None:
        """One more."""
        self.held, self.of = self.held + held, self.of + 1

    @property
    def share(self) -> float:
        """The share, or the mean."""
        return self.held / max(self.of, 1)


class OfStrengths(NamedTuple):
    """Tallies of each run, of the position effect and of draws; of the plan being kept, and of its width."""

    runs: list[Tally]
    position: Tally
    draws: Tally
    within: Tally
    width: Tally

    def __str__(self) -> str:
        shares = sorted(each.share for each in self.runs)
        return (
            f"{self.runs[0].of} with intervals; strengths {shares[0]:.3f} to {shares[-1]:.3f}, position "
            f"{self.position.share:.3f}, draws {self.draws.share:.3f}; plan within {self.within.share:.3f}, width "
            f"{self.width.share:.3f}"
        )


def of_strengths(world: World, topics: int, repetitions: int) -> OfStrengths:
    """How often strengths, position effect and draws hold the truth, and whether the plan is kept."""
    rng = np.random.default_rng(SEED)
    whole = fit(battles(world, MANY, rng))
    assert whole is not None
    assert whole.position is not None
    runs, position, draws = [Tally() for _ in range(RUNS)], Tally(), Tally()
    within, ratio = Tally(), Tally()
    for repetition in range(repetitions):
        counts = battles(world, topics, rng)
        found = fit(counts) if reach(counts).finite.all() else None
        if found is None:
            continue
        changes = np.array(list(without_each_topic(counts, found)))
        estimates = intervals.estimates(counts, found, changes)
        tallied, truths = [*runs, position], [*whole.strengths, whole.position]
        for tally, each, truth in zip(
            tallied, estimates[: RUNS + (found.position is not None)], truths, strict=False
        ):
            if each.interval is not None:
                tally.add(each.interval.low <= truth <= each.interval.high)
        drawn = intervals.drawn_strengths(found, changes[:, :RUNS], 1000, rng)
        if drawn is not None:
            low, high = np.quantile(drawn, [0.025, 0.975], axis=0)
            draws.add(float(((low <= whole.strengths) & (whole.strengths <= high)).mean()))
        if repetition % 10 == 0:
            planned(world, counts, estimates[:RUNS], within, ratio, rng)
    return OfStrengths(runs, position, draws, within, ratio)


def planned(
    world: World,
    counts: Counts,
    strengths: Sequence[Estimate],
    within: Tally,
    ratio: Tally,
    rng: np.random.Generator,
) -> None:
    """Draw as many topics as the plan says, and look at the widest interval."""
    halves = [intervals.half_width(each) for each in strengths]
    wanted = 0.6 * max(halves)
    if not np.isfinite(wanted):
        return
    each = zip(halves, intervals.effective(counts.by_topic()), strict=True)
    times = max(intervals.times_needed(half, topics, wanted) for half, topics in each)
    later = battles(world, int(np.ceil(times * counts.topics)), rng)
    found = fit(later) if reach(later).finite.all() else None
    if found is not None:
        every = intervals.estimates(later, found, np.array(list(without_each_topic(later, found))))
        widest = max(map(intervals.half_width, every[:RUNS]))
        within.add(widest <= wanted)
        ratio.add(widest / wanted)


def of_corrected(world: World, topics: int, repetitions: int) -> str:
    """The shares of corrected strengths, the worst run first, their bias, and kappa."""
    rng = np.random.default_rng(SEED)
    many = units(world, MANY, rng)
    here = many.has_people
    of_people = np.stack([0 * many.topic, many.one, many.other, many.people.argmax(axis=1)], axis=1)[here]
    truth = fit(counts_of(of_people, RUNS), position=False)
    assert truth is not None
    kappa_of = GRADED["Cohen's kappa"]
    true_kappa = float(kappa_of(tables(many).sum(axis=0)[None])[0])
    runs, kappa, errors = [Tally() for _ in range(RUNS)], Tally(), []
    for _ in range(repetitions):
        sample = units(world, topics, rng)
        found = corrected.corrected(sample)
        if found is not None:
            changes = np.array(list(corrected.without_each_topic(sample, found)))
            every = corrected.estimates(sample, found, changes)
            for tally, each, value in zip(runs, every, truth.strengths, strict=True):
                if each.interval is not None:
                    tally.add(each.interval.low <= value <= each.interval.high)
            errors.append(found.strengths - truth.strengths)
        of_kappa = estimate(tables(sample), kappa_of).interval
        if of_kappa is not None:
            kappa.add(of_kappa.low <= true_kappa <= of_kappa.high)
    shares = sorted(each.share for each in runs)
    bias = np.abs(np.mean(errors, axis=0)).max()
    return (
        f"{runs[0].of} with intervals; corrected {shares[0]:.3f} to {shares[-1]:.3f}, bias at most {bias:.3f}; "
        f"kappa {kappa.share:.3f}"
    )


def main() -> None:
    """Print a line for each world and number of topics."""
    repetitions = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    for world in WORLDS:
        for topics in TOPICS:
            named = f"deviation {world.deviation}{', uneven' * world.uneven}, {topics} topics"
            sys.stdout.write(f"{named}: {of_strengths(world, topics, repetitions)}\n")
            sys.stdout.write(f"{named}: {of_corrected(world, topics, repetitions // 4)}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
