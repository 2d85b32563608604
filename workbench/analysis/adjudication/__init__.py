"""Settling what assessors disagree on: which conflicts first, what the adjudicator is shown, and what is stored."""

from __future__ import annotations

from workbench.analysis.adjudication.blinded_grades import BlindedGrade, Pair, pair_of
from workbench.analysis.adjudication.conflicts import (
    Conflict,
    Conflicts,
    Influence,
    cached_conflicts,
    conflicts,
    open_pairs,
    settled_by_topic,
)
from workbench.analysis.adjudication.deciding import Decision, adjudicate, take_back

__all__ = [
    "BlindedGrade",
    "Conflict",
    "Conflicts",
    "Decision",
    "Influence",
    "Pair",
    "adjudicate",
    "cached_conflicts",
    "conflicts",
    "open_pairs",
    "pair_of",
    "settled_by_topic",
    "take_back",
]
