"""How many pairs of each topic a budget buys."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.methods.pooling.budgets import allot

SIZES = np.array([4, 10, 0, 6])


def test_without_a_budget_every_candidate_is_taken() -> None:
    assert allot(SIZES).tolist() == [4, 10, 0, 6]


def test_a_remainder_goes_to_the_first_topics() -> None:
    assert allot(SIZES, budget=10).tolist() == [4, 3, 0, 3]
    assert allot(SIZES, budget=13).tolist() == [4, 5, 0, 4]
    assert allot(SIZES, budget=2).tolist() == [1, 1, 0, 0]


def test_a_budget_of_each_topic_is_not_spread() -> None:
    assert allot(SIZES, budget=5, per_topic=True).tolist() == [4, 5, 0, 5]


def test_a_share_is_rounded_to_the_nearest_halves_up() -> None:
    assert allot(np.array([4, 10, 0, 5]), percent=10).tolist() == [0, 1, 0, 1]
    assert allot(np.array([4, 10, 0, 5]), percent=100).tolist() == [4, 10, 0, 5]


def test_a_budget_beyond_all_candidates_is_refused() -> None:
    with refused(UnknownName):
        allot(SIZES, budget=21)


def test_a_budget_in_two_ways_is_refused() -> None:
    with refused(UnknownName):
        allot(SIZES, budget=5, percent=10)


@pytest.mark.parametrize("percent", [None, 10.0])
def test_each_topic_without_a_budget_is_refused(percent: float | None) -> None:
    with refused(UnknownName):
        allot(SIZES, percent=percent, per_topic=True)


@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.data())
def test_a_spread_budget_is_spent_whole_and_no_topic_gets_less_than_another_without_being_empty(
    sizes: list[int], data: st.DataObject
) -> None:
    budget = data.draw(st.integers(0, sum(sizes)))
    shares = allot(np.array(sizes), budget=budget)
    assert shares.sum() == budget
    assert all(shares <= sizes)
    open_ones = [share for share, size in zip(shares.tolist(), sizes, strict=True) if share < size]
    assert not open_ones or min(open_ones) >= max(shares) - 1
