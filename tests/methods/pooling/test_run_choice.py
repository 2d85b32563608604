"""A depth of their own for runs, priorities within teams, and budgets."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.pooling.test_static_orders import RUNS, packed
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import Rankings
from workbench.methods.pooling import STRATEGIES, PoolPairs, make_pool, needs
from workbench.methods.pooling.budgets import allot
from workbench.methods.pooling.run_choice import read_of_run, write_of_run

TAGS = ["one", "two", "three"]


def of_teams(*teams: str) -> Rankings:
    """The runs one, two and three, abcde, bcadf and gedba, of these teams."""
    rankings = packed(RUNS)
    assert rankings.names is not None
    return replace(rankings, names=rankings.names._replace(teams=teams or ("", "", "")))


def documents(pool: PoolPairs) -> str:
    return "".join("abcdefg"[number] for number in pool.document)


def to_depth(rankings: Rankings, depth: int, **others: Any) -> str:
    return documents(make_pool(rankings, depth=depth, **others))


def test_a_run_is_pooled_and_counted_to_a_depth_of_its_own() -> None:
    assert to_depth(of_teams(), 1) == "abg"
    assert to_depth(of_teams(), 1, run_depths=["three:3"]) == "abdeg"
    assert to_depth(of_teams(), 2, run_depths=["three:0", "two:1"]) == "ab"
    assert to_depth(of_teams(), 1, run_depths=["one:999"]) == "abcdeg"
    pool = make_pool(of_teams(), depth=2, run_depths=["three:5"])
    # a, b, c stand in the first two of one and two; b is fourth and a fifth in three, which brings d, e and g.
    assert documents(pool) == "abcdeg"
    assert pool.best_rank.tolist() == [1, 1, 2, 3, 2, 1]
    assert pool.runs.tolist() == [2, 3, 1, 1, 1, 1]


@pytest.mark.parametrize(
    ("teams", "priorities", "per_team", "pooled"),
    [
        (("A", "A", "B"), ["one:1", "two:2"], 1, "ag"),
        (("A", "A", "B"), ["one:7", "two:2"], 1, "bg"),
        (("A", "A", "B"), ["two:2"], 1, "bg"),  # what has no priority comes last
        (("A", "A", "B"), ["one:1", "two:2"], 2, "abg"),
        (("A", "A", "B"), [], 2, "abg"),  # nothing is to be left out
        (("A", "A", "A"), ["one:3", "two:2", "three:1"], 2, "bg"),
        (("A", "A", "A"), ["one:3", "two:1", "three:1"], 2, "bg"),  # both of the same priority are in
        (("", "", ""), [], 1, "abg"),  # runs without a team are of no team
    ],
)
def test_the_best_runs_of_each_team_are_pooled(
    teams: tuple[str, ...], priorities: list[str], per_team: int, pooled: str
) -> None:
    assert to_depth(of_teams(*teams), 1, priorities=priorities, runs_per_team=per_team) == pooled


def test_the_priority_looks_only_at_the_runs_that_are_drawn_on() -> None:
    rankings = of_teams("A", "A", "B")
    given = {"priorities": ["one:1", "two:2"], "runs_per_team": 1}
    assert to_depth(rankings.of_runs([1, 2]), 1, **given) == "bg"


@pytest.mark.parametrize(
    "given",
    [
        {"run_depths": ["four:2"]}, {"run_depths": ["one:2", "one:3"]}, {"run_depths": ["one"]},
        {"run_depths": ["one:-1"]}, {"priorities": ["one:1"]},
        {"priorities": ["one:4", "two:4"], "runs_per_team": 1}, {"runs_per_team": 1}, {"runs_per_team": 0},
        {"budget": -3}, {"budget": 7}, {"percent": 0.0}, {"percent": 101.0}, {"budget": 2, "percent": 10.0},
        {"per_topic": True},
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_with_the_way_out(given: dict[str, Any]) -> None:
    with refused(UnknownName):
        make_pool(of_teams("A", "A", "B"), depth=3, **given)
    with pytest.raises(ValueError, match="names"):
        make_pool(replace(packed(RUNS), names=None), depth=3, run_depths=["one:1"])


@pytest.mark.parametrize(("budget", "pooled"), [(1, "a"), (2, "ab"), (3, "abg"), (4, "abcg"), (6, "abcdeg")])
def test_a_budget_is_used_up_by_best_rank_then_by_how_many_runs(budget: int, pooled: str) -> None:
    # To depth 3: a, b, g are first somewhere, g in one run alone; c (in two runs) and e second; d third.
    assert to_depth(of_teams(), 3, budget=budget) == pooled
    assert to_depth(of_teams(), 3, budget=budget, per_topic=True) == pooled


def test_a_budget_takes_only_what_runs_have_down_to_their_own_depths() -> None:
    assert to_depth(of_teams(), 3, run_depths=["one:0", "two:0"], budget=2) == "eg"
    assert to_depth(of_teams(), 1, run_depths=["three:5"], percent=50.0) == "abg"


@given(st.integers(1, 5), st.data())
def test_a_budgeted_pool_is_the_beginning_of_the_whole_one(depth: int, data: st.DataObject) -> None:
    own = data.draw(st.dictionaries(st.sampled_from(TAGS), st.integers(0, 6)))
    given = {"run_depths": [write_of_run(tag, number) for tag, number in own.items()]}
    whole = make_pool(of_teams(), depth=depth, **given)
    assert set(documents(whole)) == {
        document
        for tag, ranking in zip(TAGS, ("abcde", "bcadf", "gedba"), strict=True)
        for document in ranking[: own.get(tag, depth)]
    }
    budget = data.draw(st.integers(1, max(1, len(whole.topic))))
    if len(whole.topic):
        part = make_pool(of_teams(), depth=depth, budget=budget, **given)
        assert len(part.topic) == budget
        assert set(documents(part)) <= set(documents(whole))
        assert sorted(part.best_rank) == sorted(whole.best_rank)[:budget]


@given(
    st.text(st.characters(codec="utf-8", exclude_categories=["Z", "C"]), min_size=1),
    st.integers(0, 10**9 - 1),
)
def test_a_run_with_a_number_is_read_as_it_is_written(tag: str, number: int) -> None:
    assert read_of_run(write_of_run(tag, number)) == (tag, number)


def test_a_plain_depth_needs_no_names_and_records_nothing_more() -> None:
    depth = STRATEGIES["depth"]
    assert depth.check({"depth": 3, "budget": None, "run_depths": []}) == {"depth": 3}
    assert needs("depth", "descending", {"depth": 3}) == (False, False, "")
    assert needs("depth", "descending", {"depth": 3, "budget": 2}) == (False, True, "")
    assert (depth.deepest({"depth": 3}, 9), depth.deepest({"depth": 3, "run_depths": ["one:5"]}, 9)) == (3, 9)


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
