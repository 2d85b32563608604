from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from workbench.measures import mean_over_topics, sum_over_topics


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


def test_one_run_over_many_topics_is_added_left_to_right_too() -> None:
    values = np.random.default_rng(1).integers(0, 11, (1000, 1)) / 10
    assert sum_over_topics(values).tolist() == [left_to_right(values[:, 0].tolist())]


def test_only_counted_topics_count() -> None:
    values = np.array([[1.0, 0.5], [0.25, 0.0], [0.0, 0.0]])
    counted = np.array([True, False, True])
    assert mean_over_topics(values, counted).tolist() == [0.5, 0.25]
    assert sum_over_topics(values, counted).tolist() == [1.0, 0.5]


def test_topics_can_count_for_some_runs_only() -> None:
    values = np.array([[1.0, 0.5], [0.5, 0.0]])
    counted = np.array([[True, True], [True, False]])
    assert mean_over_topics(values, counted).tolist() == [0.75, 0.5]


def test_the_mean_over_no_topics_is_zero() -> None:
    assert mean_over_topics(np.ones((2, 3)), np.array([False, False])).tolist() == [0, 0, 0]
    assert mean_over_topics(np.ones((0, 3))).tolist() == [0, 0, 0]


def test_what_is_not_counted_may_be_anything() -> None:
    values = np.array([[1.0], [np.nan]])
    assert mean_over_topics(values, np.array([True, False])).tolist() == [1.0]
