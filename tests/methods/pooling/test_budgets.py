"""How many pairs of each topic a budget buys."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.methods.pooling.budgets import allot

SIZES = np.array([4, 10, 0, 6])


@pytest.mark.parametrize(
    ("given_budget", "taken"),
    [
        ({}, [4, 10, 0, 6]),
        ({"budget": 9}, [3, 3, 0, 3]),
        ({"budget": 14}, [4, 5, 0, 5]),  # a small topic leaves its share to others
        ({"budget": 10}, [4, 3, 0, 3]),  # a remainder goes to the first topics
        ({"budget": 2}, [1, 1, 0, 0]),
        ({"budget": 5, "per_topic": True}, [4, 5, 0, 5]),
        ({"percent": 10}, [0, 1, 0, 1]),
    ],
)
def test_a_budget_is_spread_evenly_or_is_that_of_each_topic(
    given_budget: dict[str, Any], taken: list[int]
) -> None:
    assert allot(SIZES, **given_budget).tolist() == taken


def test_a_share_is_rounded_to_the_nearest_halves_up() -> None:
    assert allot(np.array([4, 10, 0, 5]), percent=10).tolist() == [0, 1, 0, 1]
    assert allot(np.array([4, 10, 0, 5]), percent=100).tolist() == [4, 10, 0, 5]


@pytest.mark.parametrize(
    "given_budget",
    [{"budget": 21}, {"budget": 5, "percent": 10}, {"per_topic": True}, {"percent": 10.0, "per_topic": True}],
)
def test_a_budget_that_cannot_be_is_refused(given_budget: dict[str, Any]) -> None:
    with refused(UnknownName):
        allot(SIZES, **given_budget)


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
