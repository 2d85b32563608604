"""How often the intervals and tests of what users do are right, in simulated worlds with a known truth.

    .venv/bin/python benchmarks/users.py [REPETITIONS]

Users differ in how many lists they see (a lognormal), in how readily they click (a logistic normal) and in how long
they take. Prints the tables of benchmarks/RESULTS.md: coverage of intervals, and error rates and power of A/B tests and
of interleaving, with both rules for shared documents.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.methods.online.interleaving import Pick, outcome, team_draft
from workbench.methods.online.ratios import difference, ratio
from workbench.methods.statistics.paired import paired_t, sign_test

FloatArray = NDArray[np.float64]
SEED, MANY, LEVEL = 5, 400_000, 0.05
SIZES = (25, 50, 200, 1000)
METRICS = ("share .30", "share .05", "clicks", "seconds")


def users(
    rng: np.random.Generator, metric: str, number: int, lift: float = 1.0
) -> tuple[FloatArray, FloatArray]:
    """What each user adds to both sums of a ratio; `lift` multiplies it."""
    wholes = 1 + rng.poisson(3 * np.exp(rng.normal(size=number) - 0.5))
    habit = rng.normal(size=number)
    if metric == "seconds":
        scale = 8 * lift * np.exp(0.4 * habit)
        lists = np.repeat(np.arange(number), wholes)
        seconds = scale[lists] * np.exp(rng.normal(size=len(lists)) - 0.5)
        return np.bincount(lists, seconds, number), wholes.astype(float)
    if metric == "clicks":
        return rng.poisson(0.6 * lift * wholes * np.exp(0.5 * habit - 0.125)).astype(float), wholes.astype(
            float
        )
    odds = np.log(0.3 / 0.7) if metric == "share .30" else np.log(0.05 / 0.95)
    share = np.minimum(lift / (1 + np.exp(-odds - 0.7 * habit)), 1)
    return rng.binomial(wholes, share).astype(float), wholes.astype(float)


def coverage(metric: str, number: int, times: int) -> tuple[float, float]:
    """The share of intervals that hold the truth, and of samples that have one."""
    rng = np.random.default_rng(SEED)
    parts, wholes = users(rng, metric, MANY)
    truth, held, there = parts.sum() / wholes.sum(), 0, 0
    for _ in range(times):
        if (found := ratio(*users(rng, metric, number)).interval()) is not None:
            there += 1
            held += found.low <= truth <= found.high
    return held / max(there, 1), there / times


def ab(metric: str, number: int, lift: float, times: int) -> tuple[float, float, float]:
    """How often two groups of so many users differ significantly: by us, with lists as the sample; if tested."""
    rng = np.random.default_rng(SEED)
    found, naive, there = 0, 0, 0
    for _ in range(times):
        sides = [users(rng, metric, number), users(rng, metric, number, lift)]
        tested = difference(*(ratio(*side) for side in sides))
        if tested.p is not None:
            there += 1
            found += tested.p < LEVEL
            naive += _of_lists(metric, sides)
    return found / max(there, 1), naive / max(there, 1), there / times


def _of_lists(metric: str, sides: Sequence[tuple[FloatArray, FloatArray]]) -> bool:
    """Whether shares differ significantly as if all lists were independent (z test); other metrics: never asked."""
    if not metric.startswith("share"):
        return False
    yes, of = ([float(side[place].sum()) for side in sides] for place in (0, 1))
    pooled = sum(yes) / sum(of)
    return abs(yes[0] / of[0] - yes[1] / of[1]) > 1.96 * np.sqrt(
        pooled * (1 - pooled) * sum(1 / each for each in of)
    )


class World(NamedTuple):
    """Users of interleaved lists: how they click, and how lists are made and shared.

    Attributes:
        better: how much more likely a document of the first run alone is relevant.
        blind: whether users click by rank alone.
        shared: whether all users see the same list of a topic.
        original: whether a shared document is that of the first to pick.
    """

    better: float = 0.0
    blind: bool = False
    shared: bool = False
    original: bool = False


TOPICS, DEPTH, RUNS = 30, 10, ("one", "other")


def original_draft(one: Sequence[str], other: Sequence[str], rng: np.random.Generator) -> list[Pick]:
    """Team draft as published: a document that both would pick is that of the first to pick."""
    taken: dict[str, int] = {}
    counts = [0, 0]
    while len(taken) < DEPTH:
        first = int(rng.integers(2)) if counts[0] == counts[1] else int(counts[0] > counts[1])
        document = next((each for each in (one, other)[first] if each not in taken), None)
        if document is None:
            break
        taken[document] = first
        counts[first] += 1
    return [Pick(document, team) for document, team in taken.items()]  # type: ignore[arg-type]


def lists(world: World, rng: np.random.Generator) -> Iterator[tuple[int, list[Pick], FloatArray]]:
    """For ever: a topic that is drawn, a list, and how likely a look at each document leads to a click."""
    topics = []
    for _ in range(TOPICS):
        pool = [f"d{place}" for place in range(20)]
        relevant = dict(zip(pool, rng.random(20) < 0.3, strict=True))
        one, other = (list(rng.permutation(pool[:5])) + list(rng.permutation(pool[5:])) for _ in RUNS)
        if rng.random() < world.better:
            one.sort(key=lambda document: not relevant[document])
        topics.append((one, other, relevant))

    def draft(topic: int) -> list[Pick]:
        one, other, _ = topics[topic]
        return (
            original_draft(one, other, rng)
            if world.original
            else team_draft(one, other, depth=DEPTH, rng=rng)
        )

    once = [draft(topic) for topic in range(TOPICS)] if world.shared else []
    while True:
        topic = int(rng.integers(TOPICS))
        made = once[topic] if world.shared else draft(topic)
        seen = [world.blind or topics[topic][2][pick.document] for pick in made]
        yield topic, made, np.where(seen, 0.4, 0.05)


def interleaved(world: World, number: int, times: int, *, by_topic: bool = False) -> tuple[float, float]:
    """How often t and the sign test find a preference, of so many users."""
    rng = np.random.default_rng(SEED)
    examined = 1 / np.arange(1, DEPTH + 1) ** 0.7
    found = [0, 0]
    for _ in range(times):
        source, scores = lists(world, rng), dict[int, list[int]]()
        for user in range(number):
            eager = np.exp(0.5 * rng.normal())
            for _ in range(1 + rng.poisson(2 * np.exp(rng.normal() - 0.5))):
                topic, made, likely = next(source)
                clicked = np.flatnonzero(
                    rng.random(len(made)) < np.minimum(eager * likely * examined[: len(made)], 1)
                )
                teams = ["" if pick.team is None else RUNS[pick.team] for pick in made]
                if len(clicked):
                    unit = topic if by_topic else user
                    scores.setdefault(unit, []).append(outcome(teams, RUNS, clicked.tolist()))
        means = [float(np.mean(each)) for each in scores.values()]
        for place, test in enumerate((paired_t, sign_test)):
            p = test(means).p_value
            found[place] += p is not None and p < LEVEL
    return found[0] / times, found[1] / times


WORLDS = (
    World(blind=True),
    World(blind=True, original=True),
    World(blind=True, shared=True),
    World(),
    World(better=0.3),
    World(better=0.3, original=True),
)


def main(times: int = 4_000) -> None:
    """Print all tables, in percent."""
    for metric in METRICS:
        held = [coverage(metric, number, times) for number in SIZES]
        print("coverage", metric, *(f"{100 * one:.1f} ({100 * two:.0f})" for one, two in held), sep=" | ")
    for lift, metric in product((1.0, 1.1), METRICS):
        rates = [ab(metric, number, lift, times) for number in SIZES]
        shown = (f"{100 * one:.1f} / {100 * two:.1f} ({100 * three:.0f})" for one, two, three in rates)
        print("A/B", lift, metric, *shown, sep=" | ")
    for world, by_topic in product(WORLDS, (False, True)):
        if world.original and by_topic:
            continue
        rates = [interleaved(world, number, times // 8, by_topic=by_topic) for number in (10, 50, 200)]
        print(
            world,
            by_topic,
            *(f"{100 * one:.1f} / {100 * two:.1f}" for one, two in rates),
            sep=" | ",
            flush=True,
        )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
