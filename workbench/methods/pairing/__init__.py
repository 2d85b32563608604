"""Which pairs of things are compared next, and the side on which each thing stands."""

from __future__ import annotations

from workbench.methods.pairing.registry import (
    PAIRINGS,
    Answered,
    PairChoice,
    Pairing,
    TopicThings,
    chosen_pairs,
)
from workbench.methods.pairing.sides import left_in_prompt, left_of
from workbench.methods.pairing.strategies.exhaustive import all_pairs
