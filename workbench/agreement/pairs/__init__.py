"""Single pairs as the organiser sees them: all that is known of one, and the pairs of a topic with their judgments."""

from __future__ import annotations

from workbench.agreement.pairs.of_topic import REASONS, JudgedPair, PairsOfTopic, pairs_of_topic
from workbench.agreement.pairs.overruling import cannot_overrule, counts_by, overrule
from workbench.agreement.pairs.record import LogRow, NearDuplicate, PairRecord, RunRank, pair_record

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
