"""Values of form fields: an empty field is no mistake, a wrong one is reported."""

from __future__ import annotations

from flask import request

from workbench.core.errors import CampaignError

LONGEST = 18
"""Digits of a whole number, so that it has room in a campaign file."""


def natural_number(text: str) -> int | None:
    """The number from 0 up that a text has in digits; None for anything else, and for more digits than LONGEST."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= LONGEST else None


def one_line(field: str, longest: int) -> str:
    """The text in a field of this request's form with single blanks between words, cut at `longest` characters."""
    return " ".join(request.form.get(field, "").split())[:longest]


def whole_number(field: str, expected: str, usual: int) -> int:
    """The whole number in a field of this request's form, or what is usual where it is empty or missing.

    Raises CampaignError with the words of `expected` for anything else.
    """
    text = request.form.get(field, "").strip()
    if not text:
        return usual
    if natural_number(text.removeprefix("-")) is None:
        raise CampaignError(expected)
    return int(text)
