"""Excerpts: the part of a text that has most of the words that were searched for, with these words marked."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from itertools import islice
from typing import NamedTuple
from unicodedata import combining

from workbench.core.normal_forms import normal_form
from workbench.methods.text.compared_words import PlacedWord, placed_words

LENGTH = 160
"""Characters of an excerpt, about."""

MOST_WORDS = 50_000
"""This many words of a text are looked at, ..."""

MOST_HITS = 1000
"""... until this many of them were searched for."""


class Piece(NamedTuple):
    """A piece of an excerpt, and whether it is a word that was searched for."""

    text: str
    found: bool


def excerpt_of(text: str, words: Collection[str], length: int = LENGTH) -> tuple[Piece, ...]:
    """About `length` characters of a text, where most of some folded words stand; of equal places the first.

    Words are compared without diacritics. A text without any of the words begins at its start.

    >>> "".join(piece.text for piece in excerpt_of("A bank. The bank of the river Rhine.", ["river", "bank"], 20))
    '… The bank of the river …'
    """
    wanted = {_plain(word) for word in words}
    places = islice(placed_words(text), MOST_WORDS)
    hits = list(islice((place for place in places if _plain(place.word) in wanted), MOST_HITS))
    start, end = _window(text, hits, length)
    return tuple(_pieces(text, [hit for hit in hits if start <= hit.start and hit.end <= end], start, end))


def _window(text: str, hits: list[PlacedWord], length: int) -> tuple[int, int]:
    """Start and end of the excerpt, at blanks where there are some near."""
    if not hits:
        return 0, _to_blank(text, length)
    best, most = 0, 0
    for first, hit in enumerate(hits):
        inside = {
            _plain(each.word) for each in hits[first : first + length] if each.end <= hit.start + length
        }
        if len(inside) > most:
            best, most = first, len(inside)
    start = hits[best].start - length // 10
    start = 0 if start <= 0 else text.rfind(" ", 0, start + 1) + 1 or start
    return start, max(hits[best].end, _to_blank(text, max(start + length, hits[best].end)))


def _to_blank(text: str, end: int) -> int:
    """The end of the word at `end`, if it is near."""
    blank = text.find(" ", end, end + 20)
    return len(text) if end >= len(text) else blank if blank >= 0 else end


def _pieces(text: str, hits: list[PlacedWord], start: int, end: int) -> Iterator[Piece]:
    if start > 0:
        yield Piece("… ", False)
    at = start
    for hit in hits:
        if hit.start > at:
            yield Piece(_one_line(text[at : hit.start]), False)
        yield Piece(_one_line(text[hit.start : hit.end]), True)
        at = hit.end
    if end > at:
        yield Piece(_one_line(text[at:end]), False)
    if end < len(text):
        yield Piece(" …", False)


def _one_line(text: str) -> str:
    """The text on one line, with a blank for whatever is no letter, mark or sign to be seen."""
    seen = "".join(each if each.isprintable() else " " for each in text)
    inside = " ".join(seen.split())
    return f"{' ' * seen[:1].isspace()}{inside}{' ' * (seen[-1:].isspace() and bool(inside))}"


def _plain(word: str) -> str:
    return (
        word if word.isascii() else "".join(each for each in normal_form("NFD", word) if not combining(each))
    )
