"""The adaptive orders by rank-biased precision, by hand: with p = 0.5 the ranks weigh 1/2, 1/4, 1/8, 1/16, 1/32."""

from __future__ import annotations

import pytest

from tests.methods.pooling.three_runs import after, named, three_runs
from workbench.methods.pooling.strategies.judged_so_far import residual, residual_of_the_best


def test_method_b_weighs_runs_by_what_is_open() -> None:
    scores = named(residual(three_runs(), after(), p=0.5))
    assert scores["b"] == 1 / 4 + 1 / 2 + 1 / 8
    assert scores["a"] == 1 / 2 + 1 / 4 + 1 / 16
    assert scores["f"] == scores["g"] == 1 / 32
    # b judged: 1 - 1/4, 1 - 1/2 and 1 - 1/8 are open.
    scores = named(residual(three_runs(), after("b-"), p=0.5))
    assert scores["a"] == pytest.approx(3 / 4 / 2 + 1 / 2 / 4 + 7 / 8 / 16, abs=1e-15)  # .5547
    assert scores["e"] == pytest.approx(3 / 4 / 32 + 7 / 8 / 2, abs=1e-15)  # .4609


def test_method_b_does_not_look_at_the_labels() -> None:
    assert named(residual(three_runs(), after("b-"))) == named(residual(three_runs(), after("b+")))


def test_method_c_prefers_runs_that_may_be_the_best() -> None:
    # b relevant: b_s = 1/4, 1/2, 1/8 and e_s = 3/4, 1/2, 7/8, so b_s + e_s/2 = 5/8, 3/4, 9/16.
    one, two, three = 3 / 4 * (5 / 8) ** 3, 1 / 2 * (3 / 4) ** 3, 7 / 8 * (9 / 16) ** 3
    scores = named(residual_of_the_best(three_runs(), after("b+"), p=0.5))
    assert scores["a"] == pytest.approx(one / 2 + two / 4 + three / 16, abs=1e-15)
    assert scores["e"] == pytest.approx(one / 32 + three / 2, abs=1e-15)
    assert scores["d"] == pytest.approx(one / 16 + two / 16 + three / 4, abs=1e-15)


def test_each_persistence_has_its_own_weights_in_one_table() -> None:
    table, seen = three_runs(), after("b+")
    for order in (residual, residual_of_the_best):
        half, most = (order(table, seen, p=p).tolist() for p in (0.5, 0.9))
        assert half == order(three_runs(), seen, p=0.5).tolist()
        assert most == order(three_runs(), seen, p=0.9).tolist()
        assert half != most
