"""Judged rankings, and means over topics."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.fixture_types import MakeJudged
from workbench.core.ranking import POOLED, UNJUDGED, Labels
from workbench.methods.measures import mean_over_topics, over_topics, parse_measure, sum_over_topics
from workbench.methods.measures.judged import log2_discount, power
from workbench.methods.measures.means import geometric_mean, harmonic_mean, micro_mean


def test_hits_know_row_rank_number_and_grade_and_are_cut_at_ranks(judge: MakeJudged) -> None:
    hits = judge([([0, 2, 1], []), ([], [3]), ([UNJUDGED, 1], [])]).hits(1)
    assert hits.row.tolist() == [0, 0, 2]
    assert hits.rank.tolist() == [2, 3, 2]
    assert hits.nth.tolist() == [1, 2, 1]
    assert hits.grade.tolist() == [2, 1, 1]
    hits = judge([([1, 1, 1], []), ([1, 1], [])]).hits(1)
    assert hits.within(2).rank.tolist() == [1, 2, 1, 2]
    assert hits.within(np.array([3, 1])).rank.tolist() == [1, 2, 3, 1]


def test_documents_are_counted_down_to_one_rank_or_to_one_per_row(judge: MakeJudged) -> None:
    judged = judge([([1, 0, 2, -1, UNJUDGED], [1]), ([], [2]), ([POOLED, 1], [])])
    assert judged.num_found(1).tolist() == [2, 0, 1]
    assert judged.num_found(1, 1).tolist() == [1, 0, 0]
    assert judged.num_found(1, 10**30).tolist() == [2, 0, 1]
    assert judged.num_found(1, np.array([2, 5, 2])).tolist() == [1, 0, 1]
    assert judged.num_found(0).tolist() == [3, 0, 1]
    assert judged.num_judged(None).tolist() == [4, 0, 1]
    assert judged.num_judged(2).tolist() == [2, 0, 1]


def test_what_stands_above_a_hit_is_counted_by_its_label(judge: MakeJudged) -> None:
    # Relevant documents on ranks 1, 4 and 7; the others judged non-relevant, pooled, unknown.
    judged = judge([([1, 0, POOLED, 1, UNJUDGED, 0, 2], []), ([0, -1, 1], [])])
    assert judged.known_above(1).tolist() == [0, 3, 5, 2]
    assert judged.nonrel_above(1).tolist() == [0, 1, 2, 1]
    assert judged.nonrel_above(2).tolist() == [4]


@pytest.mark.parametrize("after", [UNJUDGED, POOLED, 0, 3])
@pytest.mark.parametrize("place", [0, 2, 3, 4])
def test_a_document_with_another_label_is_as_if_it_had_always_had_it(
    judge: MakeJudged, place: int, after: int
) -> None:
    ranked = [1, 0, POOLED, UNJUDGED, 2]
    judged = judge(ranked)
    for name in ("AP", "Bpref", "infAP", "Judged@3"):
        parse_measure(name)(judged)
    ranked[place] = judged.labels.label[place] = after
    changed, expected = judged.relabelled(np.array([place]), after), judge(ranked)
    assert changed.label.tolist() == ranked
    for name in ("AP", "Bpref", "infAP", "Judged@3", "NumRel", "nDCG", "AP(bound=upper)", "RBPResidual"):
        assert parse_measure(name)(changed).tolist() == parse_measure(name)(expected).tolist()


def test_weights_are_added_in_rank_order(judge: MakeJudged) -> None:
    judged = judge([1] * 1000)
    weights = np.random.default_rng(2).random(1000)
    total = 0.0
    for weight in weights.tolist():
        total += weight
    assert judged.add_up(judged.hits(1), weights).tolist() == [total]


def test_logarithms_and_powers_are_the_c_librarys() -> None:
    ranks, exponents = np.arange(1, 5000), np.arange(1000)
    assert log2_discount(ranks).tolist() == [math.log2(rank + 1) for rank in ranks.tolist()]
    assert power(0.95, exponents).tolist() == [0.95**n for n in exponents.tolist()]


@pytest.mark.parametrize(
    ("ranked", "cutoff", "value"),
    [
        ([1, 0, UNJUDGED, 2], 2, 1.0), ([1, 0, UNJUDGED, 2], 3, 2 / 3), ([1, 0, UNJUDGED, 2], 10, 3 / 4),
        ([1, 0, UNJUDGED, 2], 10**15, 3 / 4), ([1, 0, UNJUDGED, 2], None, 3 / 4), ([UNJUDGED], 10, 0.0),
        ([], 10, 0.0), ([], None, 0.0),
    ],
)  # fmt: skip
def test_the_judged_share_is_of_the_documents_that_are_there(
    judge: MakeJudged, ranked: Sequence[int], cutoff: int | None, value: float
) -> None:
    measure = parse_measure("Judged" if cutoff is None else f"Judged@{cutoff}")
    assert measure(judge(ranked, [1])).tolist() == [value]


def left_to_right(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total


@given(
    st.integers(1, 40).flatmap(
        lambda runs: st.lists(
            st.lists(st.integers(0, 10).map(lambda n: n / 10), min_size=runs, max_size=runs), min_size=1
        )
    )
)
def test_topics_are_added_left_to_right(rows: list[list[float]]) -> None:
    values = np.array(rows)
    expected = [left_to_right(column) for column in values.T.tolist()]
    assert sum_over_topics(values).tolist() == expected
    assert mean_over_topics(values).tolist() == [total / len(rows) for total in expected]


def test_only_counted_topics_count_which_may_be_others_for_each_run_or_none() -> None:
    values = np.array([[1.0, 0.5], [np.nan, 0.0], [0.0, 0.0]])
    counted = np.array([True, False, True])
    assert mean_over_topics(values, counted).tolist() == [0.5, 0.25]
    assert sum_over_topics(values, counted).tolist() == [1.0, 0.5]
    each = np.array([[True, True], [False, True], [False, False]])
    assert mean_over_topics(values, each).tolist() == [1.0, 0.25]
    assert mean_over_topics(np.ones((2, 3)), np.array([False, False])).tolist() == [0, 0, 0]
    assert mean_over_topics(np.ones((0, 3))).tolist() == [0, 0, 0]


# Two topics, one run: values .25 and 0.
QUARTER_AND_NOTHING = np.array([[0.25], [0.0]])


def test_means_have_a_floor_and_leave_out_topics_that_are_not_counted() -> None:
    assert geometric_mean(QUARTER_AND_NOTHING, 0.01) == pytest.approx([0.05])  # sqrt(.25 * .01)
    assert harmonic_mean(QUARTER_AND_NOTHING, 0.01) == pytest.approx([2 / 104])  # 2 / (1 / .25 + 1 / .01)
    counted = np.array([True, False])
    assert geometric_mean(QUARTER_AND_NOTHING, 0.01, counted) == pytest.approx([0.25])
    assert harmonic_mean(QUARTER_AND_NOTHING, 0.01, counted) == pytest.approx([0.25])
    assert micro_mean(QUARTER_AND_NOTHING, np.array([1, 3]), counted) == pytest.approx([0.25])


@pytest.mark.parametrize(
    "name", ["AP", "AP(mean=geometric)", "AP(mean=harmonic)", "AP(mean=micro)", "NumRel"]
)
def test_no_topics_at_all_make_nothing(name: str) -> None:
    labels = Labels(np.zeros(1, np.int64), np.zeros(0, np.int16))
    assert over_topics(parse_measure(name), np.zeros((0, 2)), labels).tolist() == [0, 0]


def test_macro_means_weigh_topics_alike_and_micro_means_weigh_relevant_documents_alike() -> None:
    # Relevant at ranks 1, 3, 6, 9, 10 of 5, and at ranks 2, 5, 7 of 3.
    first = (1 / 1 + 2 / 3 + 3 / 6 + 4 / 9 + 5 / 10) / 5
    second = (1 / 2 + 2 / 5 + 3 / 7) / 3
    labels = Labels(np.array([0, 5, 8]), np.ones(8, np.int16))
    values = np.array([[first], [second]])
    assert over_topics(parse_measure("AP"), values, labels) == pytest.approx([0.5325], abs=5e-5)
    assert over_topics(parse_measure("AP(mean=micro)"), values, labels) == pytest.approx([0.5550], abs=5e-5)
