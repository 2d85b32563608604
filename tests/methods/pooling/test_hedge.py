"""Hedge by hand."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest

from tests.methods.pooling.three_runs import after, named, next_of, three_runs
from workbench.methods.pooling.strategies.judged_so_far import hedge
from workbench.methods.pooling.topic_table import Seen, TopicTable

BETA = exp(-2)
"""With it a loss of ½ ln x divides the weight by x."""


def test_at_first_all_runs_count_alike() -> None:
    scores = named(hedge(three_runs(), after(), beta=BETA))
    # (K + 1)/r is 6, 3, 2, 1.5, 1.2 for the ranks 1 to 5.
    assert scores["b"] == pytest.approx((log(3) + log(6) + log(2)) / 6, abs=1e-12)
    assert scores["a"] == pytest.approx((log(6) + log(3) + log(1.5)) / 6, abs=1e-12)
    assert scores["g"] == pytest.approx(log(1.2) / 6, abs=1e-12)
    assert max(scores, key=scores.__getitem__) == "b"


def test_a_miss_costs_the_runs_that_had_it_near_the_top() -> None:
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
