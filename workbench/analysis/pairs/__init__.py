"""Single pairs as the organiser sees them: all that is known of one, and the pairs of a topic with their judgments."""

from __future__ import annotations

from workbench.analysis.pairs.of_topic import REASONS, JudgedPair, PairsOfTopic, pairs_of_topic
from workbench.analysis.pairs.overruling import (
    LogRow,
    NearDuplicate,
    PairRecord,
    RunRank,
    cannot_overrule,
    counts_by,
    overrule,
    pair_record,
)

__all__ = [
    "REASONS",
    "JudgedPair",
    "LogRow",
    "NearDuplicate",
    "PairRecord",
    "PairsOfTopic",
    "RunRank",
    "cannot_overrule",
    "counts_by",
    "overrule",
    "pair_record",
    "pairs_of_topic",
]
