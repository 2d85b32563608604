"""Tags with thousands of attributes, which cost a parser the square of their number, made text before HTML is parsed.

A parser compares each attribute with all before it in the same tag. What is a tag depends on what stands around it
(comments, scripts, quotes), and parsers are not copied here. But from the name of a tag on, every parser reads its
attributes in the same way, whatever is around it (HTML standard, 13.2.5.32 to 13.2.5.40). So each place at which a tag
could begin is followed as if one did: what no place reaches, no parser does. Where something else is there, its
`<` written as `&lt;` means the same, or is thrown away.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import cache
from itertools import pairwise

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


def without_crowded_tags(html: str, most: int = MOST_ATTRIBUTES) -> str:
    """The same HTML, in which no tag has more than `most` attributes: such a tag has become text.

    Takes time in proportion to the text.

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
