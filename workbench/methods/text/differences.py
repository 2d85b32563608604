"""Where two texts differ: their words compared in their order, what is new and what is missing.

Two texts are laid side by side at the runs of words that each has once, then at the single words that each has
once between these, and only what is left between, if it is short, is compared word by word: that keeps long
texts cheap, whatever their line breaks. Source of the idea: B. Cohen's "patience diff" (2008), with runs of words
in place of lines.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.methods.text.compared_words import PlacedWord, placed_words, runs_of

RUNS = (5, 1)
"""The lengths of the runs of words that hold two texts together, one after the other."""

SHORT = 40_000
"""Gaps of at most this many pairs of words (200 by 200) are compared word by word; longer ones differ as a whole."""

EFFORT = 100 * SHORT
"""Pairs of words over all gaps that are compared word by word; what comes after them differs as a whole."""


Words = NDArray[np.uint64]
"""The words of a text as numbers: equal words have one number."""


NO_PARTNER = -1

Partners = NDArray[np.int64]
"""For each word of a text the number of its partner in the other text, or NO_PARTNER."""


class Difference(NamedTuple):
    """One place where a text differs from the one before: the `new` words that it has there, in code points from
    `start` to `end`, and the `missing` words that the text before has there, from `before_start` to `before_end`.

    `new` and `missing` are counts of words. Where one of them is 0, its start and end are equal: the start of the
    next word, or the end of the last one.
    """

    start: int
    end: int
    before_start: int
    before_end: int
    new: int
    missing: int


class _Gap(NamedTuple):
    """Words of both texts that are still to be compared: from `start` to `end`, and where these lie before."""

    start: int
    end: int
    before_start: int
    before_end: int


def differences(text: str, before: str) -> list[Difference]:
    """The places where the words of `text` are not those of `before`.

    Case, punctuation, blanks and line breaks make no difference. Places are ascending in both texts; words that
    follow one another are in one range with what is between them. Words that moved are missing where they
    stood and new where they stand.
    """
    words, old_words = list(placed_words(text)), list(placed_words(before))
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    new = np.array([numbers[word.word] for word in words], np.uint64)
    old = np.array([numbers[word.word] for word in old_words], np.uint64)
    found = []
    for place, end, old_place, old_end in _unpaired(_partners(new, old), len(old)):
        here, there = _range(words, place, end), _range(old_words, old_place, old_end)
        found.append(Difference(*here, *there, end - place, old_end - old_place))
    return found


def _unpaired(partners: Partners, before: int) -> Iterator[tuple[int, int, int, int]]:
    """The stretches between neighbouring pairs: words of the text from, to, and of the text before from, to."""
    last, last_before = -1, -1
    paired = np.flatnonzero(partners != NO_PARTNER)
    for place, partner in zip(
        [*paired.tolist(), len(partners)], [*partners[paired].tolist(), before], strict=True
    ):
        if place > last + 1 or partner > last_before + 1:
            yield last + 1, place, last_before + 1, partner
        last, last_before = place, partner


def _range(words: Sequence[PlacedWord], start: int, end: int) -> tuple[int, int]:
    """Where words number `start` to `end` are in their text; an empty range where the next one begins."""
    if start < end:
        return words[start].start, words[end - 1].end
    place = words[start].start if start < len(words) else words[-1].end if words else 0
    return place, place


def _partners(new: Words, old: Words) -> Partners:
    """The partners in `old` of the words of `new`; they follow one another in the same order."""
    partners = np.full(len(new), NO_PARTNER, np.int64)
    gaps = [_trimmed(_Gap(0, len(new), 0, len(old)), new, old, partners)]
    for length in RUNS:
        gaps = [
            _trimmed(smaller, new, old, partners)
            for gap in gaps
            for smaller in ([gap] if _pairs(gap) <= SHORT else _between_anchors(gap, new, old, length))
        ]
    effort = 0
    for gap in gaps:
        if _pairs(gap) <= min(SHORT, EFFORT - effort):
            effort += _pairs(gap)
            here = new[gap.start : gap.end].tolist()
            there = old[gap.before_start : gap.before_end].tolist()
            for block in SequenceMatcher(None, there, here, autojunk=False).get_matching_blocks():
                start, partner = gap.start + block.b, gap.before_start + block.a
                partners[start : start + block.size] = np.arange(partner, partner + block.size)
    return partners


def _pairs(gap: _Gap) -> int:
    return (gap.end - gap.start) * (gap.before_end - gap.before_start)


def _trimmed(gap: _Gap, new: Words, old: Words, partners: Partners) -> _Gap:
    """The gap without the equal words at its beginning and end, which become partners."""
    start, end, before_start, before_end = gap
    shorter = min(end - start, before_end - before_start)
    head = _equal(new[start : start + shorter], old[before_start : before_start + shorter])
    start, before_start, shorter = start + head, before_start + head, shorter - head
    tail = _equal(new[end - shorter : end][::-1], old[before_end - shorter : before_end][::-1])
    partners[start - head : start] = np.arange(before_start - head, before_start)
    partners[end - tail : end] = np.arange(before_end - tail, before_end)
    return _Gap(start, end - tail, before_start, before_end - tail)


def _equal(one: Words, other: Words) -> int:
    """How many words at the beginning are equal; both have the same length."""
    different = one != other
    return int(different.argmax()) if different.any() else len(one)


def _between_anchors(gap: _Gap, new: Words, old: Words, length: int) -> Iterator[_Gap]:
    """The gaps that begin at each run of `length` words found once in both texts, as far as the runs are in order.

    A gap's first word is that of its run; trimming then takes the whole run away.
    """
    here, places = _once(new[gap.start : gap.end], length)
    there, before_places = _once(old[gap.before_start : gap.before_end], length)
    _, one, other = np.intersect1d(here, there, assume_unique=True, return_indices=True)
    shared = sorted(zip(places[one].tolist(), before_places[other].tolist(), strict=True))
    start, before_start = gap.start, gap.before_start
    for place, before_place in _firsts(_in_order(shared), length):
        yield _Gap(start, gap.start + place, before_start, gap.before_start + before_place)
        start, before_start = gap.start + place, gap.before_start + before_place
    yield _Gap(start, gap.end, before_start, gap.before_end)


def _once(words: Words, length: int) -> tuple[NDArray[np.uint64], NDArray[np.intp]]:
    """The hashes of the runs of words that are there exactly once, ascending, and where these begin."""
    runs, places, counts = np.unique(runs_of(words, length), return_index=True, return_counts=True)
    return runs[counts == 1], places[counts == 1]


def _firsts(anchors: Sequence[tuple[int, int]], length: int) -> Iterator[tuple[int, int]]:
    """The anchors without those that overlap or touch the one before them in both texts alike."""
    last, last_before = -length - 1, 0
    for place, before_place in anchors:
        step = place - last
        if step > length or step != before_place - last_before:
            yield place, before_place
        last, last_before = place, before_place


def _in_order(pairs: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The longest part of pairs, ascending by the first number, that ascends by the second too."""
    smallest: list[int] = []  # the smallest last number of an ascending part of each length
    ends: list[int] = []
    previous: list[int | None] = []
    for place, (_, number) in enumerate(pairs):
        length = bisect_left(smallest, number)
        previous.append(ends[length - 1] if length else None)
        smallest[length : length + 1] = [number]
        ends[length : length + 1] = [place]
    chosen: list[tuple[int, int]] = []
    last = ends[-1] if ends else None
    while last is not None:
        chosen.append(pairs[last])
        last = previous[last]
    return chosen[::-1]
