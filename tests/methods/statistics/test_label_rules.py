"""Rules that make one grade of several."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.methods.statistics.label_rules import majority, median, most_lenient, strictest

RULES = (majority, median, strictest, most_lenient)


@pytest.mark.parametrize(
    ("grades", "expected"),
    [
        ([2], (2, 2, 2, 2)),
        ([0, 2, 2], (2, 2, 0, 2)),
        ([0, 1, 2, 2], (2, 1, 0, 2)),
        ([2, 0], (0, 0, 0, 2)),
        ([0, 0, 1, 2, 3], (0, 1, 0, 3)),
        ([-2, 1, 1], (1, 1, -2, 1)),
    ],
)
def test_majority_median_strictest_and_most_lenient(grades: list[int], expected: tuple[int, ...]) -> None:
    assert tuple(rule(grades) for rule in RULES) == expected


@given(st.lists(st.integers(-2, 4), min_size=1), st.sampled_from(RULES))
def test_a_rule_gives_a_grade_that_an_assessor_gave_in_whatever_order(
    grades: list[int], rule: Callable[[list[int]], int]
) -> None:
    assert rule(grades) in grades
    assert rule(grades) == rule(sorted(grades))
