"""HTML whose letters would be written again and again, made harmless before it is parsed.

A parser repeats every `b`, `font` and the like that was not closed in each block that follows (the "active
formatting elements" of the HTML standard, 13.2.4.3): a page of 40 kB can become millions of elements.
"""

from __future__ import annotations

import re
from collections import Counter

MOST_REPEATED = 2_000_000
"""Elements that a parser may add at most; pages that people wrote stay far below."""

ALIKE = 3
"""So many open tags of one name and the same attributes are repeated, further ones are not."""

FORMATTING = re.compile(
    r"<(/?)(b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])([^<>]*)(>?)", re.IGNORECASE
)
"""`a` and `nobr` are left out: a second one closes the first."""

ATTRIBUTES = re.compile(
    r"""(?:\s++[\w:-]++(?:\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[\w#%.,:;+-]++))?+)*+\s*+/?"""
)
"""Attributes of which every parser says the same; a quote in the wrong place may hide the end of a tag."""


def untangled(html: str, most: int = MOST_REPEATED) -> str:
    """The same HTML, if a parser can add `most` elements at most; else with `span` for all tags it could repeat.

    >>> untangled("fro<b>zen</b>")
    'fro<b>zen</b>'
    """
    if _most_open(html) * html.count("<") <= most:
        return html
    return FORMATTING.sub(r"<\1span\4", html)


def _most_open(html: str) -> int:
    """How many such tags can be open at once, were none of them ever closed."""
    alike: Counter[tuple[str, str]] = Counter()
    others = 0
    for closing, name, attributes, end in FORMATTING.findall(html):
        if closing:
            continue
        if end and ATTRIBUTES.fullmatch(attributes):
            alike[name.lower(), attributes] += 1
        else:
            others += 1
    return others + sum(min(count, ALIKE) for count in alike.values())
