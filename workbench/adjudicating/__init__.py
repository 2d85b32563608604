"""Settling what assessors disagree on: which conflicts first, what the adjudicator is shown, and what is stored."""

from __future__ import annotations

from workbench.adjudicating.conflicts import (
    Conflict,
    Conflicts,
    Influence,
    conflicts,
    open_pairs,
    settled_by_topic,
)
from workbench.adjudicating.deciding import Decision, adjudicate, take_back
from workbench.adjudicating.kept import kept_conflicts
from workbench.adjudicating.voices import Pair, Voice, pair_of

__all__ = [
    "Conflict",
    "Conflicts",
    "Decision",
    "Influence",
    "Pair",
    "Voice",
    "adjudicate",
    "conflicts",
    "kept_conflicts",
    "open_pairs",
    "pair_of",
    "settled_by_topic",
    "take_back",
]
