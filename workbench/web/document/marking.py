"""Marks in a text: the topic's terms, the assessor's own, and words that differ from a near duplicate.

A mark adds a tag and never a character: the text of what is shown stays the text that was there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from markupsafe import escape

Span = tuple[int, int]


class TermHit(NamedTuple):
    """Where a term stands in a text: from `start` to `end`; `term` is its number among the terms."""

    start: int
    end: int
    term: int
    own: bool


class Mark(NamedTuple):
    """A stretch of text in one tag; marks do not overlap."""

    start: int
    end: int
    hit: TermHit | None
    changed: bool

    def opening(self, start: int) -> str:
        """The tag before the part of the mark that begins at `start`; later parts of a hit say so."""
        if self.hit is None:
            return '<mark class="changed">'
        own = " own" if self.hit.own else ""
        changed = " changed" if self.changed else ""
        continued = " continued" if start > self.hit.start else ""
        return f'<mark class="hit{own}{changed}{continued}" data-term="{self.hit.term}">'


def marks_of(hits: Sequence[TermHit], changed: Sequence[Span]) -> list[Mark]:
    """The marks for hits and for changed stretches, where the two overlap for both; all in ascending order."""
    hits = list(without_overlaps(hits))
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


def without_overlaps(hits: Iterable[TermHit]) -> Iterator[TermHit]:
    """The hits in ascending order; of those that overlap the first stays, of those at one place the longest."""
    last = 0
    for hit in sorted(hits, key=lambda hit: (hit.start, -hit.end)):
        if hit.start >= last and hit.end > hit.start:
            last = hit.end
            yield hit


class Marker:
    """Writes stretches of one text as HTML, in ascending order, with the marks that lie in them."""

    def __init__(self, marks: Sequence[Mark]) -> None:
        self.marks = marks
        self.place = 0

    def write(self, text: str, start: int) -> str:
        """`text`, which stands at `start` of the whole, as HTML."""
        written, done, end = [], start, start + len(text)
        for mark in self._in(start, end):
            begin, stop = max(mark.start, start), min(mark.end, end)
            inside = as_html(text[begin - start : stop - start])
            written += as_html(text[done - start : begin - start]), mark.opening(begin), inside, "</mark>"
            done = stop
        return "".join((*written, as_html(text[done - start :])))

    def touches(self, start: int, end: int) -> bool:
        """Whether a mark lies between `start` and `end`."""
        return next(self._in(start, end), None) is not None

    def _in(self, start: int, end: int) -> Iterator[Mark]:
        while self.place < len(self.marks) and self.marks[self.place].end <= start:
            self.place += 1
        for place in range(self.place, len(self.marks)):
            if self.marks[place].start >= end:
                return
            yield self.marks[place]


def as_html(text: str) -> str:
    """Text such that a browser's text node has the same characters, except for NUL, which no page can hold."""
    return str(escape(text)).replace("\r", "&#13;").replace("\0", "\ufffd")
