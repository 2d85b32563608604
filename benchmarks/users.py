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

from workbench.methods.online.interleaving import Team, outcome, team_draft
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
        lists = np.repeat(np.arange(number), wholes)
        seconds = (8 * lift * np.exp(0.4 * habit))[lists] * np.exp(rng.normal(size=len(lists)) - 0.5)
        parts = np.bincount(lists, seconds, number)
    elif metric == "clicks":
        parts = rng.poisson(0.6 * lift * wholes * np.exp(0.5 * habit - 0.125))
    else:
        odds = np.log(0.3 / 0.7) if metric == "share .30" else np.log(0.05 / 0.95)
        parts = rng.binomial(wholes, np.minimum(lift / (1 + np.exp(-odds - 0.7 * habit)), 1))
    return parts.astype(float), wholes.astype(float)


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
    error = np.sqrt(pooled * (1 - pooled) * sum(1 / each for each in of))
    return bool(abs(yes[0] / of[0] - yes[1] / of[1]) > 1.96 * error)


class World(NamedTuple):
    """Users of interleaved lists: how they click, and how lists are made and shared."""

    better: float = 0.0  # the share of topics on which the first run has the relevant documents first
    blind: bool = False  # users click by rank alone
    shared: bool = False  # all users see the same list of a topic
    original: bool = False  # a document that both would add next is that of the first to pick


TOPICS, DEPTH, RUNS = 30, 10, ("one", "other")


def original_draft(one: Sequence[str], other: Sequence[str], rng: np.random.Generator) -> dict[str, Team]:
    """Team draft as published: a document that both would pick is that of the first to pick."""
    taken: dict[str, Team] = {}
    counts = [0, 0]
    while len(taken) < DEPTH:
        first: Team = 1 if (counts[0] > counts[1] if counts[0] != counts[1] else rng.integers(2)) else 0
        document = next((each for each in (one, other)[first] if each not in taken), None)
        if document is None:
            break
        taken[document] = first
        counts[first] += 1
    return taken


def lists(world: World, rng: np.random.Generator) -> Iterator[tuple[int, dict[str, Team], FloatArray]]:
    """For ever: a topic that is drawn, a list, and how likely a look at each document leads to a click."""
    topics = []
    for _ in range(TOPICS):
        pool = [f"d{place}" for place in range(20)]
        relevant = dict(zip(pool, rng.random(20) < 0.3, strict=True))
        one, other = (list(rng.permutation(pool[:5])) + list(rng.permutation(pool[5:])) for _ in RUNS)
        if rng.random() < world.better:
            one.sort(key=lambda document: not relevant[document])
        topics.append((one, other, relevant))

    def draft(topic: int) -> dict[str, Team]:
        one, other, _ = topics[topic]
        if world.original:
            return original_draft(one, other, rng)
        return team_draft(one, other, depth=DEPTH, rng=rng)

    once = [draft(topic) for topic in range(TOPICS)] if world.shared else []
    while True:
        topic = int(rng.integers(TOPICS))
        made = once[topic] if world.shared else draft(topic)
        seen = [world.blind or topics[topic][2][document] for document in made]
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
                chances = np.minimum(eager * likely * examined[: len(made)], 1)
                clicked = np.flatnonzero(rng.random(len(made)) < chances)
                teams = ["" if team is None else RUNS[team] for team in made.values()]
                if len(clicked):
                    unit = topic if by_topic else user
                    scores.setdefault(unit, []).append(outcome(teams, RUNS, clicked.tolist()))
        means = [float(np.mean(each)) for each in scores.values()]
        for place, test in enumerate((paired_t, sign_test)):
            p = test(means).p_value
            found[place] += p is not None and p < LEVEL
    return found[0] / times, found[1] / times


WORLDS = (
    *(World(blind=True), World(blind=True, original=True), World(blind=True, shared=True)),
    *(World(), World(better=0.3), World(better=0.3, original=True)),
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
    for world, by_topic in ((each, of) for each in WORLDS for of in (False, True)[: 2 - each.original]):
        rates = [interleaved(world, number, times // 8, by_topic=by_topic) for number in (10, 50, 200)]
        shown = (f"{100 * one:.1f} / {100 * two:.1f}" for one, two in rates)
        print(world, by_topic, *shown, sep=" | ", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))
