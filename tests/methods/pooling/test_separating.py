"""Documents that tell the runs apart, by hand: with p = 0.5 the ranks weigh 1/2, 1/4, 1/8, 1/16, 1/32."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from tests.methods.pooling.three_runs import after, next_of, three_runs
from workbench.methods.pooling.strategies.separating import (
    UNIT,
    _of_runs,
    _part,
    _state,
    _weights,
    open_pairs,
    separate,
)
from workbench.methods.pooling.topic_table import Seen, TopicTable

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


def test_every_pair_counts_as_long_as_it_can_turn_or_where_that_is_asked_for() -> None:
    assert units() == units("e+", "b-", pairs="all") == OF_ALL_PAIRS
    assert next_of(separate(three_runs(), after(), p=0.5), after()) == "e"
    # With b open run two can gain 23/32, more than 1/2.
    assert units("e+")["a"] == OF_ALL_PAIRS["a"]


def test_pairs_that_are_decided_count_no_more_and_their_documents_come_last() -> None:
    # e relevant puts run three 1/2 before run two, which can gain 3/16 (a) + 1/8 (c) + 1/32 (f) = 11/32 without b:
    # decided. Run one, 15/32 behind, can gain 7/16 (a) + 1/8 (c) = 18/32: undecided, as are one and two.
    scores = units("e+", "b-")
    assert scores["a"] == 1 / 4 + 7 / 16
    assert (scores["c"], scores["d"], scores["f"], scores["g"]) == (1 / 8, 3 / 16, 1 / 32, 1 / 32)
    # Everything but c and g is judged, e and d relevant: run three leads by 1/2 + 3/16 - 1/32 and is decided. c does
    # not tell one and two apart, and g neither has; of all pairs c counts more.
    seen = after("e+", "d+", "a-", "b-", "f-")
    scores = separate(three_runs(), seen, p=0.5)
    assert scores.max() < 0
    assert next_of(scores, seen) == "c"


def test_pairs_that_are_open_over_all_topics_count_where_that_is_asked_for() -> None:
    # Runs one and two have both documents of another topic, which are relevant, 3/4, and run three has none. Here run
    # three can gain 15/32 (e) + 3/16 (d) + 1/32 (g) = 22/32 on run one, and 16/32 + 6/32 + 1/32 on run two: decided.
    table = TopicTable(
        np.arange(2, dtype=np.uint32), np.array([[1, 2], [2, 1]], np.int32), None, 2, run=(0, 1)
    )
    relevant = Seen(np.ones(2, np.bool_), np.ones(2, np.bool_), np.arange(2))
    across = open_pairs([(three_runs(), after()), (table, relevant)], p=0.5, pairs="open")
    assert np.argwhere(across).tolist() == [[0, 1]]
    scores = separate(three_runs(), replace(after(), across=across), p=0.5, pairs="open") / UNIT
    assert scores[[0, 1, 4, 5]].tolist() == [1 / 4, 1 / 4, 1 / 32, 1 / 32]
    assert (scores[[2, 3, 6]] < 0).all()  # one and two have c and d alike, and neither has g


def test_a_topic_alone_is_all_topics() -> None:
    assert units(pairs="open") == OF_ALL_PAIRS
    for judged in (("e+", "b-"), ("e+", "d+", "a-", "b-", "f-")):
        assert units(*judged, pairs="open") == units(*judged)


def test_what_is_open_over_all_topics_follows_judgments_that_are_changed() -> None:
    table, other = three_runs(), three_runs()
    for judged in (after(), after("e+", "b-"), after("e-", "b-"), after("b-")):
        kept = open_pairs([(table, judged), (other, after())], p=0.5, pairs="open")
        fresh = open_pairs([(three_runs(), judged), (three_runs(), after())], p=0.5, pairs="open")
        assert np.array_equal(kept, fresh)  # type: ignore[arg-type]
        seen = replace(judged, across=kept)
        again = separate(three_runs(), seen, p=0.5, pairs="open")
        assert np.array_equal(separate(table, seen, p=0.5, pairs="open"), again)
    assert open_pairs([(table, after())], p=0.5, pairs="all") is None


def test_what_a_run_can_gain_on_another_is_the_sum_over_what_is_not_judged() -> None:
    table = three_runs()
    weights = _weights(table, 0.5)
    state = part = None
    for judgments in ((), ("e+",), ("e+", "b-"), ("e-", "b+", "a-"), ("e-",), ()):
        seen = after(*judgments)
        alone, state = _state(table, seen, 0.5, None), _state(table, seen, 0.5, state)
        part = _part(seen, _of_runs(table, 0.5, 3), part)  # of a topic among others
        rest = weights[:, ~seen.judged]
        gains = [[np.maximum(one - other, 0).sum() for other in rest] for one in rest]
        for found in (alone.part, state.part, part):
            assert found.ahead.tolist() == gains
            assert found.base.tolist() == weights[:, seen.relevant].sum(axis=1).tolist()
