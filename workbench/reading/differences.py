"""What a text has that another has not: its words compared in their order.

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

from workbench.reading.compared_words import placed_words, runs_of

RUNS = (5, 1)
"""The lengths of the runs of words that hold two texts together, one after the other."""

SHORT = 40_000
"""Gaps of at most so many pairs of words (200 by 200) are compared word by word; longer ones differ as a whole."""

EFFORT = 100 * SHORT
"""Pairs of words over all gaps that are compared word by word; what comes after them differs as a whole."""


Words = NDArray[np.uint64]
"""The words of a text as numbers: equal words have one number."""


class _Gap(NamedTuple):
    """Words of both texts that are still to be compared: from `start` to `end`, and where these lie before."""

    start: int
    end: int
    before_start: int
    before_end: int


def differences(text: str, before: str) -> list[tuple[int, int]]:
    """The ranges of `text`, in code points from start to end, whose words are not in `before` at this place.

    Case, punctuation, blanks and line breaks make no difference. Ranges are ascending and do not touch; words
    that follow one another are in one range with what stands between them. What `text` has lost is no range.
    """
    words = list(placed_words(text))
    numbers: defaultdict[str, int] = defaultdict(count().__next__)
    new = np.array([numbers[word.word] for word in words], np.uint64)
    old = np.array([numbers[word.word] for word in placed_words(before)], np.uint64)
    kept = _kept(new, old)
    ranges: list[tuple[int, int]] = []
    for place, word in enumerate(words):
        if kept[place]:
            continue
        if place and ranges and not kept[place - 1]:
            ranges[-1] = (ranges[-1][0], word.end)
        else:
            ranges.append((word.start, word.end))
    return ranges


def _kept(new: Words, old: Words) -> bytearray:
    """For each word of `new`, 1 if it has a partner in `old`; partners follow one another in the same order."""
    kept = bytearray(len(new))
    gaps = [_trimmed(_Gap(0, len(new), 0, len(old)), new, old, kept)]
    for length in RUNS:
        gaps = [
            _trimmed(smaller, new, old, kept)
            for gap in gaps
            for smaller in ([gap] if _pairs(gap) <= SHORT else _between_anchors(gap, new, old, length))
        ]
    effort = 0
    for gap in gaps:
        if _pairs(gap) <= min(SHORT, EFFORT - effort):
            effort += _pairs(gap)
            _compare(gap, new, old, kept)
    return kept


def _pairs(gap: _Gap) -> int:
    return (gap.end - gap.start) * (gap.before_end - gap.before_start)


def _trimmed(gap: _Gap, new: Words, old: Words, kept: bytearray) -> _Gap:
    """The gap without the equal words at its beginning and end, which are kept."""
    start, end, before_start, before_end = gap
    shorter = min(end - start, before_end - before_start)
    head = _equal(new[start : start + shorter], old[before_start : before_start + shorter])
    start, before_start, shorter = start + head, before_start + head, shorter - head
    tail = _equal(new[end - shorter : end][::-1], old[before_end - shorter : before_end][::-1])
    kept[start - head : start] = b"\1" * head
    kept[end - tail : end] = b"\1" * tail
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
    previous: list[int] = []
    for place, (_, number) in enumerate(pairs):
        length = bisect_left(smallest, number)
        previous.append(ends[length - 1] if length else -1)
        smallest[length : length + 1] = [number]
        ends[length : length + 1] = [place]
    chosen: list[tuple[int, int]] = []
    place = ends[-1] if ends else -1
    while place >= 0:
        chosen.append(pairs[place])
        place = previous[place]
    return chosen[::-1]


def _compare(gap: _Gap, new: Words, old: Words, kept: bytearray) -> None:
    here = new[gap.start : gap.end].tolist()
    there = old[gap.before_start : gap.before_end].tolist()
    for block in SequenceMatcher(None, there, here, autojunk=False).get_matching_blocks():
        start = gap.start + block.b
        kept[start : start + block.size] = b"\1" * block.size
