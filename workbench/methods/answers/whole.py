"""Measures of answers by a grade that each has as a whole: functions of `Assigned`, as those of nuggets are."""

from __future__ import annotations

from workbench.core.ranking import FloatArray
from workbench.core.registry import Entry, Registry
from workbench.methods.answers.nuggets import Assigned

ANSWER_MEASURES: Registry[Entry] = Registry("measure of whole answers", "measures of whole answers", Entry)
measure = ANSWER_MEASURES.register


@measure("answer_score")
def answer_score(assigned: Assigned) -> FloatArray:
    """What the answer is worth as a whole.

    Formula: grade / highest grade of the scale

    Source: own; it is the grade, so that means over topics and campaigns with other scales can be compared.
    """
    return assigned.sums(assigned.held)
