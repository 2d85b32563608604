"""Comparing: runs with runs, leaderboards with leaderboards, and what a number of topics can show."""

from __future__ import annotations

from workbench.analysis.comparing.all_pairs import AllPairs, all_pairs
from workbench.analysis.comparing.documents import InfluentialDocument, TopicDifference, influential_documents
from workbench.analysis.comparing.leaderboards import (
    Agreement,
    Leaderboard,
    Position,
    leaderboard,
    leaderboard_by_file,
    two_leaderboards,
)
from workbench.analysis.comparing.planning import Detected, Needed, TopicPlan, plan_topics
from workbench.analysis.comparing.runs import Comparison, RunDifference, compare_runs
from workbench.analysis.comparing.scores import Scored, scores_of

__all__ = [
    "Agreement",
    "AllPairs",
    "Comparison",
    "Detected",
    "InfluentialDocument",
    "Leaderboard",
    "Needed",
    "Position",
    "RunDifference",
    "Scored",
    "TopicDifference",
    "TopicPlan",
    "all_pairs",
    "compare_runs",
    "influential_documents",
    "leaderboard",
    "leaderboard_by_file",
    "plan_topics",
    "scores_of",
    "two_leaderboards",
]
