"""Measures of answers by the weighted questions of a rubric, as TREC DRAGUN has them.

Each is a function of the weight of every question with what its labels are worth, from -1, contradicts, to 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean

from workbench.core.registry import Entry, Registry

RUBRIC_MEASURES: Registry[Entry] = Registry("measure by rubrics", "measures by rubrics", Entry)
measure = RUBRIC_MEASURES.register

Labelled = Sequence[tuple[float, Sequence[float]]]


def _weighted(labelled: Labelled, held: Callable[[Sequence[float]], float]) -> float:
    """What is held of the questions, by their weights; a question without labels holds nothing."""
    whole = sum(weight for weight, _ in labelled)
    return sum(weight * held(worth) for weight, worth in labelled if worth) / whole if whole else 0.0


@measure("supportive_score")
def supportive(labelled: Labelled) -> float:
    """How much of what a rubric asks for a report supports.

    Formula: sum of weight · mean over the question's short answers (supports 1, partial ½) / sum of weights

    Weights: have to know 4, good to know 2, nice to know 1.

    Source: trec-dragun/resources, utils/score.py, score_report_generation.
    """
    return _weighted(labelled, lambda worth: fmean(max(each, 0.0) for each in worth))


@measure("contradictory_score")
def contradictory(labelled: Labelled) -> float:
    """How much of what a rubric asks for a report contradicts.

    Formula: sum of weight · share of the question's short answers that it contradicts / sum of weights

    Source: as supportive_score.
    """
    return _weighted(labelled, lambda worth: fmean(max(-each, 0.0) for each in worth))


@measure("question_score")
def question_score(labelled: Labelled) -> float:
    """How well the questions of a run match those of a rubric: of each the best match counts.

    Formula: sum of weight · best label (very similar 1, similar ½; a compound question 0) / sum of weights

    Source: trec-dragun/resources, utils/score.py, score_question_generation.
    """
    return _weighted(labelled, max)
