"""Measures of answers by the weighted questions of a rubric, as TREC DRAGUN has them.

Each is a function of `Assigned` that gives one value per answer: a question weighs what its answers weigh together.
"""

from __future__ import annotations

from collections.abc import Sequence

from workbench.core.ranking import FloatArray
from workbench.core.registry import Entry, Registry
from workbench.methods.answers.nuggets import Assigned, weighted

RUBRIC_MEASURES: Registry[Entry] = Registry("measure by rubrics", "measures by rubrics", Entry)
measure = RUBRIC_MEASURES.register

SUPPORTIVE, CONTRADICTORY, QUESTION = "supportive_score", "contradictory_score", "question_score"

Labelled = Sequence[tuple[float, Sequence[float]]]
"""An answer: the weight of every question with what its labels are worth, from -1, contradicts, to 1."""


def packed(labelled: Sequence[Labelled]) -> Assigned:
    """Answers as measures of rubrics look at them; a question without labels holds nothing."""
    known = [[(weight, worth or [0.0]) for weight, worth in answer] for answer in labelled]
    return weighted([[(False, w / len(worth), each) for w, worth in one for each in worth] for one in known])


@measure(SUPPORTIVE)
def supportive(assigned: Assigned) -> FloatArray:
    """How much of what a rubric asks for a report supports.

    Formula: sum of weight · mean over the question's short answers (supports 1, partial ½) / sum of weights

    Weights: have to know 4, good to know 2, nice to know 1. In a campaign also vital 2, okay 1, a number as it is, and
    a nugget that is judged as a whole counts as a question with one answer.

    Source: trec-dragun/resources, utils/score.py, score_report_generation.
    """
    return assigned.share(assigned.held, assigned.weight)


@measure(CONTRADICTORY)
def contradictory(assigned: Assigned) -> FloatArray:
    """How much of what a rubric asks for a report contradicts.

    Formula: sum of weight · share of the question's short answers that it contradicts / sum of weights

    Source: as supportive_score.
    """
    return assigned.share(assigned.contradicted, assigned.weight)


@measure(QUESTION)
def question_score(assigned: Assigned) -> FloatArray:
    """How well the questions of a run match those of a rubric: of each the best match counts.

    Formula: sum of weight · best label (very similar 1, similar ½; a compound question 0) / sum of weights

    Source: trec-dragun/resources, utils/score.py, score_question_generation.
    """
    return assigned.share(assigned.held, assigned.weight)
