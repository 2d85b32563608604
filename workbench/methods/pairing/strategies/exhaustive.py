"""Every pair, of all things or of another question."""

from __future__ import annotations

from itertools import combinations
from typing import Annotated

import numpy as np

from workbench.core.errors import CampaignError
from workbench.core.parameters import Limits
from workbench.methods.pairing.registry import PairChoice, TopicThings, pairing

Followed = Annotated[str, Limits("The question whose pairs are asked about", example="better")]
Most = Annotated[int, Limits("The most pairs of a topic", least=1, most=100_000)]


@pairing("all-pairs")
def all_pairs(topic: TopicThings, rng: np.random.Generator, *, most: Most = 1_000) -> list[PairChoice]:
    """Every two things of a topic; those that come later, with all others.

    N things are N (N - 1) / 2 pairs: a topic with more than `most` is refused.
    """
    pairs, number = len(topic.things) * (len(topic.things) - 1) // 2, len(topic.things)
    if pairs > most:
        raise CampaignError(
            f"topic {topic.topic_id} has {number:,} things to compare, which are {pairs:,} pairs, and at most {most:,} "
            f"are asked; allow more (--set most={pairs}), or compare fewer"
        )
    asked = set(topic.asked)
    return [PairChoice(*pair) for pair in combinations(topic.things, 2) if pair not in asked]


@pairing("follow")
def follow(topic: TopicThings, rng: np.random.Generator, *, question: Followed) -> list[PairChoice]:
    """The pairs that `question` asks about, each as soon as it does, with the same sides: a further criterion."""
    asked, known = set(topic.asked), set(topic.things)
    return [PairChoice(*pair) for pair in topic.followed if pair not in asked and set(pair) <= known]
