"""A campaign's scale as the buttons of the judging page: key, shape and tone of each grade."""

from __future__ import annotations

from collections.abc import Sequence
from string import ascii_lowercase
from typing import NamedTuple

from workbench.records import Grade

TAKEN_LETTERS = frozenset("ucjkxnpfmlg")
"""Letters that are, or will be, keys of the judging page itself."""

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


def grade_buttons(grades: Sequence[Grade], relevant_from: int) -> list[GradeButton]:
    """The buttons of a scale: ordinary grades ascending, then the special ones, nearest to 0 first."""
    ordinary = sorted(grade for grade in grades if grade.grade >= 0)
    special = sorted((grade for grade in grades if grade.grade < 0), reverse=True)
    keys = grade_keys([*ordinary, *special])
    fills, tones = _fills(ordinary), _tones(ordinary, relevant_from)
    return [
        GradeButton(
            *grade,
            key=keys[grade.grade],
            fill=fills.get(grade.grade, 0),
            tone=tones.get(grade.grade, "special"),
        )
        for grade in [*ordinary, *special]
    ]


def grade_keys(grades: Sequence[Grade]) -> dict[int, str]:
    """The key of each grade: its own digit from 0 to 9, else the first letter of its name that is still free.

    A name without a free Latin letter gets the first free letter of the alphabet; the buttons show it.
    """
    keys = {grade.grade: str(grade.grade) for grade in grades if 0 <= grade.grade <= 9}
    free = [letter for letter in ascii_lowercase if letter not in TAKEN_LETTERS]
    for grade in grades:
        if grade.grade not in keys:
            wanted = [*grade.name.lower(), *ascii_lowercase]
            keys[grade.grade] = next((letter for letter in wanted if letter in free), "")
            free = [letter for letter in free if letter != keys[grade.grade]]
    return keys


def _fills(ordinary: Sequence[Grade]) -> dict[int, int]:
    steps = max(len(ordinary) - 1, 1)
    return {grade.grade: round(100 * step / steps) for step, grade in enumerate(ordinary)}


def _tones(ordinary: Sequence[Grade], relevant_from: int) -> dict[int, str]:
    relevant = [grade.grade for grade in ordinary if grade.grade >= relevant_from]
    tones = {grade.grade: "none" for grade in ordinary}
    for step, grade in enumerate(relevant, start=1):
        tones[grade] = str(-(-TONES * step // len(relevant)))
    return tones
