"""Pairs by name: those that runs have are found in the rankings, by hand on three runs of five documents."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.pooling.test_static_orders import RUNS, packed
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.methods.pooling import STRATEGIES, make_pool
from workbench.methods.pooling.strategies.listed import listed_pairs, read_pair, write_pair

LIST = ["7 g", "7 b", "7 z", "8 a", "7 b"]
WORD = st.text(st.characters(codec="utf-8", exclude_characters=" "), min_size=1)


def test_the_listed_documents_that_runs_have_come_with_rank_and_runs() -> None:
    pool = make_pool(packed(RUNS), strategy="list", pairs=LIST)
    # abcde, bcadf and gedba: b is second, first and fourth, and g stands first in one run alone.
    assert ["abcdefg"[number] for number in pool.document] == ["b", "g"]
    assert (pool.best_rank.tolist(), pool.runs.tolist()) == ([1, 1], [3, 1])
    assert (set(pool.stratum), set(pool.inclusion_probability)) == ({1}, {1.0})


def test_each_pair_counts_once_in_the_order_of_the_list() -> None:
    assert [pair[:2] for pair in listed_pairs(pairs=LIST)] == [("7", "g"), ("7", "b"), ("7", "z"), ("8", "a")]


@given(st.sets(st.sampled_from("abcdefgxyz"), min_size=1))
def test_the_pool_is_what_list_and_runs_have_in_common(documents: set[str]) -> None:
    pool = make_pool(packed(RUNS), strategy="list", pairs=[f"7 {each}" for each in documents])
    assert {"abcdefg"[number] for number in pool.document} == documents & set("abcdefg")


@given(WORD, WORD)
def test_a_pair_is_read_as_it_is_written(topic_id: str, document_id: str) -> None:
    assert read_pair(write_pair(topic_id, document_id)) == (topic_id, document_id)


@pytest.mark.parametrize("pairs", [[], ["7"], ["7 a b"], ["7 "], [7]])
def test_what_is_no_pair_is_refused(pairs: list[object]) -> None:
    with refused(UnknownName):
        make_pool(packed(RUNS), strategy="list", pairs=pairs)


def test_rankings_without_ids_are_refused() -> None:
    with refused(ValueError):
        make_pool(replace(packed(RUNS), names=None), strategy="list", pairs=LIST)


def test_two_strategies_name_their_pairs() -> None:
    assert {name for name, entry in STRATEGIES.items() if entry.listed} == {"imported", "list"}
