"""What a page tells in its alerts."""

from __future__ import annotations

from lxml import html


def alerts(page: str) -> str:
    """The words of all alerts that a page shows, each on a line."""
    found = html.document_fromstring(page).xpath("//*[@role='alert' and not(@hidden)]")
    return "\n".join(" ".join(each.text_content().split()) for each in found)
