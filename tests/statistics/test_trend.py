"""Change over the course of values: small cases by hand, all orders counted out, and what holds always."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.statistics.trend import Trend, trend


def found(values: list[float], groups: str | None = None, shuffles: int = 10_000) -> Trend:
    return trend(values, groups, permutations=shuffles, rng=np.random.default_rng(1))


def numbers(told: Trend) -> list[float | None]:
    return [told.change, told.p_value, told.n]


def test_a_straight_line_rises_from_its_first_value_to_its_last() -> None:
    # Of the 24 orders of four values only this one and its reverse are as steep.
    assert numbers(found([0, 1, 2, 3])) == pytest.approx([3, 2 / 24, 4])
    assert numbers(found([3, 2, 1, 0])) == pytest.approx([-3, 2 / 24, 4])
    assert found([3, 2, 1, 0]).note == "all 24 orders"


def test_a_step_by_hand() -> None:
    # Places -1.5, -.5, .5, 1.5 of 0, 0, 1, 1: slope 2 / 5, over three steps 1.2. Of the 6 ways to place two ones the
    # first two places and the last two are as steep.
    assert numbers(found([0, 0, 1, 1])) == pytest.approx([1.2, 2 / 6, 4])
    # 0, 1, 0: no slope, and every order has one at least as steep.
    assert numbers(found([0, 1, 0])) == pytest.approx([0, 1, 3])


def test_what_differs_between_groups_is_no_trend_within_them() -> None:
    # By group a: 0, 0 and b: 1, 1; and with a rise within each: 2 * 2 orders, this and the reverse are as steep.
    assert found([0, 0, 1, 1], "aabb").change is None
    rising = found([0, 1, 5, 6], "aabb")
    # Places around their group's mean -.5, .5, -.5, .5: slope 1 / 1, over three steps 3.
    assert numbers(rising) == pytest.approx([3, 2 / 4, 4])
    assert rising.note == "all 4 orders"


def test_a_group_of_one_takes_no_part() -> None:
    assert numbers(found([0, 9, 1], "aba")) == pytest.approx([1, 1, 2])
    assert found([0, 1, 2], "abc").note == "not defined: fewer than two values"


@pytest.mark.parametrize("values", [[], [1.0], [2.0, 2.0, 2.0], [0.3, 0.1 + 0.2]])
def test_too_little_to_tell_is_not_defined(values: list[float]) -> None:
    assert found(values)[:2] == (None, None)
    assert found(values).note.startswith("not defined: ")


def test_many_values_are_shuffled_by_chance_and_say_how_often() -> None:
    values = np.repeat([0.0, 1.0], 30).tolist()
    steep = found(values, shuffles=999)
    assert (steep.p_value, steep.note) == (1 / 1000, "B = 999")
    flat = found([0.0, 1.0] * 30, shuffles=999)
    assert flat.p_value is not None and flat.p_value > 0.5
    assert found(values, shuffles=999) == steep


def test_drawn_orders_come_near_all_orders() -> None:
    values = [0.0, 2.0, 1.0, 1.0, 3.0, 2.0, 4.0]
    exact, drawn = found(values), found(values, shuffles=4000)
    assert exact.note == "all 5,040 orders"
    assert drawn.p_value == pytest.approx(exact.p_value, abs=0.01)


@given(st.lists(st.integers(-3, 3).map(lambda n: n / 3), min_size=2, max_size=5))
def test_p_is_the_share_of_orders_whose_slope_is_as_steep(values: list[float]) -> None:
    told = found(values)
    places = np.arange(len(values))
    if len(set(values)) == 1:
        assert told.p_value is None
        return
    slopes = [np.polyfit(places, order, 1)[0] for order in permutations(values)]
    own = np.polyfit(places, values, 1)[0]
    assert told.change == pytest.approx(own * (len(values) - 1), abs=1e-9)
    assert told.p_value == pytest.approx(np.mean([abs(slope) >= abs(own) - 1e-9 for slope in slopes]))
