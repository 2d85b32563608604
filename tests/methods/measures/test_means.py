from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.ranking import Labels
from workbench.methods.measures import mean_over_topics, over_topics, parse_measure, sum_over_topics
from workbench.methods.measures.means import geometric_mean, harmonic_mean, micro_mean


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
