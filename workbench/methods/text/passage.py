"""The passage of a long document to open it at: where different terms of the topic stand together."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from typing import NamedTuple
from unicodedata import combining

from workbench.core.normal_forms import normal_form
from workbench.methods.text.compared_words import PlacedWord, placed_words
from workbench.methods.text.matching import Hit

LONGEST = 1600
"""Characters of a passage: about two screens of text."""

LENGTH = 160
"""Characters of an excerpt, about."""

MOST_WORDS = 50_000
"""This many words of a text are looked at, ..."""

MOST_HITS = 1000
"""... until this many of them were searched for."""


def best_passage(
    pieces: Sequence[tuple[int, int]], hits: Sequence[Hit], *, longest: int = LONGEST
) -> tuple[int, int] | None:
    """First and one-past-last of the consecutive pieces to show first; None if the whole is short or has no hits.

    `pieces` are the blocks of a text as (start, end) in code points, ascending; `hits` as `Matcher.hits` gives
    them, the assessor's own terms among them. A hit belongs to the piece that it starts in.

    The candidates are windows that begin with a piece in which there is a hit and take in as many of the following
    pieces as fit into `longest` characters, from the start of the first piece to the end of the last; a piece longer
    than that is a window alone. The best has the largest (different terms, hits), compared in this order; the earliest
    of equals. Of a piece longer than `longest`, its best `longest` characters count: it is measured as the others are.
    """
    if not pieces or not hits or pieces[-1][1] - pieces[0][0] <= longest:
        return None
    best, passage = (0, 0), None
    starts = [hit.start for hit in hits]
    window = _Window(hits)
    after = 0
    for first, (start, end) in enumerate(pieces):
        after = max(after, first + 1)
        while after < len(pieces) and pieces[after][1] - start <= longest:
            after += 1
        low, piece_high = bisect_left(starts, start), bisect_left(starts, end)
        if low == piece_high:
            continue
        stop = max(end, pieces[after - 1][1])
        if stop - start > longest:
            worth = _best_stretch(hits[low:piece_high], longest)[0]
        else:
            worth = window.worth(low, bisect_left(starts, stop))
        if worth > best:
            best, passage = worth, (first, after)
    return None if passage == (0, len(pieces)) else passage


class _Window:
    """Counts the hits between two places that only ever move forward."""

    def __init__(self, hits: Sequence[Hit]) -> None:
        self._hits = hits
        self._terms: Counter[int] = Counter()
        self._low = self._high = 0

    def worth(self, low: int, high: int) -> tuple[int, int]:
        """(different terms, hits) among hits[low:high]."""
        for hit in self._hits[self._high : high]:
            self._terms[hit.term] += 1
        for hit in self._hits[self._low : low]:
            self._terms[hit.term] -= 1
            if not self._terms[hit.term]:
                del self._terms[hit.term]
        self._low, self._high = low, max(self._high, high)
        return len(self._terms), high - low


def best_start(hits: Sequence[Hit], *, longest: int = LONGEST) -> int | None:
    """Which of the hits begins the best stretch of `longest` characters, the earliest of equals; None without hits.

    What is shown first of a passage that is longer than a window: the best is measured as in `best_passage`.

    >>> best_start([Hit(0, 5, 0), Hit(3000, 3005, 0), Hit(3100, 3105, 1)])
    1
    """
    return _best_stretch(hits, longest)[1] if hits else None


def _best_stretch(hits: Sequence[Hit], longest: int) -> tuple[tuple[int, int], int]:
    """(different terms, hits) of the best stretch of `longest` characters, and the hit it begins with."""
    window, high, best, start = _Window(hits), 0, (0, 0), 0
    for low, hit in enumerate(hits):
        while high < len(hits) and hits[high].start < hit.start + longest:
            high += 1
        worth = window.worth(low, high)
        if worth > best:
            best, start = worth, low
    return best, start


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
