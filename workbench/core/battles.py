"""Battles: two things for a topic, shown side by side, and which of them an assessor prefers."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

LEFT, RIGHT, TIE, BOTH_BAD = "left", "right", "tie", "both bad"
OUTCOMES = (LEFT, RIGHT, TIE, BOTH_BAD)
"""What can be preferred, as shown: `left` is the thing that stood on the left; of label 1, 2, 3, and 0 at the end."""

FIRST, SECOND = "first", "second"
"""The two things of a pair, in byte order of their ids."""
PREFERS_FIRST, PREFERS_SECOND, PREFERS_NEITHER = 1, 2, 3
PREFERENCES = {PREFERS_FIRST: FIRST, PREFERS_SECOND: SECOND, PREFERS_NEITHER: TIE, 0: BOTH_BAD}
"""What each label of a question about pairs says, wherever the things stood."""
_TURNED = {PREFERS_FIRST: PREFERS_SECOND, PREFERS_SECOND: PREFERS_FIRST}


def seen_from(left: str | None, grade: int | None) -> int | None:
    """The label of a preference as shown, 1 for the left side, by what stood there; and the other way round.

    >>> seen_from("second", 1), seen_from("second", 3), seen_from("first", 1)
    (2, 3, 1)
    """
    return _TURNED.get(grade, grade) if left == SECOND and grade is not None else grade


def called(left: str | None, grade: int, name: str) -> str:
    """What a label as shown is called for who saw the sides: by its side, where things stood left and right.

    >>> called("second", 1, "First"), called(None, 1, "Relevant")
    ('Left', 'Relevant')
    """
    return {1: LEFT, 2: RIGHT}.get(grade, name).capitalize() if left and grade in _TURNED else name


PERSON, MODEL, AGENT = "person", "model", "agent"
CLASSES = (PERSON, MODEL, AGENT)
"""The classes of assessors."""

NO_CRITERIA: Mapping[str, str] = MappingProxyType({})


class Battle(NamedTuple):
    """One comparison of two runs, with the sides as they were shown.

    Attributes:
        winner: one of OUTCOMES.
        side_seed: the seed by which the sides were drawn, None where it is not recorded.
        seconds: how long the assessor took, None for unknown.
        criteria: of each further criterion one of OUTCOMES.
    """

    battle_id: str
    topic_id: str
    left_run: str
    right_run: str
    winner: str
    assessor: str = ""
    assessor_class: str = PERSON
    side_seed: int | None = None
    seconds: float | None = None
    criteria: Mapping[str, str] = NO_CRITERIA
    reason: str = ""
