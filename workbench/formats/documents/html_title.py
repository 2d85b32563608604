"""The title of an HTML page."""

from __future__ import annotations

import re
from html import unescape

TITLE = re.compile(r"<title(?:\s[^<>]*)?>(.*?)(?:</title|\Z)", re.IGNORECASE | re.DOTALL)
TITLE_WITHIN = 256 * 1024
LONGEST_TITLE = 1000


def html_title(html: str) -> str:
    """The page's title on one line, '' if it has none."""
    found = TITLE.search(html, 0, TITLE_WITHIN)
    return " ".join(unescape(found[1]).split())[:LONGEST_TITLE] if found else ""
