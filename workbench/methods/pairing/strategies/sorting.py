"""Sorting with few comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from itertools import zip_longest

import numpy as np

from workbench.core.battles import FIRST, SECOND
from workbench.methods.pairing.registry import PairChoice, TopicThings, pairing

Pair = tuple[str, str]


@pairing("sort")
def sort(topic: TopicThings, rng: np.random.Generator) -> list[PairChoice]:
    """The comparisons that sort the things of a topic by merging: of n at most n ⌈log2 n⌉ - n + 1.

    Sorted lists are merged from both ends, so that several comparisons are open at once; the last two lists have two.
    Where assessors contradict each other, the majority decides. Equal things, things that are both bad, and as many
    assessors on both sides leave the order as it was. Things that come later are sorted and merged with the others,
    which takes more comparisons than if they had been there before.
    """
    return [PairChoice(*pair) for pair in progress(topic)[1]]


def progress(topic: TopicThings) -> tuple[list[str] | None, list[Pair]]:
    """The things with the best first, None until they are sorted; and the pairs that are asked next."""
    asked, known = set(topic.asked), majority(topic)
    lists, wanted = [_Sorted([each]) for each in _in_order(topic)], list[Pair]()
    while len(lists) > 1:
        twos = zip_longest(lists[::2], lists[1::2], fillvalue=_Sorted([]))
        lists = [_merged(one, other, known, asked) for one, other in twos]
        wanted += [pair for each in lists for pair in each.open]
    things = lists[0].things if lists else []
    return things, [pair for pair in dict.fromkeys(wanted) if pair not in asked]


def majority(topic: TopicThings) -> dict[Pair, int]:
    """1 for each pair of which more assessors prefer the first thing, -1 the second, 0 as many."""
    found = Counter[Pair]()
    for each in topic.answered:
        found[each.first, each.second] += {FIRST: 1, SECOND: -1}.get(each.preference, 0)
    return {pair: (votes > 0) - (votes < 0) for pair, votes in found.items()}


class _Sorted:
    """A sorted list, None until its merge ends, and the comparisons that the merge waits for."""

    def __init__(self, things: list[str] | None, open_: Sequence[Pair] = ()) -> None:
        self.things, self.open = things, open_


def _in_order(topic: TopicThings) -> list[str]:
    """The things as they were first compared, and then the others: what comes later changes no list before it."""
    there = set(topic.things)
    return list(
        dict.fromkeys([*(each for pair in topic.asked for each in pair if each in there), *topic.things])
    )


def _merged(one: _Sorted, other: _Sorted, known: Mapping[Pair, int], asked: Collection[Pair]) -> _Sorted:
    """The merge of two lists: each comparison places one thing, in front of all others or behind them."""
    if one.things is None or other.things is None:
        return _Sorted(None)
    a, b, front, back = list(one.things), list(other.things), list[str](), list[str]()
    while a and b:
        first, last = _pair(a[0], b[0]), _pair(a[-1], b[-1])
        if first in known:
            front.append((a if _is_ahead(a[0], b[0], known) else b).pop(0))
        elif last in known:
            back.append((b if _is_ahead(a[-1], b[-1], known) else a).pop())
        elif len(a) > 1 and len(b) > 1:
            return _Sorted(None, [first, last])
        else:  # one answer may place the only thing of a list: another comparison would be in vain
            return _Sorted(None, [last if last in asked else first])
    return _Sorted([*front, *a, *b, *reversed(back)])


def _pair(one: str, other: str) -> Pair:
    return (one, other) if one.encode() < other.encode() else (other, one)


def _is_ahead(one: str, other: str, known: Mapping[Pair, int]) -> bool:
    """Whether the first is better, or as good: so the list that came first stays in front."""
    said = known[_pair(one, other)]
    return said >= 0 if _pair(one, other)[0] == one else said <= 0
