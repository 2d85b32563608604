"""What programs read as JSON: one text for people too, or one line for each record."""

from __future__ import annotations

import json


def json_text(content: object, *, allow_nan: bool = False) -> str:
    """The content indented, in the order given, ending in a line feed.

    ValueError for a number that JSON does not have, unless `allow_nan`: values of measures may be infinite.
    """
    return json.dumps(content, ensure_ascii=False, indent=2, allow_nan=allow_nan) + "\n"


def json_line(content: object) -> str:
    """One line of JSONL."""
    return _LINE.encode(content) + "\n"


_LINE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
