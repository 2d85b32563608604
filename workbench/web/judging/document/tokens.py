"""The tokens of cleaned HTML: tags, and stretches of text."""

from __future__ import annotations

from typing import NamedTuple

TEXT, OPEN, CLOSE, ALONE = "text", "open", "close", "alone"


class Token(NamedTuple):
    """A tag, or a stretch of text that is at `start` of the words."""

    kind: str
    name: str
    html: str
    text: str = ""
    start: int = 0
    source: str = ""
    """The tag's name in the page itself."""
    role: str = ""
    """What the page says of the element: its role, or "hidden"."""
