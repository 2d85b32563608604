"""Which fields of documents assessors see, in which order, and as what: a line of text that an organiser writes.

`price; image: image; spec: table; score: hidden` shows the price, the image and the table in this order, hides the
score, and leaves all other fields where they would be; `*: hidden` hides these too.
"""

from __future__ import annotations

import re
from typing import NamedTuple

FORMS = ("text", "image", "link", "table", "hidden")
REST = "*"
"""All fields that are not named."""

LONGEST, MOST_FIELDS = 2_000, 100
PARTS = re.compile(r"[;\n]")


class DocumentField(NamedTuple):
    """A field by its name, in any case, and the form in which it is shown, one of FORMS."""

    name: str
    form: str = "text"


def document_fields(text: str) -> tuple[DocumentField, ...]:
    """The fields that a text names; ValueError for a form that there is not, or a field that is named twice.

    >>> document_fields("Price; dc:title; score: hidden")
    (DocumentField(name='price', form='text'), DocumentField(name='dc:title', form='text'), \
DocumentField(name='score', form='hidden'))
    """
    found = [_field(part) for part in PARTS.split(text) if part.strip()]
    names = [field.name for field in found]
    if len(text) > LONGEST or len(found) > MOST_FIELDS:
        message = f"{len(found):,} fields in {len(text):,} characters, at most {MOST_FIELDS} in {LONGEST:,}"
        raise ValueError(message)
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise ValueError(f"{twice!r} is named twice; name each field once")
    return tuple(found)


def written(fields: tuple[DocumentField, ...]) -> str:
    """The text for these fields."""
    return "; ".join(name if form == "text" else f"{name}: {form}" for name, form in fields)


def _field(text: str) -> DocumentField:
    name, colon, form = text.rpartition(": ")
    if not colon:
        return DocumentField(text.strip().lower())
    if form.strip().lower() not in FORMS:
        raise ValueError(f"{form.strip()[:40]!r} is no form of a field; there are {', '.join(FORMS)}")
    return DocumentField(name.strip().lower(), form.strip().lower())
