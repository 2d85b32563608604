"""A campaign's scale as the buttons of the judging page: key, shape and tone of each grade."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from workbench.core.records import Grade
from workbench.web.judging.keys import grade_action, grade_keys

TONES = 4
"""Steps of colour that the style sheet has for relevant grades."""


class GradeButton(NamedTuple):
    """One grade as it is offered: `key` is a digit or a letter.

    `fill` is the share of the disc that is filled, 0 to 100. `tone` is "none" for grades that are not relevant,
    "1" to "4" for relevant ones from the weakest to the strongest, "special" for negative grades.
    """

    grade: int
    name: str
    guideline: str
    key: str
    fill: int
    tone: str


def in_order(grades: Sequence[Grade]) -> list[Grade]:
    """A scale as it is offered: ordinary grades ascending, then the special ones, nearest to 0 first."""
    ordinary = sorted(grade for grade in grades if grade.grade >= 0)
    return [*ordinary, *sorted((grade for grade in grades if grade.grade < 0), reverse=True)]


def grade_buttons(
    grades: Sequence[Grade],
    relevant_from: int,
    own_keys: Mapping[str, str] | None = None,
    order: str = "ascending",
) -> list[GradeButton]:
    """The buttons of a scale; `own_keys` are the keys that an assessor has changed, by action.

    `order` is one of KEY_ORDERS: descending offers the highest grade first. Special grades come last in both, and the
    key of a grade is the same.
    """
    ordered, own = in_order(grades), own_keys or {}
    ordinary = [grade for grade in ordered if grade.grade >= 0]
    keys = grade_keys(ordered)
    fills, tones = _fills(ordinary), _tones(ordinary, relevant_from)
    buttons = [
        GradeButton(
            *grade,
            key=own.get(grade_action(grade.grade), keys[grade.grade]),
            fill=fills.get(grade.grade, 0),
            tone=tones.get(grade.grade, "special"),
        )
        for grade in ordered
    ]
    if order == "descending":
        buttons.sort(key=lambda button: -button.grade)
    return buttons


def _fills(ordinary: Sequence[Grade]) -> dict[int, int]:
    steps = max(len(ordinary) - 1, 1)
    return {grade.grade: round(100 * step / steps) for step, grade in enumerate(ordinary)}


def _tones(ordinary: Sequence[Grade], relevant_from: int) -> dict[int, str]:
    relevant = [grade.grade for grade in ordinary if grade.grade >= relevant_from]
    tones = {grade.grade: "none" for grade in ordinary}
    for step, grade in enumerate(relevant, start=1):
        tones[grade] = str(-(-TONES * step // len(relevant)))
    return tones
