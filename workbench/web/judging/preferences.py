"""How assessors may set up the judging page: every preference with its default, and what it takes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import Annotated, Any, NamedTuple

from flask import g, url_for

from workbench.campaign.campaign_settings import MOST_DOCUMENTS, MOST_MINUTES
from workbench.core.records import Grade
from workbench.core.results import content
from workbench.core.values import TRUTH, By, Given, Values, declared, one_of, whole
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import own_terms, preferences
from workbench.web.judging.keys import WrongKey, in_order, keys_for, settled_keys
from workbench.web.judging.submissions import WrongField

SMALLEST, LARGEST = 13, 24
"""Sizes of a document's text in CSS pixels."""

MOST_KEYS = 200


def _read_keys(value: object) -> dict[str, str]:
    if not isinstance(value, dict) or len(value) > MOST_KEYS:
        raise ValueError("expected an object that gives each changed action its key")
    if not all(isinstance(key, str) for key in value.values()):
        raise ValueError("each key must be a string")
    return dict(value)


def _between_breaks(most: int) -> Given:
    return Given(whole(f"a whole number from 0 (no break) to {most}, or null,", 0, most), by=ANY)


ANY: By = "client, if any"
KEYS = {"type": "object", "additionalProperties": {"type": "string"}, "maxProperties": MOST_KEYS}
PIXELS = whole(f"a whole number of pixels from {SMALLEST} to {LARGEST}", SMALLEST, LARGEST)


class Preferences(NamedTuple):
    """How an assessor has set up the judging page.

    Attributes:
        keys: the key of each action that has another than its usual one.
        stay: whether a document stays after it was judged.
        opening: what a document opens at.
        size: the size of its text in CSS pixels.
        face: its typeface.
        ahead: how many documents are loaded before they are needed.
        break_documents, break_minutes: how much comes between two breaks: 0 for no breaks, None for what the organiser
            set.
    """

    keys: Annotated[Mapping[str, str], Given(Values(_read_keys, KEYS), by=ANY)] = MappingProxyType({})
    stay: Annotated[bool, Given(TRUTH, by=ANY)] = False
    opening: Annotated[str, Given(one_of(("passage", "whole")), by=ANY)] = "passage"
    size: Annotated[int, Given(PIXELS, by=ANY)] = 17
    face: Annotated[str, Given(one_of(("sans", "serif")), by=ANY)] = "sans"
    ahead: Annotated[str, Given(one_of(("few", "many", "topic")), by=ANY)] = "many"
    break_documents: Annotated[int | None, _between_breaks(MOST_DOCUMENTS)] = None
    break_minutes: Annotated[int | None, _between_breaks(MOST_MINUTES)] = None


PREFERENCES = {field.name: field for field in declared(Preferences)}


def check(name: str, value: object, grades: Sequence[Grade]) -> Any:
    """The value of a preference as it is stored; ValueError says what is expected instead."""
    found = PREFERENCES[name].read(value)
    if name == "keys":
        try:
            keys_for(found, grades)
        except WrongKey as error:
            raise ValueError(str(error)) from None
    return found


def all_of(campaign: Campaign, assessor: str) -> dict[str, Any]:
    """Every preference of an assessor. What is stored and no longer fits (the grades have changed) is the default."""
    grades = _grades(campaign)
    found: dict[str, Any] = content(Preferences())
    for name, value in preferences.of(campaign, assessor).items():
        with suppress(KeyError, ValueError, AttributeError):
            found[name] = check(name, settled_keys(value) if name == "keys" else value, grades)
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
    """Those of relevance: keys are the same whatever is asked."""
    return in_order(settings.read(campaign.asking("")).grades)


def _checked(name: str, value: object, grades: Sequence[Grade]) -> Any:
    if name not in PREFERENCES:
        raise WrongField(name[:100], f"there is no such preference; there are {', '.join(PREFERENCES)}")
    try:
        return check(name, value, grades)
    except ValueError as error:
        raise WrongField(name, str(error)) from None
