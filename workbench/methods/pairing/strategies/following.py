"""The pairs of another question: a further criterion about the same pairs."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from workbench.core.parameters import Limits
from workbench.methods.pairing.registry import PairChoice, TopicThings, pairing

Followed = Annotated[str, Limits("The question whose pairs are asked about", example="better")]


@pairing("follow")
def follow(topic: TopicThings, rng: np.random.Generator, *, question: Followed) -> list[PairChoice]:
    """The pairs that `question` asks about, each as soon as it does, with the same sides: a further criterion."""
    asked, known = set(topic.asked), set(topic.things)
    return [PairChoice(*pair) for pair in topic.followed if pair not in asked and set(pair) <= known]
