"""Comparing: runs with runs, leaderboards with leaderboards, and what a number of topics can show."""

from __future__ import annotations

from workbench.comparing.all_pairs import AllPairs, all_pairs
from workbench.comparing.documents import TellingDocument, TopicDifference, telling_documents
from workbench.comparing.leaderboards import (
    Agreement,
    Leaderboard,
    Position,
    leaderboard,
    two_leaderboards,
)
from workbench.comparing.planning import Detected, Needed, TopicPlan, plan_topics
from workbench.comparing.runs import Comparison, RunDifference, compare_runs
from workbench.comparing.scores import SEED, Scored, scores_of

__all__ = [
    "SEED",
    "Agreement",
    "AllPairs",
    "Comparison",
    "Detected",
    "Leaderboard",
    "Needed",
    "Position",
    "RunDifference",
    "Scored",
    "TellingDocument",
    "TopicDifference",
    "TopicPlan",
    "all_pairs",
    "compare_runs",
    "leaderboard",
    "plan_topics",
    "scores_of",
    "telling_documents",
    "two_leaderboards",
]
