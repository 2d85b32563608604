"""Rank-biased overlap: values of the reference implementations, all orders of ties one by one, and the definition."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations, product
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.statistics.rank_overlap import Overlap, ranking_of, rbo

RED = ["red", {"blue", "green"}, "yellow", "pink"]
BLUE = [{"blue", "red"}, "white", {"yellow", "black", "purple"}, "green"]


def read(text: str) -> list[Any]:
    """`i1 (i2 i3)` as a ranking: items by rank, those in brackets tied."""
    ranking: list[Any] = []
    for part in text.replace("(", "\n(").replace(")", ")\n").split("\n"):
        if part.startswith("("):
            ranking.append(set(part.strip("()").split()))
        else:
            ranking += part.split()
    return ranking


@pytest.mark.parametrize(
    ("p", "ext", "low", "high"), [(0.9, 0.288217, 0.221686, 0.580676), (0.8, 0.266045, 0.244719, 0.376364)]
)
def test_known_values_without_ties(p: float, ext: float, low: float, high: float) -> None:
    found = rbo("abcdefg", "zcavwxy", p=p)
    assert found == pytest.approx((ext, low, high, high - low), abs=1e-6)


def test_known_values_with_ties() -> None:
    expected = (0.6922853, 0.3310519, 0.8930692, 0.5620173)
    assert rbo(RED, BLUE, p=0.95) == pytest.approx(expected, abs=5e-8)


# Of the test file of Corsi and Urbano: two rankings, p, and ext, low, high, residual of the variant a.
REFERENCE = [
    (
        "(i5 i9 i13 i15 i16 i19 i20) (i3 i8)",
        "i6 (i4 i18) i2 i7 i8 i17 i14 (i11 i12) i1",
        0.958074765324023,
        (0.0808189832771587, 0.0354671825076603, 0.593396603603558, 0.557929421095898),
    ),
    (
        "i13 (i1 i4 i5 i6)",
        "i3 i14 i11 (i10 i15) i12 (i6 i9) i4 i2",
        0.92238320668128,
        (0.114619469221414, 0.0733545052121218, 0.537945108035391, 0.464590602823269),
    ),
    (
        "(i1 i3 i6 i11 i15) i17 (i5 i8)",
        "(i1 i2 i3 i4 i5 i6 i7 i8 i9 i10 i11 i12)",
        0.966485585840186,
        (0.56593642947334, 0.250532359019861, 0.795583602856033, 0.545051243836172),
    ),
    (
        "i5 (i1 i2 i3 i4 i6)",
        "i14 i11 (i1 i2 i3 i6 i8 i9 i10 i13)",
        0.989677000181474,
        (0.506338899449639, 0.0951569037156836, 0.933510149185559, 0.838353245469876),
    ),
]


@pytest.mark.parametrize(("one", "other", "p", "expected"), REFERENCE)
def test_rankings_of_unequal_length_with_ties(
    one: str, other: str, p: float, expected: tuple[float, ...]
) -> None:
    assert rbo(read(one), read(other), p=p) == pytest.approx(expected, abs=1e-10)


def test_scores_become_a_ranking_in_which_an_item_stands_once() -> None:
    assert rbo([], "abc") is None
    assert ranking_of("abcd", [0.1 + 0.2, 0.9, 0.3, 0.1]) == [{"b"}, {"a", "c"}, {"d"}]
    assert ranking_of([], []) == []
    with pytest.raises(ValueError, match="stands twice"):
        rbo("aba", "abc")


@pytest.mark.parametrize("p", [0, 1, 1.5])
def test_persistence_lies_between_0_and_1(p: float) -> None:
    with pytest.raises(ValueError, match="between 0 and 1"):
        rbo("ab", "ba", p=p)


plain = st.lists(st.integers(0, 9), min_size=1, max_size=7, unique=True)


def with_ties(items: list[int], cuts: list[bool]) -> list[set[int]]:
    ranking: list[set[int]] = []
    for item, is_new in zip(items, [True, *cuts], strict=False):
        if is_new:
            ranking.append(set())
        ranking[-1].add(item)
    return ranking


items = st.lists(st.integers(0, 7), min_size=1, max_size=6, unique=True)
cuts = st.lists(st.booleans(), min_size=6, max_size=6)
tied = st.builds(with_ties, items, cuts)


@given(plain, plain, st.floats(0.1, 0.95))
def test_low_is_the_sum_of_what_is_seen(one: list[int], other: list[int], p: float) -> None:
    shared = [len(set(one[:depth]) & set(other[:depth])) for depth in range(1, 2001)]
    depths = np.arange(1, 2001)
    expected = (1 - p) / p * (np.array(shared) / depths * p**depths).sum()
    found = rbo(one, other, p=p)
    assert found is not None
    assert found.low == pytest.approx(expected)


@given(tied, tied, st.floats(0.1, 0.95))
def test_overlap_lies_between_its_bounds_and_does_not_care_for_the_order_of_the_two(
    one: list[set[int]], other: list[set[int]], p: float
) -> None:
    found = rbo(one, other, p=p)
    assert found is not None
    assert -1e-12 <= found.low <= found.ext + 1e-12
    assert found.ext <= found.high + 1e-9
    assert found.high <= 1 + 1e-9
    assert found.residual == pytest.approx(found.high - found.low)
    if sum(map(len, one)) != sum(map(len, other)):
        assert rbo(other, one, p=p) == pytest.approx(found)


@given(plain, st.floats(0.1, 0.95))
def test_a_ranking_without_ties_equals_itself(one: list[int], p: float) -> None:
    found = rbo(one, one, p=p)
    assert found is not None
    assert found.ext == pytest.approx(1.0)


def orders_of(ranking: list[set[int]]) -> list[list[int]]:
    every = product(*(permutations(group) for group in ranking))
    return [[item for group in chosen for item in group] for chosen in every]


six = st.lists(st.integers(0, 7), min_size=6, max_size=6, unique=True)


@given(st.builds(with_ties, six, cuts).filter(lambda ranking: max(map(len, ranking)) < 4), six)
def test_the_a_variant_is_the_mean_over_all_orders_of_tied_items(
    one: list[set[int]], other: list[int]
) -> None:
    values = [found.ext for order in orders_of(one) if (found := rbo(order, other, p=0.8))]
    found = rbo(one, other, p=0.8)
    assert found is not None
    assert found.ext == pytest.approx(np.mean(values))


# All pairs of rankings of up to 4 items with all their ties, at p = .9, but for two of 4 items each.
class Probe(NamedTuple):
    """Two rankings, how far their values lie from the means over all orders, and where the longer one is tied."""

    short: list[set[int]]
    long: list[set[int]]
    ext: float
    low: float
    high: float
    deepest_tie: int

    @property
    def below(self) -> int:
        """How many ranks below the end of the shorter ranking the last tie of the longer one reaches."""
        return self.deepest_tie - sum(map(len, self.short))


def shorter_rankings(size: int, longer: int) -> list[list[int]]:
    """Rankings of `size` items beside one of 0 ... longer - 1; its own items are numbered on, in their order."""
    found = []
    for shared in range(size + 1):
        for places, chosen in product(combinations(range(size), shared), permutations(range(longer), shared)):
            at, own = dict(zip(places, chosen, strict=True)), iter(range(longer, longer + size))
            found.append([at[place] if place in at else next(own) for place in range(size)])
    return found


def all_ties(items: list[int]) -> list[list[set[int]]]:
    return [with_ties(items, list(starts)) for starts in product((True, False), repeat=len(items) - 1)]


@cache
def in_this_order(one: tuple[int, ...], other: tuple[int, ...]) -> Overlap:
    found = rbo(one, other, p=0.9)
    assert found is not None
    return found


def tried(short: list[set[int]], long: list[set[int]]) -> Probe:
    pairs = product(map(tuple, orders_of(short)), map(tuple, orders_of(long)))
    mean = np.mean([in_this_order(*pair) for pair in pairs], axis=0)
    found = rbo(short, long, p=0.9)
    assert found is not None
    ends = np.cumsum([len(group) for group in long])
    tied_ends = [int(end) for end, group in zip(ends, long, strict=True) if len(group) > 1]
    ext, low, high, _ = (np.array(found) - mean).tolist()
    return Probe(short, long, ext, low, high, max(tied_ends, default=0))


def test_which_values_of_the_a_variant_are_means_over_all_orders_for_rankings_of_any_lengths() -> None:
    sizes = [(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 3), (3, 4)]
    cases = [
        tried(short, long)
        for size, longer in sizes
        for items in shorter_rankings(size, longer)
        for short in all_ties(items)
        for long in all_ties(list(range(longer)))
    ]
    assert len(cases) == 3382
    assert max(abs(case.low) for case in cases) < 1e-12
    assert max(max(abs(case.ext), abs(case.high)) for case in cases if case.below < 2) < 1e-12
    assert max(max(case.ext, case.high) for case in cases) < 1e-12
    worst = min(cases, key=lambda case: case.ext)
    assert (worst.short, worst.long) == ([{0}], [{0}, {1, 2, 3}])
    assert worst.ext == pytest.approx(worst.high) == pytest.approx(-0.048)
    assert min(case.high for case in cases) == pytest.approx(-0.048)
    beside_two = [case.ext for case in cases if sum(map(len, case.short)) == 2]
    assert min(beside_two) == pytest.approx(-0.0135)
