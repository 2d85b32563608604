"""How fast somebody judges, alone and beside the others."""

from __future__ import annotations

import pytest

from workbench.agreement.assessors.pace import Pace, is_unusual, pace_of


def test_the_pace_is_reported_by_median_quartiles_and_judgments_an_hour() -> None:
    pace = pace_of([2, 4, 6, 8, 100])
    assert pace == Pace(5, 120 / 3600, 6.0, 4.0, 8.0, 150.0)
    assert pace_of([]) == Pace(0, 0.0, None, None, None, None)


def test_the_interval_of_a_median_lies_between_two_of_the_values() -> None:
    # Of twenty coins three heads or fewer have probability .0013, four or fewer .0059: three values are left out.
    assert pace_of(range(1, 21)).interval == (4, 17)
    assert pace_of(range(1, 9)).interval == (1, 8)
    assert pace_of(range(1, 8)).interval is None


def test_a_median_that_may_be_half_by_chance_makes_nobody_fast() -> None:
    others = [pace_of([10.0] * 30) for _ in range(3)]
    fast = [4.0] * 14 + [9.0] * 6
    assert pace_of(fast).median == 4.0
    assert is_unusual(pace_of(fast), others) == ""
    assert is_unusual(pace_of(fast * 20), others) == "faster"


@pytest.mark.parametrize(
    ("seconds", "word"), [(4.9, "faster"), (5, ""), (10, ""), (20, ""), (20.1, "slower")]
)
def test_a_pace_is_unusual_below_half_or_above_twice_the_median_of_the_others(
    seconds: float, word: str
) -> None:
    others = [pace_of([typical] * 30) for typical in (2, 10, 60)]
    assert is_unusual(pace_of([seconds] * 30), others) == word


def test_too_few_judgments_make_nobody_unusual() -> None:
    many, few = pace_of([10] * 30), pace_of([1] * 19)
    assert is_unusual(few, [many]) == ""
    assert is_unusual(pace_of([1] * 30), [pace_of([10] * 19)]) == ""
    assert is_unusual(pace_of([1] * 30), []) == ""
    assert is_unusual(pace_of([1] * 20), [pace_of([10] * 20)]) == "faster"
