"""Evaluation: from files of runs and qrels to rankings with labels, without a campaign."""

from __future__ import annotations

from workbench.evaluation.joining import Joined, join
from workbench.evaluation.reading import EvaluationFiles, QrelsLines, RunLines, read_evaluation

__all__ = ["EvaluationFiles", "Joined", "QrelsLines", "RunLines", "join", "read_evaluation"]
