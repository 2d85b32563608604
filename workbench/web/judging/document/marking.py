"""Marks in a text: the topic's terms, the assessor's own, and what differs from a near duplicate.

A mark adds a tag and never a character: the text of what is shown stays the text that was there. What only the near
duplicate has stands struck through in a `del` of the class `missing`, which the page does not count as text.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from types import MappingProxyType
from typing import NamedTuple

from workbench.methods.text.matching import Hit
from workbench.methods.text.terms import COLOURS

Span = tuple[int, int]

NO_OWN: Mapping[int, int] = MappingProxyType({})


class Mark(NamedTuple):
    """A stretch of text in one tag; marks do not overlap. `begins` says that the changed stretch begins here."""

    start: int
    end: int
    hit: Hit | None
    changed: bool
    begins: bool = False


class Missing(NamedTuple):
    """Words that only the text before has: `html` is shown before the character at `at`, or after it."""

    at: int
    html: str
    is_after: bool = False

    @property
    def place(self) -> int:
        """Where it is shown: before the character that is there."""
        return self.at + self.is_after


def marks_of(hits: Sequence[Hit], changed: Sequence[Span], missing: Sequence[Missing] = ()) -> list[Mark]:
    """Marks for hits and changes, overlaps for both, none over what is missing; all ascending and disjoint."""
    borders = sorted(
        {border for start, end, *_ in (*hits, *changed) for border in (start, end)}
        | {each.place for each in missing}
    )
    marks, hit_place, changed_place = [], 0, 0
    for start, end in pairwise(borders):
        while hit_place < len(hits) and hits[hit_place].end <= start:
            hit_place += 1
        while changed_place < len(changed) and changed[changed_place][1] <= start:
            changed_place += 1
        hit = hits[hit_place] if hit_place < len(hits) and hits[hit_place].start <= start else None
        is_changed = changed_place < len(changed) and changed[changed_place][0] <= start
        if hit or is_changed:
            begins = is_changed and changed[changed_place][0] == start
            marks.append(Mark(start, end, hit, is_changed, begins))
    return marks


class Marker:
    """Writes stretches of one text as HTML, in ascending order, with the marks and the missing words that lie in them.

    `own` are the numbers of the terms that the assessor added, each with its colour.
    """

    def __init__(
        self, marks: Sequence[Mark], own: Mapping[int, int] = NO_OWN, missing: Sequence[Missing] = ()
    ) -> None:
        self.marks = marks
        self.own = own
        self.place = 0
        self.missing = deque(missing)
        self.replaced = {each.place for each in missing}

    def write(self, text: str, start: int) -> str:
        """`text`, which is at `start` of the whole, as HTML."""
        written: list[str] = []
        done, end = start, start + len(text)
        for mark in self._in(start, end):
            begin, stop = max(mark.start, start), min(mark.end, end)
            written += self._plain(text[done - start : begin - start], done, end)
            written += (self._opening(mark, begin), as_html(text[begin - start : stop - start]), "</mark>")
            done = stop
        return "".join((*written, *self._plain(text[done - start :], done, end)))

    def hits_in(self, start: int, end: int) -> int:
        """How many hits begin between `start` and `end`."""
        first = bisect_left(self.marks, start, key=lambda mark: mark.start)
        last = bisect_left(self.marks, end, key=lambda mark: mark.start)
        return sum(mark.hit is not None and mark.hit.start == mark.start for mark in self.marks[first:last])

    def touches(self, start: int, end: int) -> bool:
        """Whether a mark, or something that is missing, lies between `start` and `end`."""
        is_missing = bool(self.missing) and self.missing[0].at < end
        return is_missing or next(self._in(start, end), None) is not None

    def _plain(self, text: str, start: int, end: int) -> Iterator[str]:
        """Text without marks, with the missing words in it or at its borders; `end` is where the stretch ends."""
        done = 0
        while self.missing and self.missing[0].at < end and self.missing[0].place <= start + len(text):
            missing = self.missing.popleft()
            place = max(missing.place - start, done)
            yield as_html(text[done:place])
            yield f'<del class="missing">{missing.html}</del>'
            done = place
        yield as_html(text[done:])

    def _opening(self, mark: Mark, start: int) -> str:
        """The tag before the part of a mark that begins at `start`; later parts of a hit say so."""
        changed = ""
        if mark.changed:
            begins = " begins" if mark.begins and start == mark.start else ""
            changed = f"changed{begins}" + (" replaces" if begins and mark.start in self.replaced else "")
        if mark.hit is None:
            return f'<mark class="{changed}">'
        own = " own" if mark.hit.term in self.own else ""
        continued = " continued" if start > mark.hit.start else ""
        classes = f"hit{own}{continued}{' ' + changed if changed else ''}"
        return f'<mark class="{classes}" data-term="{colour_of(mark.hit.term, self.own)}">'

    def _in(self, start: int, end: int) -> Iterator[Mark]:
        while self.place < len(self.marks) and self.marks[self.place].end <= start:
            self.place += 1
        for place in range(self.place, len(self.marks)):
            if self.marks[place].start >= end:
                return
            yield self.marks[place]


def colour_of(term: int, own: Mapping[int, int]) -> int:
    """The colour of a term by its number: that of an own term is kept with it, those of the topic's take turns."""
    return own.get(term, term % COLOURS)


def as_html(text: str) -> str:
    """Text such that a browser's text node has the same characters, except for NUL, which no page can hold."""
    return escape(text).replace("\r", "&#13;").replace("\0", "\ufffd")
