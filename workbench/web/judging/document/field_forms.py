"""Fields of a document in the order and the forms that its campaign chose."""

from __future__ import annotations

from binascii import Error as Base64Error
from binascii import a2b_base64
from collections.abc import Mapping, Sequence
from json import JSONDecodeError
from typing import NamedTuple

from workbench.campaign.campaign_settings import REST, DocumentField
from workbench.formats.images import LARGEST_IMAGES, MOST_PIXELS, image_of
from workbench.formats.text.json_values import loads

LONGEST_FIELD = 300
MOST_ROWS, MOST_COLUMNS = 200, 30
"""Of a table that is shown."""

LONGEST_TABLE, DEEPEST_CELL = 100_000, 4
"""Characters of a value that is read as a table, and how deep what is in a cell may be nested."""

LINKS = ("http://", "https://")


class Field(NamedTuple):
    """A field above the document; `whole` is its value where `value` had to be cut, else empty.

    `rows` are those of a table, `source` is the address of an image that the field holds, or of a link, by its `form`.
    """

    name: str
    value: str
    whole: str = ""
    form: str = "text"
    rows: tuple[tuple[str, ...], ...] = ()
    source: str = ""


def chosen_fields(
    fields: Mapping[str, str], chosen: Sequence[DocumentField]
) -> tuple[tuple[Field, ...], tuple[Field, ...]]:
    """The fields that are named, in their order, and all others; those that are hidden are in neither."""
    forms = {field.name: field.form for field in chosen}
    there = {name.lower(): (name, value) for name, value in fields.items() if value.strip()}
    named = [(*there[name], form) for name, form in forms.items() if name in there and form != "hidden"]
    rest = [] if forms.get(REST) == "hidden" else [pair for key, pair in there.items() if key not in forms]
    other = forms.get(REST, "text")
    return tuple(field_as(*each) for each in named), tuple(field_as(*pair, other) for pair in rest)


def field_as(name: str, value: str, form: str = "text") -> Field:
    """A field in a form; as text where its value is nothing of that kind."""
    if form == "table" and len(value) <= LONGEST_TABLE and (rows := _rows(value)):
        return Field(name, "", form=form, rows=rows)
    if form == "image" and (source := _image(value)):
        return Field(name, "", form=form, source=source)
    is_long = len(value) > LONGEST_FIELD
    shown = value[: LONGEST_FIELD - 1] + "…" if is_long else value
    is_link = form == "link" and value.strip().lower().startswith(LINKS)
    return Field(name, shown, value if is_long else "", "link" if is_link else "text", source=value.strip())


def _image(value: str) -> str:
    """The image that a value holds in base64, as an address of its own; "" if it holds none that can be shown."""
    encoded = value.strip().partition(";base64,")[2] or value.strip()
    if len(encoded) * 3 > LARGEST_IMAGES * 4:
        return ""
    try:
        found = image_of(a2b_base64(encoded, strict_mode=True))
    except (Base64Error, ValueError):
        return ""
    fits = found is not None and found.pixels <= MOST_PIXELS
    return f"data:{found.media_type};base64,{encoded}" if found and fits else ""


def _rows(value: str) -> tuple[tuple[str, ...], ...]:
    """The rows of a table: of JSON its members or items, else of lines or parts between semicolons `name: value`."""
    try:
        found = loads(value)
    except JSONDecodeError:
        parts = value.splitlines() if "\n" in value else value.split(";")
        found = [list(map(str.strip, part.partition(": ")[::2])) for part in parts if part.strip()]
    if isinstance(found, dict):
        found = list(found.items())
    if not isinstance(found, list) or not found:
        return ()
    if all(isinstance(row, dict) for row in found):
        names = list(dict.fromkeys(name for row in found for name in row))[:MOST_COLUMNS]
        found = [names, *([row.get(name) for name in names] for row in found)]
    rows = [list(row) if isinstance(row, (list, tuple)) else [row] for row in found[:MOST_ROWS]]
    return tuple(tuple(map(_cell, row[:MOST_COLUMNS])) for row in rows)


def _cell(value: object, depth: int = 0) -> str:
    if depth > DEEPEST_CELL:
        return "…"
    if isinstance(value, dict):
        return _cell(
            [f"{name}: {_cell(inner, depth + 1)}" for name, inner in list(value.items())[:MOST_COLUMNS]]
        )
    if isinstance(value, list):
        return "; ".join(_cell(each, depth + 1) for each in value[:MOST_COLUMNS])[:LONGEST_FIELD]
    return "" if value is None else str(value)[:LONGEST_FIELD]
