"""What programs read as JSON: one text for people too, one line for each record, or pieces of a long text."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

OnRow = Callable[[int], None]


def json_text(content: object, *, allow_nan: bool = False) -> str:
    """The content indented, in the order given, ending in a line feed.

    ValueError for a number that JSON does not have, unless `allow_nan`: values of measures may be infinite.
    """
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=allow_nan) + "\n"


def json_line(content: object) -> str:
    """One line of JSONL."""
    return _LINE.encode(content) + "\n"


_LINE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


class Section(dict[str, Any]):
    """A JSON object that is written a key a line; its values may be read while they are written."""


def json_pieces(value: Any, on_row: OnRow = lambda rows: None) -> Iterator[str]:
    """A value as JSON in pieces: an iterator becomes an array with an element a line."""
    if isinstance(value, Section):
        yield "{"
        for place, (key, each) in enumerate(value.items()):
            yield f"{',' if place else ''}\n{json.dumps(key, ensure_ascii=False)}: "
            yield from json_pieces(each, on_row)
        yield "}"
    elif isinstance(value, Iterator):
        yield "["
        for place, each in enumerate(value):
            yield ",\n" if place else "\n"
            yield from json_pieces(each, on_row)
            on_row(1)
        yield "]"
    else:
        yield json.dumps(value, ensure_ascii=False)
