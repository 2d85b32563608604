"""Documents that tell the runs apart, by hand: with p = 0.5 the ranks weigh 1/2, 1/4, 1/8, 1/16, 1/32."""

from __future__ import annotations

import numpy as np

from tests.methods.pooling.three_runs import after, next_of, three_runs
from workbench.methods.pooling.strategies.separating import UNIT, separate

OF_ALL_PAIRS = {
    "a": 1 / 4 + 7 / 16 + 3 / 16,  # 1/2, 1/4, 1/16
    "b": 1 / 4 + 1 / 8 + 3 / 8,  # 1/4, 1/2, 1/8
    "c": 0 + 1 / 8 + 1 / 8,  # 1/8, 1/8, 0
    "d": 0 + 3 / 16 + 3 / 16,  # 1/16, 1/16, 1/4
    "e": 1 / 32 + 15 / 32 + 1 / 2,  # 1/32, 0, 1/2
    "f": 2 / 32,
    "g": 2 / 32,
}
"""Runs one and two, one and three, two and three."""


def units(*judgments: str, **own: object) -> dict[str, float]:
    scores = separate(three_runs(), after(*judgments), p=0.5, **own)  # type: ignore[arg-type]
    return dict(zip("abcdefg", (scores / UNIT).tolist(), strict=True))


def test_at_first_every_pair_is_undecided() -> None:
    assert units() == OF_ALL_PAIRS
    assert next_of(separate(three_runs(), after(), p=0.5), after()) == "e"


def test_a_pair_that_is_decided_counts_no_more() -> None:
    # e relevant puts run three 1/2 before run two, which can gain 3/16 (a) + 1/8 (c) + 1/32 (f) = 11/32 without b:
    # decided. Run one, 15/32 behind, can gain 7/16 (a) + 1/8 (c) = 18/32: undecided, as are one and two.
    scores = units("e+", "b-")
    assert scores["a"] == 1 / 4 + 7 / 16
    assert (scores["c"], scores["d"], scores["f"], scores["g"]) == (1 / 8, 3 / 16, 1 / 32, 1 / 32)


def test_while_it_can_still_turn_it_counts() -> None:
    # With b open run two can gain 23/32, more than 1/2.
    assert units("e+")["a"] == OF_ALL_PAIRS["a"]


def test_all_pairs_count_where_that_is_asked_for() -> None:
    assert units("e+", "b-", pairs="all") == OF_ALL_PAIRS


def test_documents_on_which_no_undecided_pair_depends_come_last() -> None:
    # Everything but c and g is judged, e and d relevant: run three leads by 1/2 + 3/16 - 1/32 and is decided. c does
    # not tell one and two apart, and g neither has; of all pairs c counts more.
    seen = after("e+", "d+", "a-", "b-", "f-")
    scores = separate(three_runs(), seen, p=0.5)
    assert scores.max() < 0
    assert next_of(scores, seen) == "c"


def test_a_grade_that_is_changed_opens_a_pair_again() -> None:
    table = three_runs()
    separate(table, after("e+", "b-"), p=0.5)
    again = separate(table, after("e-", "b-"), p=0.5)
    assert np.array_equal(again, separate(three_runs(), after("e-", "b-"), p=0.5))
    assert (again / UNIT)[0] == OF_ALL_PAIRS["a"]


def test_a_judgment_that_is_undone_opens_a_pair_again() -> None:
    table = three_runs()
    separate(table, after("e+", "b-"), p=0.5)
    assert np.array_equal(separate(table, after("e+"), p=0.5), separate(three_runs(), after("e+"), p=0.5))
