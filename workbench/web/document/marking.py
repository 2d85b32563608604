"""Marks in a text: the topic's terms, the assessor's own, and words that differ from a near duplicate.

A mark adds a tag and never a character: the text of what is shown stays the text that was there.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from workbench.reading.matching import Hit

Span = tuple[int, int]


class Mark(NamedTuple):
    """A stretch of text in one tag; marks do not overlap."""

    start: int
    end: int
    hit: Hit | None
    changed: bool


def marks_of(hits: Sequence[Hit], changed: Sequence[Span]) -> list[Mark]:
    """The marks for hits and for changed stretches, where the two overlap for both.

    Both are ascending and disjoint, and so are the marks.
    """
    borders = sorted({border for start, end, *_ in (*hits, *changed) for border in (start, end)})
    marks, hit_place, changed_place = [], 0, 0
    for start, end in pairwise(borders):
        while hit_place < len(hits) and hits[hit_place].end <= start:
            hit_place += 1
        while changed_place < len(changed) and changed[changed_place][1] <= start:
            changed_place += 1
        hit = hits[hit_place] if hit_place < len(hits) and hits[hit_place].start <= start else None
        is_changed = changed_place < len(changed) and changed[changed_place][0] <= start
        if hit or is_changed:
            marks.append(Mark(start, end, hit, is_changed))
    return marks


class Marker:
    """Writes stretches of one text as HTML, in ascending order, with the marks that lie in them.

    `own` are the numbers of the terms that the assessor added.
    """

    def __init__(self, marks: Sequence[Mark], own: Collection[int] = ()) -> None:
        self.marks = marks
        self.own = own
        self.place = 0

    def write(self, text: str, start: int) -> str:
        """`text`, which stands at `start` of the whole, as HTML."""
        written: list[str] = []
        done, end = start, start + len(text)
        for mark in self._in(start, end):
            begin, stop = max(mark.start, start), min(mark.end, end)
            inside = as_html(text[begin - start : stop - start])
            written += (
                as_html(text[done - start : begin - start]),
                self._opening(mark, begin),
                inside,
                "</mark>",
            )
            done = stop
        return "".join((*written, as_html(text[done - start :])))

    def touches(self, start: int, end: int) -> bool:
        """Whether a mark lies between `start` and `end`."""
        return next(self._in(start, end), None) is not None

    def _opening(self, mark: Mark, start: int) -> str:
        """The tag before the part of a mark that begins at `start`; later parts of a hit say so."""
        if mark.hit is None:
            return '<mark class="changed">'
        own = " own" if mark.hit.term in self.own else ""
        changed = " changed" if mark.changed else ""
        continued = " continued" if start > mark.hit.start else ""
        return f'<mark class="hit{own}{changed}{continued}" data-term="{mark.hit.term}">'

    def _in(self, start: int, end: int) -> Iterator[Mark]:
        while self.place < len(self.marks) and self.marks[self.place].end <= start:
            self.place += 1
        for place in range(self.place, len(self.marks)):
            if self.marks[place].start >= end:
                return
            yield self.marks[place]


def as_html(text: str) -> str:
    """Text such that a browser's text node has the same characters, except for NUL, which no page can hold."""
    return escape(text).replace("\r", "&#13;").replace("\0", "\ufffd")
