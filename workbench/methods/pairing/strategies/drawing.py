"""Pairs drawn at random: all with the same probability, or rather those whose order is least certain."""

from __future__ import annotations

from hashlib import blake2b
from itertools import combinations
from typing import Annotated

import numpy as np

from workbench.core.battles import FIRST, SECOND
from workbench.core.parameters import Limits
from workbench.methods.battles.counts import Counts, counts_of
from workbench.methods.battles.davidson import covariance, fit
from workbench.methods.pairing.registry import PairChoice, TopicThings, pairing
from workbench.methods.pooling.chance import Seed
from workbench.methods.pooling.strategies.sampling import drawn_systematically, probabilities
from workbench.methods.statistics.arrays import FloatArray

Pairs = Annotated[int, Limits("How many pairs of each topic", least=1, most=100_000)]
Percent = Annotated[
    float | None,
    Limits("The share of each topic's pairs, in percent, in place of their number", above=0, most=100),
]
Batch = Annotated[int, Limits("How many pairs are drawn together", least=1, most=1_000)]
Floor = Annotated[float, Limits("The share of each draw in which all pairs are alike", above=0, most=1)]
Most = Annotated[int, Limits("The most pairs of a topic", least=1, most=100_000)]

LEFT_WON, RIGHT_WON, TIED = 0, 1, 2
OUTCOMES = {FIRST: LEFT_WON, SECOND: RIGHT_WON}
DIGITS = 6
"""Of doubts, so that the last bits of another machine choose no other pairs."""
PRIOR = 0.5
"""How often each thing beat, and lost to, a thing of middling strength before any comparison."""


@pairing("random-pairs")
def random(
    topic: TopicThings,
    rng: np.random.Generator,
    *,
    count: Pairs = 50,
    percent: Percent = None,
    seed: Seed = 0,
) -> list[PairChoice]:
    """A simple random sample of the pairs of each topic; or with `percent` each pair by a draw of its own.

    Each pair has a number by a hash, and the pairs with the lowest are asked. So what comes later adds to the sample:
    a pair is in it with the probability of the pairs that there were when it came, which is recorded.
    """
    # Numbers of `rng` would be others for the same pair after some were asked.
    pairs = sorted((_number(seed, topic.topic_id, *pair), pair) for pair in combinations(topic.things, 2))
    if percent is None:
        probability = min(1.0, count / max(1, len(pairs)))
        drawn = pairs[:count]
    else:
        probability = percent / 100
        drawn = [each for each in pairs if each[0] < probability]
    asked = set(topic.asked)
    return [PairChoice(*pair, probability) for _, pair in drawn if pair not in asked]


@pairing("uncertain")
def uncertain(
    topic: TopicThings, rng: np.random.Generator, *, batch: Batch = 10, floor: Floor = 0.2, most: Most = 200
) -> list[PairChoice]:
    """Pairs whose order is least certain by the preferences so far, in small batches, with a floor for all pairs.

    Strengths after Bradley and Terry with ties say how likely the order of a pair is the other way round, by the normal
    tail beyond their difference a with its standard error s, and how much a comparison would tell of it. A batch is
    drawn with probabilities that add up to its size, when half of the last one or less waits. Strengths are of the
    things of this topic, by its own preferences: nothing is taken over from other topics.

    Formula: π = min(1, c (floor / N + (1 - floor) u / Σ u)), u = 2 Φ(-|a| / s) p (1 - p) s^2, p = 1 / (1 + e^-a)

    Source: the systematic draw after Madow, 1949.
    """
    asked = set(topic.asked)
    left = [pair for pair in combinations(range(len(topic.things)), 2) if _named(topic, pair) not in asked]
    number = min(batch, most - len(asked), len(left))
    if number < 1 or 2 * len(topic.waiting) > batch:
        return []
    places = np.array(left)[np.argsort(rng.random(len(left)))]
    by_doubt = doubts(topic)[places[:, 0], places[:, 1]]
    weight = floor / len(left) + (1 - floor) * by_doubt / max(by_doubt.sum(), 1e-9)
    chance = probabilities(weight, number)
    drawn = np.flatnonzero(drawn_systematically(chance, rng))
    return [PairChoice(*_named(topic, places[each]), float(chance[each])) for each in drawn]


def doubts(topic: TopicThings) -> FloatArray:
    """How uncertain the order of every two things is, u in the formula of `uncertain`, float64 (n, n)."""
    from scipy.special import expit, ndtr

    counts = battles_of(topic)
    found = fit(counts, position=False)
    if found is None:
        return np.ones((len(topic.things), len(topic.things)))
    spread, a = covariance(counts, found)[1 : counts.runs, 1 : counts.runs], found.strengths[1:]
    variance = np.add.outer(spread.diagonal(), spread.diagonal()) - 2 * spread
    np.fill_diagonal(variance, 1)
    apart = np.subtract.outer(a, a)
    tells = expit(apart) * expit(-apart) * variance
    return np.asarray(np.round(2 * ndtr(-np.abs(apart) / np.sqrt(variance)) * tells, DIGITS), np.float64)


def battles_of(topic: TopicThings) -> Counts:
    """The preferences as battles of things, from 1 on; 0 is the middling one that all have met (PRIOR)."""
    place = {each: at for at, each in enumerate(topic.things, start=1)}
    battles = [
        (0, place[each.first], place[each.second], OUTCOMES.get(each.preference, TIED))
        for each in topic.answered
        if each.first in place and each.second in place
    ]
    prior = [(0, 0, at, outcome) for at in place.values() for outcome in (LEFT_WON, RIGHT_WON)]
    counts = counts_of([*prior, *battles], len(place) + 1)
    return counts._replace(won=counts.won * np.where(counts.left == 0, PRIOR, 1.0)[:, None])


def _named(topic: TopicThings, pair: tuple[int, int]) -> tuple[str, str]:
    return topic.things[pair[0]], topic.things[pair[1]]


def _number(seed: int, topic_id: str, first: str, second: str) -> float:
    """A number of a pair, uniform in [0, 1)."""
    words = "\0".join(("pair", str(seed), topic_id, first, second))
    return int.from_bytes(blake2b(words.encode(), digest_size=7).digest()[:7]) / 2**56
