"""A text beside that of a near duplicate: where they differ, what is missing, and whether one grade may do for both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from workbench.methods.text.compared_words import words_of
from workbench.methods.text.decisive import Side, reasons_to_differ
from workbench.methods.text.differences import Difference, differences
from workbench.methods.text.matching import Hit
from workbench.web.judging.document.marking import Marker, Missing, Span, marks_of


class Comparison(NamedTuple):
    """What a text has and has not, held against another one.

    `changed` are the ranges of its new words and `missing` the words it lacks, as a `Marker` takes them; `places`
    are where the differences stand, in code points, ascending; `reasons` are those of
    `workbench.methods.text.decisive` why the two may deserve different grades.
    """

    changed: tuple[Span, ...] = ()
    missing: tuple[Missing, ...] = ()
    places: tuple[int, ...] = ()
    words_new: int = 0
    words_missing: int = 0
    reasons: tuple[str, ...] = ()


NO_COMPARISON = Comparison()


def compare(
    text: str, hits: Sequence[Hit], before: str, hits_of: Callable[[], Sequence[Hit]], own: Mapping[int, int]
) -> Comparison:
    """Hold a text against the one before; `hits_of` gives the hits of that one, `own` are the assessor's own terms."""
    found = differences(text, before)
    if not found:
        return NO_COMPARISON
    hits_before = hits_of()
    lost = [each for each in found if each.missing]
    marker = Marker(marks_of(hits_before, ()), own)
    return Comparison(
        changed=tuple((each.start, each.end) for each in found if each.new),
        missing=tuple(_missing(each, text, before, marker) for each in lost),
        places=tuple(min(each.start, len(text) - 1) for each in found) if text else (),
        words_new=sum(each.new for each in found),
        words_missing=sum(each.missing for each in found),
        reasons=reasons_to_differ(
            Side(text, hits, [(each.start, each.end) for each in found]),
            Side(before, hits_before, [(each.before_start, each.before_end) for each in found]),
        ),
    )


def _missing(found: Difference, text: str, before: str, marker: Marker) -> Missing:
    """The missing words, shown where the next word begins, or after the last character of the last word."""
    html = marker.write(before[found.before_start : found.before_end], found.before_start)
    if not words_of(text[found.start : found.start + 1]):
        return Missing(found.start - 1, html, is_after=True)
    return Missing(found.start if found.new else _with_its_signs(text, found.start), html)


def _with_its_signs(text: str, start: int) -> int:
    """Where a word begins with the signs before it, as the @ of a name; a hyphen after another word is not its own."""
    first = start
    while first and not text[first - 1].isspace() and not words_of(text[first - 1]):
        first -= 1
    return start if first and not text[first - 1].isspace() else first
