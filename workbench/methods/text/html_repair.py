"""HTML that would cost a parser far more than its length, made harmless before it is parsed.

A parser repeats every `b`, `font` and the like that was not closed in each block that follows (the "active
formatting elements" of the HTML standard, 13.2.4.3): a page of 40 kB can become millions of elements. And at every
block it looks through all blocks that are open, so that blocks nested in blocks cost the square of their number.
"""

from __future__ import annotations

import re
from collections import Counter

MOST_REPEATED = 2_000_000
"""Elements that a parser may add at most; pages that people wrote stay far below."""

ALIKE = 3
"""This many open tags of one name and the same attributes are repeated, further ones are not."""

FORMATTING = re.compile(
    r"<(/?)(b|big|code|em|font|i|s|small|strike|strong|tt|u)(?=[\s/>])([^<>]*)(>?)", re.IGNORECASE
)
"""`a` and `nobr` are left out: a second one closes the first."""

ATTRIBUTES = re.compile(
    r"""(?:\s++[\w:-]++(?:\s*+=\s*+(?:"[^"<>]*+"|'[^'<>]*+'|[\w#%.,:;+-]++))?+)*+\s*+/?"""
)
"""Attributes of which every parser says the same; a quote in the wrong place may hide the end of a tag."""


DEEPEST = 256
"""This many blocks may be in each other; browsers themselves stop near 512, pages that people wrote far below."""

BLOCK = re.compile(
    r"<(/?)(?:address|article|aside|blockquote|center|details|dialog|dir|div|dl|fieldset|figcaption|figure|footer|form|"
    r"header|hgroup|main|menu|nav|ol|pre|search|section|summary|table|ul)(?=[\s/>])[^<>]*>",
    re.IGNORECASE,
)
"""`p`, `li`, cells and the like are left out: the next one of their kind closes them."""


def without_deep_nesting(html: str, deepest: int = DEEPEST) -> str:
    """The same HTML, without the tags of blocks that would be in more than `deepest` others; their words stay.

    >>> without_deep_nesting("<div><ul><li><div>ice</div></ul></div>", deepest=2)
    '<div><ul><li>ice</ul></div>'
    """
    depth = left_out = 0

    def keep(tag: re.Match[str]) -> str:
        nonlocal depth, left_out
        if not tag[1]:
            depth += 1
            left_out += depth > deepest
            return "" if depth > deepest else tag[0]
        depth = max(depth - 1, 0)
        if left_out:
            left_out -= 1
            return ""
        return tag[0]

    return BLOCK.sub(keep, html)


def without_repeated_formatting(html: str, most: int = MOST_REPEATED) -> str:
    """The same HTML, if a parser can add `most` elements at most; else with `span` for all tags it could repeat.

    >>> without_repeated_formatting("fro<b>zen</b>")
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
