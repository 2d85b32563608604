"""Grades as they were given: the button of each as it was on the scale then."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from workbench.core.about import PAIRS
from workbench.core.values import LARGEST_INTEGER
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades.scales import Scales, as_given
from workbench.storage.campaign.organising.settings import Settings
from workbench.web.judging.keys import GradeButton, grade_buttons, preference_buttons


def given_buttons(
    campaign: Campaign, seqs: Iterable[int], *, at_first: bool = True
) -> dict[int, GradeButton]:
    """By row of the log, as in `as_given`; a grade that was on no scale then is left out."""
    found = as_given(campaign, seqs, at_first=at_first).items()
    return {seq: scale[one.grade] for seq, one in found if one.grade in (scale := buttons_of(one.then))}


def buttons_at(campaign: Campaign, place: int | None) -> dict[int, GradeButton]:
    """The buttons of the scale as of a row of the log, None for now, by grade."""
    return buttons_of(Scales(campaign).at(LARGEST_INTEGER if place is None else place))


def buttons_of(then: Settings) -> dict[int, GradeButton]:
    """The buttons of a scale by grade."""
    return {button.grade: button for button in offered_buttons(then._replace(key_order="ascending"))}


def offered_buttons(current: Settings, own_keys: Mapping[str, str] | None = None) -> list[GradeButton]:
    """The buttons of a scale, or of a preference, in their order; `own_keys` are those that an assessor has changed."""
    if current.about in PAIRS:
        return preference_buttons(current.grades, own_keys)
    return grade_buttons(current.grades, current.relevant_from, own_keys, current.key_order)
