"""Pairs by name, and samples that were drawn elsewhere: read strictly, and refused where they cannot be."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.methods.pooling.test_static_orders import RUNS, packed
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.methods.pooling import STRATEGIES, make_pool
from workbench.methods.pooling.strategies.listed import (
    Candidate,
    imported_design,
    listed_pairs,
    read_candidate,
    read_pair,
    write_candidate,
    write_pair,
)

LIST = ["7 g", "7 b", "7 z", "8 a", "7 b"]
WORD = st.text(st.characters(codec="utf-8", exclude_characters=" "), min_size=1)


def test_the_listed_documents_that_runs_have_come_once_with_rank_and_runs() -> None:
    pool = make_pool(packed(RUNS), strategy="list", pairs=LIST)
    # abcde, bcadf and gedba: b is second, first and fourth, and g stands first in one run alone.
    assert ["abcdefg"[number] for number in pool.document] == ["b", "g"]
    assert (pool.best_rank.tolist(), pool.runs.tolist()) == ([1, 1], [3, 1])
    assert (set(pool.stratum), set(pool.inclusion_probability)) == ({1}, {1.0})
    assert [pair[:2] for pair in listed_pairs(pairs=LIST)] == [("7", "g"), ("7", "b"), ("7", "z"), ("8", "a")]
    assert {name for name, entry in STRATEGIES.items() if entry.listed} == {"imported", "list"}


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


@pytest.mark.parametrize("chance", [1.0, 0.1, 1 / 3, 5e-324])
def test_a_candidate_is_written_and_read_again_exactly(chance: float) -> None:
    candidate = Candidate("1", "d1", 12, chance, drawn=True)
    assert read_candidate(write_candidate(candidate)) == candidate


@pytest.mark.parametrize(
    "candidates",
    [
        *(
            ["1 d9 1 0.5 1", no_candidate]
            for no_candidate in (
                "1 d1 1 0.5", "1 d1 1 0.5 1 1", "1  1 0.5 1", "1 d1 0 0.5 1", "1 d1 01 0.5 1", "1 d1 1 0 1",
                "1 d1 1 1.5 1", "1 d1 1 nan 1", "1 d1 1 half 1", "1 d1 1 0.5 2",
            )
        ),
        ["1 d1 1 0.5 1", "1 d1 1 0.5 0"],
        ["1 d1 1 0.5 0", "1 d2 1 0.5 0"],
        ["1 d1 1 0.5 1", "1 d2 1 0.25 1"],
    ],
)  # fmt: skip
def test_what_is_no_candidate_or_no_sample_is_refused_with_the_reason(candidates: list[str]) -> None:
    with refused(UnknownName):
        imported_design(candidates=candidates)


def test_a_stratum_is_one_of_its_topic_and_chances_may_differ_where_there_are_no_strata() -> None:
    of_two_topics = ["1 d1 1 0.5 1", "2 d1 1 0.25 0", "1 d2 2 0.125 0"]
    assert [one.probability for one in imported_design(candidates=of_two_topics)] == [0.5, 0.25, 0.125]
    unequal = ["1 d1 1 0.5 1", "1 d2 1 0.25 1"]
    assert len(imported_design(candidates=unequal, strata=False)) == 2
