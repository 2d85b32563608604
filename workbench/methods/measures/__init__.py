"""Measures of retrieval effectiveness: a registry of functions over rankings joined with judgments."""

from __future__ import annotations

from workbench.methods.measures import (  # noqa: F401  (importing them fills the registry)
    answers,
    binary,
    bounds,
    cascade,
    counts,
    diversity,
    graded,
    incomplete,
    inferred,
    levels,
    questions,
    sets,
    user_models,
    weighted,
)
from workbench.methods.measures.judged import JudgedRankings
from workbench.methods.measures.means import mean_over_topics, over_topics, sum_over_topics
from workbench.methods.measures.parsing import Named, parse_measure, parse_measures, parse_named, sources
from workbench.methods.measures.registry import MEASURES, BoundMeasure, Measure

__all__ = [
    "MEASURES", "BoundMeasure", "JudgedRankings", "Measure", "Named", "mean_over_topics", "over_topics",
    "parse_measure", "parse_measures", "parse_named", "sources", "sum_over_topics",
]  # fmt: skip
