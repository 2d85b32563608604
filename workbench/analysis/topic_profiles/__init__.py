"""Topics of a campaign: how hard each is, what its runs rank where, and how its relevant documents were found."""

from __future__ import annotations

from workbench.analysis.topic_profiles.discovery import Found, history_of
from workbench.analysis.topic_profiles.ranks import MAP_DEPTH, RankMap, Stretch, rank_map
from workbench.analysis.topic_profiles.surprises import Surprise, Surprises, surprises
from workbench.analysis.topic_profiles.table import Difficulty, TopicRow, TopicTable, topic_table

__all__ = [
    "MAP_DEPTH",
    "Difficulty",
    "Found",
    "RankMap",
    "Stretch",
    "Surprise",
    "Surprises",
    "TopicRow",
    "TopicTable",
    "history_of",
    "rank_map",
    "surprises",
    "topic_table",
]
