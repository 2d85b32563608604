"""HTML that would cost a parser far more than its length, made harmless before it is parsed.

A parser repeats every `b`, `font` and the like that was not closed in each block that follows (the "active
formatting elements" of the HTML standard, 13.2.4.3): a page of 40 kB can become millions of elements. And at every
block it looks through all blocks that are open, so that blocks nested in blocks cost the square of their number, as do
the attributes of one tag.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from functools import cache
from itertools import pairwise

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

MOST_ATTRIBUTES = 2_000
"""A tag may have this many; those that people and programs write have a few dozen."""

SHORTEST = 2
"""Characters that an attribute takes at least, with what parts it from the next."""

START = re.compile(r"<(?=/?[A-Za-z])")
PARTING = re.compile(r"[\t\n\f\r /]*+")
SPACE = re.compile(r"[\t\n\f\r ]*+")

END_OF_TAG_NAME = re.compile(r"[\t\n\f\r />]")
END_OF_NAME = re.compile(r"[\t\n\f\r />=]")
END_OF_VALUE = re.compile(r"[\t\n\f\r >]")
QUOTES = {quote: re.compile(quote) for quote in "\"'"}
ACROSS_TAGS = re.compile(r"""=[\t\n\f\r ]*+(?:"[^">]*+>|'[^'>]*+>)""")
"""A value with a > in it: the one way in which a tag does not end at the next >."""

NEAR = 64
"""This many characters are searched for an end; what lies farther off is looked up, since many may look for it."""


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


def without_crowded_tags(html: str, most: int = MOST_ATTRIBUTES) -> str:
    """The same HTML, in which no tag has more than `most` attributes: such a tag has become text.

    A parser compares each attribute with all before it in the same tag. What is a tag depends on what stands around it
    (comments, scripts, quotes), and parsers are not copied here. But from the name of a tag on, every parser reads its
    attributes in the same way, whatever is around it (HTML standard, 13.2.5.32 to 13.2.5.40). So each place at which a
    tag could begin is followed as if one did: what no place reaches, no parser does. Where something else is there, its
    `<` written as `&lt;` means the same, or is thrown away. Takes time in proportion to the text.

    >>> without_crowded_tags('<p a b c>ice</p>', most=2)
    '&lt;p a b c>ice</p>'
    """
    if not ACROSS_TAGS.search(html) and not re.search(f"[^>]{{{most * SHORTEST}}}", html):
        return html  # no tag is long enough
    crowded = _Tags(html, most).crowded()
    if not crowded:
        return html
    bounds = [0, *crowded, len(html)]
    pieces = (html[start:end] for start, end in pairwise(bounds))
    return next(pieces) + "".join("&lt;" + piece[1:] for piece in pieces)


class _Tags:
    """How many attributes follow from each place of a text that a tag could have reached, counted to `most` and one."""

    def __init__(self, html: str, most: int) -> None:
        self._html, self._most = html, most
        self._places = cache(lambda end: [match.start() for match in end.finditer(html)])
        self._from: dict[int, int] = {}

    def crowded(self) -> list[int]:
        """The places of tags that would have more than `most`, in order."""
        starts = [match.start() for match in START.finditer(self._html)]
        return [start for start in starts if self._count(self._next(END_OF_TAG_NAME, start)) > self._most]

    def _count(self, place: int) -> int:
        """How many attributes there are from a place before a name; each place is followed once."""
        way = []
        while place not in self._from:
            way.append(place)
            following = self._after_attribute(place)
            if following is None:
                self._from[way.pop()] = 0
                break
            place = following
        for earlier in reversed(way):
            self._from[earlier] = min(self._from[place], self._most) + 1
            place = earlier
        return self._from[place]

    def _after_attribute(self, place: int) -> int | None:
        """Where the next attribute ends; None where the tag or the text does."""
        html = self._html
        start = _end(PARTING, html, place)
        if start >= len(html) or html[start] == ">":
            return None
        # A name may begin with =.
        end = self._next(END_OF_NAME, start + 1 if html[start] == "=" else start)
        sign = _end(SPACE, html, end)
        if html[sign : sign + 1] != "=":
            return end
        value = _end(SPACE, html, sign + 1)
        if (quote := html[value : value + 1]) in QUOTES:
            return min(self._next(QUOTES[quote], value + 1) + 1, len(html))
        return self._next(END_OF_VALUE, value)

    def _next(self, end: re.Pattern[str], start: int) -> int:
        if (match := end.search(self._html, start, start + NEAR)) is not None:
            return match.start()
        places = self._places(end)
        at = bisect_left(places, start)
        return places[at] if at < len(places) else len(self._html)


def _end(pattern: re.Pattern[str], html: str, start: int) -> int:
    match = pattern.match(html, start)
    return match.end() if match else start
