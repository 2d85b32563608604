"""How assessors may set up the judging page: every preference with its default, and what it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from flask import g, url_for

from workbench.campaign.campaign_settings import MOST_DOCUMENTS, MOST_MINUTES
from workbench.core.records import Grade
from workbench.core.values import one_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import own_terms, preferences
from workbench.web.judging.keys import WrongKey, in_order, keys_for
from workbench.web.judging.submissions import Reader, WrongField, read_truth

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


def _simple(default: Any, read: Reader) -> Preference:
    """A preference that does not depend on the grades."""
    return Preference(default, lambda value, _: read(value))


def _size(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not SMALLEST <= value <= LARGEST:
        raise ValueError(f"a whole number of pixels from {SMALLEST} to {LARGEST} is expected")
    return value


def _break(longest: int) -> Preference:
    """How much comes between two breaks: 0 for no breaks, None for what the organiser set."""

    def read(value: object) -> int | None:
        if value is not None and (
            not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= longest
        ):
            raise ValueError(f"a whole number from 0 (no break) to {longest}, or null, is expected")
        return value

    return _simple(None, read)


PREFERENCES: Mapping[str, Preference] = {
    "keys": Preference({}, _keys),
    "stay": _simple(False, read_truth),
    "opening": _simple("passage", one_of(OPENINGS).read),
    "size": _simple(17, _size),
    "face": _simple("sans", one_of(FACES).read),
    "ahead": _simple("many", one_of(AHEADS).read),
    "break_documents": _break(MOST_DOCUMENTS),
    "break_minutes": _break(MOST_MINUTES),
}


def all_of(campaign: Campaign, assessor: str) -> dict[str, Any]:
    """Every preference of an assessor. What is stored and no longer fits (the grades have changed) is the default."""
    grades, stored = _grades(campaign), preferences.of(campaign, assessor)
    found = {}
    for name, (default, check) in PREFERENCES.items():
        try:
            found[name] = check(stored.get(name, default), grades)
        except ValueError:
            found[name] = default
    return found


def page_data(topic_id: str, own: dict[str, Any]) -> dict[str, Any]:
    """What a page with documents of a topic starts from that knows these preferences of the signed-in assessor."""
    name = g.campaign.name
    url = url_for("assessor_settings.change_preferences", campaign=name)
    return {
        "campaign": name,
        "account": g.account,
        "topic_id": topic_id,
        "terms_url": url_for("assessor_settings.change_terms", campaign=name),
        "history_url": url_for("assessor_settings.history", campaign=name),
        "terms": own_terms.of_topic(g.campaign, g.member, topic_id),
        "terms_off": own_terms.unmarked(g.campaign, g.member, topic_id),
        "preferences": {"campaign": name, "url": url, "values": own},
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
