"""The registry of strategies that choose which two things of a topic are compared next.

A strategy is one function with one decorator line in a module of `strategies/`:

    @pairing("all-pairs")
    def all_pairs(topic: TopicThings, rng: np.random.Generator, *, most: Most = 1_000) -> list[PairChoice]: ...

It is called when the pool is made, and again after judgments, runs or pools came, and returns the pairs that are to be
asked besides those that were: none, where enough wait. What it returns follows from its arguments alone, `rng` for
chance, so that the audit makes each choice of the log again. Its keyword-only parameters are recorded with the pool.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, ClassVar, NamedTuple

import numpy as np

from workbench.core.errors import CampaignError
from workbench.core.registry import Entry, Registry


class Answered(NamedTuple):
    """A preference in force: the things of the pair in byte order, one of the values of `core.battles.PREFERENCES`, and
    who said it.
    """

    first: str
    second: str
    preference: str
    assessor: str


class TopicThings(NamedTuple):
    """What a strategy knows of a topic.

    Attributes:
        things: the ids of the things that may be compared, in byte order; no two of them are identical.
        asked: the pairs that were chosen so far, in the order of the log, each with its things in byte order.
        answered: the preferences, in byte order.
        followed: the pairs of the question that a parameter `question` names, in the order of the log.
    """

    topic_id: str
    things: tuple[str, ...]
    asked: tuple[tuple[str, str], ...]
    answered: tuple[Answered, ...]
    followed: tuple[tuple[str, str], ...] = ()

    @property
    def waiting(self) -> tuple[tuple[str, str], ...]:
        """The pairs of `asked` for which there is no preference yet."""
        known = {each[:2] for each in self.answered}
        return tuple(pair for pair in self.asked if pair not in known)


class PairChoice(NamedTuple):
    """Two things that are compared, in byte order, and the probability with which this pair was chosen."""

    first: str
    second: str
    probability: float = 1.0


@dataclass(frozen=True, eq=False)
class Pairing(Entry):
    """A way to choose pairs: `function(topic, rng, **parameters)`."""

    function: Callable[..., Sequence[PairChoice]]
    kind: ClassVar = "pairs"
    wish: ClassVar = "compare"


PAIRINGS = Registry("strategy for pairs", "strategies for pairs", Pairing)
pairing = PAIRINGS.register


def chosen_pairs(
    strategy: str, topic: TopicThings, seed: int, parameters: Mapping[str, Any]
) -> list[PairChoice]:
    """The pairs that a strategy asks next about a topic; chance follows from the seed, the topic and how many it asked.

    CampaignError for a choice that is none: a thing that is not there, a pair that was asked or chosen twice, things
    that are not in byte order, or a probability outside of (0, 1].
    """
    words = f"{seed}\0{topic.topic_id}\0{len(topic.asked)}".encode()
    rng = np.random.default_rng(int.from_bytes(sha256(words).digest()[:16]))
    found, asked, known = [], set(topic.asked), set(topic.things)
    for each in PAIRINGS.find(strategy).function(topic, rng, **parameters):
        pair, probability = (each.first, each.second), float(each.probability)
        if not (set(pair) <= known and each.first.encode() < each.second.encode() and 0 < probability <= 1):
            raise CampaignError(
                f"{strategy} chose {pair} for topic {topic.topic_id}, which is no pair of things there"
            )
        if pair in asked:
            raise CampaignError(f"{strategy} chose {pair} for topic {topic.topic_id} twice")
        asked.add(pair)
        found.append(PairChoice(*pair, probability))
    return found
