"""Grades as they were given: the button of each as it was on the scale then."""

from __future__ import annotations

from collections.abc import Iterable

from workbench.core.values import LARGEST_INTEGER
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades.scales import Scales, as_given
from workbench.web.judging.keys import GradeButton, grade_buttons


def given_buttons(
    campaign: Campaign, seqs: Iterable[int], *, at_first: bool = True
) -> dict[int, GradeButton]:
    """By row of the log, as in `as_given`; a grade that was on no scale then is left out."""
    every = as_given(campaign, seqs, at_first=at_first).items()
    buttons = {seq: (grade, grade_buttons(then.grades, then.relevant_from)) for seq, (grade, then) in every}
    return {seq: each for seq, (grade, scale) in buttons.items() for each in scale if each.grade == grade}


def buttons_at(campaign: Campaign, place: int | None) -> dict[int, GradeButton]:
    """The buttons of the scale as of a row of the log, None for now, by grade."""
    then = Scales(campaign).at(LARGEST_INTEGER if place is None else place)
    return {button.grade: button for button in grade_buttons(then.grades, then.relevant_from)}
