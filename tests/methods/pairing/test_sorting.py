"""Few comparisons sort things, whatever assessors say."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import ceil, log2

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from workbench.core.battles import BOTH_BAD, FIRST, SECOND, TIE
from workbench.methods.pairing import Answered, TopicThings, chosen_pairs
from workbench.methods.pairing.strategies.sorting import progress

Assessor = Callable[[str, str], str]
NOTHING = TopicThings("1", (), (), ())


def judged(
    topic: TopicThings, says: Assessor, pick: np.random.Generator, least_open: list[int] | None = None
) -> TopicThings:
    """The topic when all is sorted: of the open comparisons one after the other is judged, in any order."""
    while pairs := topic.asked + tuple(each[:2] for each in chosen_pairs("sort", topic, 1, {})):
        topic = topic._replace(asked=pairs)
        if not topic.waiting:
            break
        if least_open is not None:
            least_open.append(len(topic.waiting))
        pair = topic.waiting[pick.integers(len(topic.waiting))]
        topic = topic._replace(answered=(*topic.answered, Answered(*pair, says(*pair), "Ann")))
    return topic


def by_worth(worth: dict[str, int]) -> Assessor:
    """An assessor who prefers what is worth more; equals tie, and are both bad where they are worth nothing."""

    def says(one: str, other: str) -> str:
        if worth[one] == worth[other]:
            return TIE if worth[one] else BOTH_BAD
        return FIRST if worth[one] > worth[other] else SECOND

    return says


def things(number: int) -> tuple[str, ...]:
    return tuple(f"t{each:03}" for each in range(number))


def bound(n: int) -> int:
    return n * ceil(log2(n)) - n + 1


def right(order: Iterable[str] | None, worth: dict[str, int]) -> bool:
    return order is not None and [worth[each] for each in order] == sorted(worth.values(), reverse=True)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.integers(0, 12), min_size=2, max_size=24), st.integers(0, 2**32))
def test_a_consistent_assessor_sorts_things_with_few_comparisons(values: list[int], seed: int) -> None:
    worth = dict(zip(things(len(values)), values, strict=True))
    done = judged(NOTHING._replace(things=tuple(worth)), by_worth(worth), np.random.default_rng(seed))
    assert right(progress(done)[0], worth)
    assert len(done.asked) <= bound(len(values))


@settings(max_examples=30, deadline=None)
@given(st.integers(2, 24), st.integers(0, 2**32))
def test_sorting_ends_when_assessors_say_anything(number: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    start = NOTHING._replace(things=things(number))
    done = judged(start, lambda *_: (FIRST, SECOND, TIE, BOTH_BAD)[chance.integers(4)], chance)
    assert sorted(progress(done)[0] or ()) == list(start.things)
    assert len(done.asked) <= bound(number)


@settings(max_examples=30, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(0, 2**32))
def test_things_that_come_later_are_sorted_among_the_others(before: int, later: int, seed: int) -> None:
    chance = np.random.default_rng(seed)
    worth = {each: int(chance.integers(12)) for each in chance.permutation(things(before + later)).tolist()}
    start = NOTHING._replace(things=tuple(sorted(list(worth)[:before])))
    half = judged(start, by_worth(worth), chance)._replace(things=tuple(sorted(worth)))
    done = judged(half, by_worth(worth), chance)
    assert right(progress(done)[0], worth)


def test_several_comparisons_are_open_most_of_the_time() -> None:
    open_, worth = list[int](), {each: at * 5 % 16 for at, each in enumerate(things(16))}
    judged(NOTHING._replace(things=tuple(worth)), by_worth(worth), np.random.default_rng(1), open_)
    assert open_[0] == 8
    assert open_.count(1) < len(open_) / 5


@pytest.mark.parametrize(
    ("said", "order"),
    [
        ((FIRST, SECOND, SECOND), ["b", "a"]),
        ((FIRST, SECOND), ["a", "b"]),
        ((SECOND, TIE, BOTH_BAD), ["b", "a"]),
        ((TIE, BOTH_BAD), ["a", "b"]),
    ],
)
def test_the_majority_decides_and_equal_things_stay_in_order(said: tuple[str, ...], order: list[str]) -> None:
    answered = tuple(Answered("a", "b", each, f"assessor {at}") for at, each in enumerate(said))
    topic = NOTHING._replace(things=("a", "b"), asked=(("a", "b"),), answered=answered)
    assert progress(topic) == (order, [])
