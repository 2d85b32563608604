"""The passage of a long document to open it at: where different terms of the topic stand together."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence

from workbench.methods.text.matching import Hit

LONGEST = 1600
"""Characters of a passage: about two screens of text."""


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
