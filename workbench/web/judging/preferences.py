"""How assessors may set up the judging page: every preference with its default, and what it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from flask import url_for

from workbench.campaign.campaign_settings import MOST_DOCUMENTS, MOST_MINUTES
from workbench.core.records import Grade
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import preferences
from workbench.web.judging.grade_buttons import in_order
from workbench.web.judging.keys import WrongKey, keys_for
from workbench.web.judging.submissions import WrongField

SMALLEST, LARGEST = 13, 24
"""Sizes of a document's text in CSS pixels."""

OPENINGS = ("passage", "whole")
FACES = ("sans", "serif")
AHEADS = ("few", "many", "topic")
"""How many documents are loaded before they are needed."""

MOST_KEYS = 200


class Preference(NamedTuple):
    """One thing to set. `check` gives the value back, or raises ValueError with what is expected instead."""

    default: Any
    check: Callable[[object, Sequence[Grade]], Any]


def _keys(value: object, grades: Sequence[Grade]) -> dict[str, str]:
    if not isinstance(value, dict) or len(value) > MOST_KEYS:
        raise ValueError("an object that gives each changed action its key is expected")
    if not all(isinstance(key, str) for key in value.values()):
        raise ValueError("each key is a text")
    try:
        keys_for(value, grades)
    except WrongKey as error:
        raise ValueError(str(error)) from None
    return dict(value)


def _stay(value: object, _: Sequence[Grade]) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false is expected")
    return value


def _opening(value: object, _: Sequence[Grade]) -> str:
    if value not in OPENINGS:
        raise ValueError(f"one of {', '.join(OPENINGS)} is expected")
    return str(value)


def _face(value: object, _: Sequence[Grade]) -> str:
    if value not in FACES:
        raise ValueError(f"one of {', '.join(FACES)} is expected")
    return str(value)


def _ahead(value: object, _: Sequence[Grade]) -> str:
    if value not in AHEADS:
        raise ValueError(f"one of {', '.join(AHEADS)} is expected")
    return str(value)


def _size(value: object, _: Sequence[Grade]) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not SMALLEST <= value <= LARGEST:
        raise ValueError(f"a whole number of pixels from {SMALLEST} to {LARGEST} is expected")
    return value


def _break(longest: int) -> Callable[[object, Sequence[Grade]], int | None]:
    """How much comes between two breaks: 0 for no breaks, None for what the organiser set."""

    def check(value: object, _: Sequence[Grade]) -> int | None:
        if value is not None and (
            not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= longest
        ):
            raise ValueError(f"a whole number from 0 (no break) to {longest}, or null, is expected")
        return value

    return check


PREFERENCES: Mapping[str, Preference] = {
    "keys": Preference({}, _keys),
    "stay": Preference(False, _stay),
    "opening": Preference("passage", _opening),
    "size": Preference(17, _size),
    "face": Preference("sans", _face),
    "ahead": Preference("many", _ahead),
    "break_documents": Preference(None, _break(MOST_DOCUMENTS)),
    "break_minutes": Preference(None, _break(MOST_MINUTES)),
}


def all_of(campaign: Campaign, assessor: str) -> dict[str, Any]:
    """Every preference of an assessor. What is stored and no longer fits (the grades have changed) is the default."""
    grades, stored = _grades(campaign), preferences.of(campaign, assessor)
    return {
        name: _fitting(preference, stored.get(name, preference.default), grades)
        for name, preference in PREFERENCES.items()
    }


def for_page(name: str, values: dict[str, Any]) -> dict[str, Any]:
    """What a page of a campaign starts from that knows these preferences."""
    return {
        "campaign": name,
        "url": url_for("assessor_settings.change_preferences", campaign=name),
        "values": values,
    }


def change(campaign: Campaign, assessor: str, values: Mapping[str, object]) -> dict[str, Any]:
    """Set these preferences, all or none, and return all of them; WrongField says what is not taken."""
    grades = _grades(campaign)
    checked = {name: _checked(name, value, grades) for name, value in values.items()}
    with campaign.write():
        preferences.put(campaign, assessor, checked)
    return all_of(campaign, assessor)


def _grades(campaign: Campaign) -> list[Grade]:
    return in_order(settings.read(campaign).grades)


def _checked(name: str, value: object, grades: Sequence[Grade]) -> Any:
    if name not in PREFERENCES:
        raise WrongField(name[:100], f"there is no such preference; there are {', '.join(PREFERENCES)}")
    try:
        return PREFERENCES[name].check(value, grades)
    except ValueError as error:
        raise WrongField(name, str(error)) from None


def _fitting(preference: Preference, value: object, grades: Sequence[Grade]) -> Any:
    try:
        return preference.check(value, grades)
    except ValueError:
        return preference.default
