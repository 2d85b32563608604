"""Move-to-front and the bandits, by hand and against the queue as it is described."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.at_length import at_length
from tests.methods.pooling.tables import labels_of, tables
from tests.methods.pooling.three_runs import after, next_of, three_runs
from workbench.core.ranking import FloatArray
from workbench.methods.pooling.adaptive import adaptive_sequence
from workbench.methods.pooling.chance import uniforms
from workbench.methods.pooling.strategies.run_by_run import _counted, max_mean, move_to_front, thompson
from workbench.methods.pooling.topic_table import TopicTable

FIRST = "abe"
"""The documents at the top of abcde, bacdf and edbag."""


def mtf(*judgments: str) -> str:
    return next_of(move_to_front(three_runs(), after(*judgments)), after(*judgments))


def test_move_to_front_asks_the_run_of_the_fewest_misses_since_it_found_something() -> None:
    # abcde and bacdf have missed twice, edbag once: d.
    assert mtf("a-", "b-", "e-") == "d"
    # All have missed once; abcde found b after that, so that it is at the front: c.
    assert mtf("a-", "b+", "e-") == "c"
    # b was judged through edbag or bacdf; abcde is asked for it after a and is restored. edbag: e, d missed.
    assert mtf("e-", "d-", "a-", "b+") == "c"
    # Had it not been relevant, all have missed twice or more, edbag three times; c is next of both others.
    assert mtf("e-", "d-", "a-", "b-") == "c"
    firsts = {next_of(move_to_front(three_runs(), after(), seed=seed), after()) for seed in range(20)}
    assert firsts == set(FIRST)


@settings(max_examples=at_length(400, 40))
@given(tables(), st.data())
def test_move_to_front_is_the_queue_of_priorities(table: TopicTable, data: st.DataObject) -> None:
    relevant = labels_of(data, table)
    chosen = adaptive_sequence(move_to_front, table, relevant).tolist()
    for number, place in enumerate(chosen):
        assert place in allowed_by_the_queue(table, relevant, set(chosen[:number]))


def allowed_by_the_queue(table: TopicTable, relevant: NDArray[np.bool_], judged: set[int]) -> set[int]:
    """The next documents of the runs at the front, once all that is known at the front was asked for.

    Of runs with the same priority any with a known document may be asked first: all these ways are gone.
    """
    rankings = [row[row < len(table)].tolist() for row in table.place_at]
    start = ((0,) * len(rankings), (0,) * len(rankings))
    open_states, seen_states, allowed = [start], {start}, set[int]()
    while open_states:
        asked, priority = open_states.pop()
        left = [s for s, ranking in enumerate(rankings) if asked[s] < len(ranking)]
        front = [s for s in left if priority[s] == max(priority[s] for s in left)]
        known = [s for s in front if rankings[s][asked[s]] in judged]
        if not known:
            allowed |= {rankings[s][asked[s]] for s in front}
        for s in known:
            after_it = 0 if relevant[rankings[s][asked[s]]] else priority[s] - 1
            state = (
                (*asked[:s], asked[s] + 1, *asked[s + 1 :]),
                (*priority[:s], after_it, *priority[s + 1 :]),
            )
            if state not in seen_states:
                seen_states.add(state)
                open_states.append(state)
    return allowed


def test_maxmean_asks_the_run_with_the_largest_share_at_its_rate() -> None:
    # e is in abcde and edbag, b in all: (1 + 1)/(2 + 2), (1 + 1)/(2 + 1), (1 + 1)/(2 + 2), so bacdf: a.
    found, asked = _counted(three_runs(), after("e-", "b+"), 1.0)
    assert (found.tolist(), asked.tolist()) == ([1, 1, 1], [2, 1, 2])
    assert next_of(max_mean(three_runs(), after("e-", "b+")), after("e-", "b+")) == "a"
    # bacdf has 4 of 5 and the others fewer, but nothing of it is open; abcde and edbag have one miss more.
    seen = after("b+", "a+", "c+", "d+", "f-", "e-")
    assert next_of(max_mean(three_runs(), seen), seen) == "g"
    # b found first, then e missed: abcde and edbag have rel = 1 · ½ and ret = 1 · ½ + 1; bacdf 1 and 1.
    found, asked = _counted(three_runs(), after("b+", "e-"), 0.5)
    assert (found.tolist(), asked.tolist()) == ([0.5, 1, 0.5], [1.5, 1, 1.5])
    found, asked = _counted(three_runs(), after("b+", "e-"), 0.0)
    assert (found.tolist(), asked.tolist()) == ([0, 1, 0], [1, 1, 1])
    found, asked = _counted(three_runs(), after("e-", "b+"), 0.0)
    assert (found.tolist(), asked.tolist()) == ([1, 1, 1], [1, 1, 1])


def test_thompson_draws_from_the_distribution_of_each_share() -> None:
    table = three_runs()
    one, two, three = uniforms(table, 7, 1)
    # c missed: Beta(1, 2) for abcde and bacdf, of which 1 - sqrt(1 - u) is the quantile, and Beta(1, 1) for edbag.
    drawn = [1 - sqrt(1 - one), 1 - sqrt(1 - two), three]
    assert next_of(thompson(table, after("c-"), seed=7), after("c-")) == FIRST[int(np.argmax(drawn))]
    # c found: Beta(2, 1), of which sqrt(u) is the quantile.
    drawn = [sqrt(one), sqrt(two), three]
    assert next_of(thompson(table, after("c+"), seed=7), after("c+")) == FIRST[int(np.argmax(drawn))]


@pytest.mark.parametrize("order", [move_to_front, max_mean])
def test_the_documents_of_the_run_that_is_asked_come_first_from_its_top(
    order: Callable[..., FloatArray],
) -> None:
    # edbag has not missed at the top, and found one of 3 where abcde found one of 4; then the others by best rank.
    scores = order(three_runs(), after("a-", "b-", "c-", "e+"))
    by_score = np.argsort(-scores, kind="stable")
    assert "".join("abcdefg"[place] for place in by_score) == "edbagcf"
