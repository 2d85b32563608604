"""Values of fields of forms and addresses: an empty field is no mistake, a wrong one is reported."""

from __future__ import annotations

from flask import abort, g, request

from workbench.campaign.rounds import seen_by_name
from workbench.core.errors import CampaignError, NotThere, UnknownName
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.as_of import AsOf, find_as_of

ROUND = "round"
"""The field that names a round, as `campaign.rounds.part_named` reads it."""

LONGEST = 18
"""Digits of a whole number, so that it has room in a campaign file."""


def natural_number(text: str) -> int | None:
    """The number from 0 up that a text has in digits; None for anything else, and for more digits than LONGEST."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST else None


def whole_number(field: str, expected: str, usual: int) -> int:
    """A whole number of this form, `usual` if empty or missing; CampaignError(`expected`) for anything else."""
    text = request.form.get(field, "").strip()
    if not text:
        return usual
    if natural_number(text.removeprefix("-")) is None:
        raise CampaignError(expected)
    return int(text)


def found_as_of(text: str) -> AsOf | None:
    """The row of this request's campaign that a field names, None where it is empty; UnknownName for what is none."""
    try:
        return find_as_of(g.campaign, text)
    except CampaignError as error:
        raise UnknownName(str(error).removeprefix(f"{g.campaign.name}: ")) from error


def requested_row(field: str) -> AsOf | None:
    """The row of the log that a field of this request's address names, if it names one; an answer 422 for no row."""
    try:
        return found_as_of(request.args.get(field, ""))
    except UnknownName as error:
        abort(422, f"As of: {error}.")


def seen_campaign(as_of: int | None = None, usual: str = "") -> Campaign:
    """This campaign by the round of `?round=`, else `usual`, as of a row; UnknownName for an unknown round."""
    try:
        return seen_by_name(g.campaign.at(as_of), request.args.get(ROUND) or usual)
    except (CampaignError, NotThere) as error:
        raise UnknownName(str(error)) from error
