"""Measures of retrieval effectiveness: a registry of functions over rankings joined with judgments."""

from __future__ import annotations

from workbench.measures import binary, counts, graded  # noqa: F401  (importing them fills the registry)
from workbench.measures.judged import JudgedRankings
from workbench.measures.means import mean_over_topics, sum_over_topics
from workbench.measures.parsing import parse_measure, parse_measures
from workbench.measures.registry import MEASURES, BoundMeasure, Measure

__all__ = [
    "MEASURES",
    "BoundMeasure",
    "JudgedRankings",
    "Measure",
    "mean_over_topics",
    "parse_measure",
    "parse_measures",
    "sum_over_topics",
]
