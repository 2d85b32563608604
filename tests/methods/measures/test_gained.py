from __future__ import annotations

from math import log, log2, log10

import numpy as np
import pytest

from tests.fixture_types import MakeJudged
from workbench.methods.measures.gained import Running, best_of_topics, discount_at, log2_of, retrieved
from workbench.methods.measures.gains import LINEAR, read_gains

RANKS = np.arange(1, 13)


def test_the_usual_discount_is_the_logarithm_of_the_rank_and_one() -> None:
    assert discount_at(RANKS).tolist() == [log2(rank + 1) for rank in range(1, 13)]


def test_below_base_leaves_all_ranks_above_the_base_alone() -> None:
    expected = [1.0] * 9 + [log10(rank) for rank in (10, 11, 12)]
    assert discount_at(RANKS, "below-base", 10).tolist() == expected


def test_after_first_leaves_only_the_first_rank_alone() -> None:
    assert discount_at(RANKS, "after-first", 10).tolist() == [1.0, *(log10(rank) for rank in range(2, 13))]


def test_a_base_may_be_any_number() -> None:
    expected = [1.0, 1.0] + [log(rank) / log(2.5) for rank in range(3, 13)]
    assert discount_at(RANKS, "below-base", 2.5).tolist() == pytest.approx(expected)


def test_the_best_ranking_has_what_was_not_retrieved_and_is_ordered_by_gain(judge: MakeJudged) -> None:
    judged = judge([([1, 0, 2], [3, -1]), ([0], []), ([2], [1, 1])])
    best = best_of_topics(judged, read_gains("{1:9,2:0,3:0.5}"))
    assert best.row.tolist() == [0, 0, 2, 2]
    assert best.rank.tolist() == [1, 2, 1, 2]
    assert best.gain.tolist() == [9, 0.5, 9, 9]


def test_sums_over_the_best_ranking_stay_as_they_are_after_its_end(judge: MakeJudged) -> None:
    best = Running.of(best_of_topics(judge([([1, 3], []), ([0], [])]), LINEAR))
    found = best.at(np.array([0, 0, 0, 0, 1]), np.array([0, 1, 2, 9, 1]))
    assert found.tolist() == [0, 3, 4, 4, 0]


def test_documents_are_counted_within_their_rows(judge: MakeJudged) -> None:
    found = retrieved(judge([([0, 1, 2, 1], []), ([], [1]), ([1, 0], [])]), LINEAR)
    assert (found.nth.tolist(), found.number.tolist()) == ([1, 2, 3, 1], [3, 0, 1])
    assert found.running().tolist() == [1, 3, 4, 1]


def test_logarithms_are_those_of_the_c_library() -> None:
    values = np.array([26.0, 2.0, 26.0, 2.5])
    assert log2_of(values).tolist() == [log2(26), 1.0, log2(26), log2(2.5)]
