"""Hedge, minimal test collections and the orders by rank-biased precision, by hand on three runs."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from tests.methods.pooling.three_runs import after, named, next_of, three_runs
from workbench.methods.pooling.strategies.judged_so_far import (
    hedge,
    minimal_test_collection,
    residual,
    residual_of_the_best,
)
from workbench.methods.pooling.topic_table import Seen, TopicTable

BETA = exp(-2)
"""With it a loss of ½ ln x divides the weight by x."""


def test_runs_count_alike_until_a_miss_costs_those_that_had_it_near_the_top() -> None:
    scores = named(hedge(three_runs(), after(), beta=BETA))
    # (K + 1)/r is 6, 3, 2, 1.5, 1.2 for the ranks 1 to 5.
    assert scores["b"] == pytest.approx((log(3) + log(6) + log(2)) / 6, abs=1e-12)
    assert scores["a"] == pytest.approx((log(6) + log(3) + log(1.5)) / 6, abs=1e-12)
    assert scores["g"] == pytest.approx(log(1.2) / 6, abs=1e-12)
    assert max(scores, key=scores.__getitem__) == "b"
    # b at the ranks 2, 1, 3: the weights are as 1/3, 1/6 and 1/2, which add up to 1.
    scores = named(hedge(three_runs(), after("b-"), beta=BETA))
    assert scores["a"] == pytest.approx((log(6) / 3 + log(3) / 6 + log(1.5) / 2) / 2, abs=1e-12)  # .4915
    assert scores["e"] == pytest.approx((log(1.2) / 3 + log(6) / 2) / 2, abs=1e-12)  # .4783
    assert scores["d"] == pytest.approx((log(1.5) / 3 + log(1.5) / 6 + log(3) / 2) / 2, abs=1e-12)  # .3760
    assert next_of(hedge(three_runs(), after("b-"), beta=BETA), after("b-")) == "a"


def test_a_find_is_as_much_of_a_gain() -> None:
    # b relevant: 3, 6 and 2 of 11; then a not relevant, at the ranks 1, 2, 4: divided by 6, 3 and 1.5.
    scores = named(hedge(three_runs(), after("b+"), beta=BETA))
    assert scores["a"] == pytest.approx((3 * log(6) + 6 * log(3) + 2 * log(1.5)) / 22, abs=1e-12)
    one, two, three = 1 / 2, 2, 4 / 3
    scores = named(hedge(three_runs(), after("b+", "a-"), beta=BETA))
    total = 2 * (one + two + three)
    assert scores["c"] == pytest.approx((one + two) * log(2) / total, abs=1e-12)
    assert scores["e"] == pytest.approx((one * log(1.2) + three * log(6)) / total, abs=1e-12)


def test_long_sequences_of_losses_leave_weights_that_add_up_to_one() -> None:
    n = 5000
    table = TopicTable(
        np.arange(n, dtype=np.uint32), np.arange(1, n + 1, dtype=np.int32)[None].repeat(2, 0), None, n
    )
    seen = Seen(np.arange(n) < n - 1, np.zeros(n, np.bool_), np.arange(n - 1))
    assert hedge(table, seen)[-1] == pytest.approx(0.5 * log((n + 1) / n), abs=1e-12)


def test_minimal_test_collections_weigh_differences_and_what_is_shared_with_the_relevant() -> None:
    scores = named(minimal_test_collection(three_runs(), after()))
    assert scores == pytest.approx(
        {"a": 1 - 1 / 4, "b": 1 - 1 / 3, "c": 1 / 3, "d": 1 / 2 - 1 / 4, "e": 1, "f": 1 / 5, "g": 1 / 5},
        abs=1e-15,
    )
    # e is at the ranks 5, none, 1: a document of the first run gains 1/5, one at rank r of the third run 1/r.
    scores = named(minimal_test_collection(three_runs(), after("e+")))
    assert scores["a"] == pytest.approx((1 + 1 / 5) - (1 / 4 + 1 / 4), abs=1e-15)
    assert scores["b"] == pytest.approx(1 - (1 / 3 + 1 / 3), abs=1e-15)
    assert scores["c"] == pytest.approx(1 / 3 + 1 / 5, abs=1e-15)
    assert scores["d"] == pytest.approx((1 / 2 + 1 / 2) - 1 / 4, abs=1e-15)
    assert scores["g"] == pytest.approx(1 / 5 + 1 / 5, abs=1e-15)
    assert next_of(minimal_test_collection(three_runs(), after("e+")), after("e+")) == "d"
    table = three_runs()
    before = named(minimal_test_collection(table, after()))
    assert named(minimal_test_collection(table, after("e-", "a-"))) == before
    assert named(minimal_test_collection(table, after("e+", "a-"))) != before


def test_method_b_weighs_runs_by_what_is_open_and_does_not_look_at_the_labels() -> None:
    scores = named(residual(three_runs(), after(), p=0.5))
    assert scores["b"] == 1 / 4 + 1 / 2 + 1 / 8
    assert scores["f"] == scores["g"] == 1 / 32
    # b judged: 1 - 1/4, 1 - 1/2 and 1 - 1/8 are open.
    for judged in ("b-", "b+"):
        scores = named(residual(three_runs(), after(judged), p=0.5))
        assert scores["a"] == pytest.approx(3 / 4 / 2 + 1 / 2 / 4 + 7 / 8 / 16, abs=1e-15)  # .5547
        assert scores["e"] == pytest.approx(3 / 4 / 32 + 7 / 8 / 2, abs=1e-15)  # .4609


def test_method_c_prefers_runs_that_may_be_the_best_by_the_weights_of_its_persistence() -> None:
    # b relevant: b_s = 1/4, 1/2, 1/8 and e_s = 3/4, 1/2, 7/8, so b_s + e_s/2 = 5/8, 3/4, 9/16.
    one, two, three = 3 / 4 * (5 / 8) ** 3, 1 / 2 * (3 / 4) ** 3, 7 / 8 * (9 / 16) ** 3
    scores = named(residual_of_the_best(three_runs(), after("b+"), p=0.5))
    assert scores["a"] == pytest.approx(one / 2 + two / 4 + three / 16, abs=1e-15)
    assert scores["e"] == pytest.approx(one / 32 + three / 2, abs=1e-15)
    assert scores["d"] == pytest.approx(one / 16 + two / 16 + three / 4, abs=1e-15)
    table, seen = three_runs(), after("b+")
    for order in (residual, residual_of_the_best):
        half, most = (order(table, seen, p=p).tolist() for p in (0.5, 0.9))
        assert half == order(three_runs(), seen, p=0.5).tolist()
        assert most == order(three_runs(), seen, p=0.9).tolist()
        assert half != most
