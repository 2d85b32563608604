"""What every adaptive order fulfils: it is a function of the rankings, of what is judged, and of its seed."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.at_length import at_length
from tests.methods.pooling.tables import fresh, labels_of, tables, texts_of
from tests.methods.pooling.three_runs import DOCUMENTS, three_runs
from workbench.core.ranking import FloatArray, pack_rankings
from workbench.methods.pooling import STRATEGIES, make_pool
from workbench.methods.pooling.adaptive import _in_proportion, adaptive_sequence, shares
from workbench.methods.pooling.chance import uniforms
from workbench.methods.pooling.topic_table import Seen, TopicTable, settled

ADAPTIVE = {name: one.order for name, one in STRATEGIES.items() if one.kind == "adaptive" and one.order}
WITH_PARAMETERS = [
    *((name, {}) for name in ADAPTIVE),
    ("maxmean", {"rate": 0.0}),
    ("maxmean", {"rate": 0.9}),
    ("thompson", {"rate": 0.9}),
    ("separate", {"pairs": "all"}),
]

each_order = pytest.mark.parametrize(("name", "own"), WITH_PARAMETERS, ids=str)


def seen_of(sequence: list[int], relevant: FloatArray, n: int) -> Seen:
    """What is judged after these places, in this order."""
    judged = np.zeros(n, np.bool_)
    judged[sequence] = True
    return Seen(judged, judged & relevant, np.array(sequence, np.int64))


def test_the_adaptive_orders_are_for_two_wishes() -> None:
    wishes = {name: STRATEGIES[name].wish for name in ADAPTIVE}
    assert wishes == dict.fromkeys(
        ["mtf", "maxmean", "thompson", "hedge", "rbp-b", "rbp-c", "cal"], "find"
    ) | dict.fromkeys(["mtc", "separate"], "decide")


@each_order
@settings(max_examples=at_length(100, 12))
@given(data=st.data(), table=tables(), burn_in=st.integers(0, 3))
def test_every_candidate_is_judged_once_and_a_replay_from_any_judgment_chooses_the_same(
    name: str, own: dict[str, object], data: st.DataObject, table: TopicTable, burn_in: int
) -> None:
    order, relevant, n = ADAPTIVE[name], labels_of(data, table), len(table)
    assert sorted(adaptive_sequence(order, table, relevant, burn_in=burn_in, **own)) == list(range(n))
    sequence = adaptive_sequence(order, table, relevant, **own).tolist()
    for number in data.draw(st.permutations(range(n))):
        seen = seen_of(sequence[:number], relevant, n)
        for one in (table, fresh(table)):
            scores = order(one, seen, **own)
            assert (scores.shape, np.isfinite(scores).all()) == ((n,), True)
            assert settled(np.where(seen.judged, -np.inf, scores)).argmax() == sequence[number]


@each_order
@settings(max_examples=at_length(100, 12))
@given(data=st.data(), table=tables())
def test_a_grade_that_changes_counts_as_if_it_had_always_been_so(
    name: str, own: dict[str, object], data: st.DataObject, table: TopicTable
) -> None:
    n = len(table)
    sequence = data.draw(st.permutations(range(n)))[: data.draw(st.integers(0, n))]
    for _ in range(3):  # what is kept with the table is that of other labels, and of more or fewer judgments
        earlier = sequence[: data.draw(st.integers(0, len(sequence)))]
        ADAPTIVE[name](table, seen_of(earlier, labels_of(data, table), n), **own)
    now = seen_of(sequence, labels_of(data, table), n)
    assert np.array_equal(ADAPTIVE[name](table, now, **own), ADAPTIVE[name](fresh(table), now, **own))


@pytest.mark.parametrize("name", ["mtf", "maxmean", "thompson", "cal"])
def test_the_same_seed_gives_the_same_order_and_another_another(name: str) -> None:
    rng = np.random.default_rng(5)
    rank = np.array([1 + rng.permutation(40) for _ in range(6)], np.int32)
    table = TopicTable(np.arange(40, dtype=np.uint32), rank, None, 40, texts=texts_of(40, 5))
    relevant = rng.random(40) < 0.2
    orders = [
        tuple(adaptive_sequence(ADAPTIVE[name], fresh(table), relevant, seed=seed).tolist())
        for seed in (1, 1, 2, 3)
    ]
    assert orders[0] == orders[1]
    assert len(set(orders)) == 3


def test_chance_is_the_same_in_whatever_order_steps_are_asked_for_and_each_topics_own() -> None:
    table = TopicTable(np.arange(3, dtype=np.uint32), np.array([[1, 2, 3]] * 4, np.int32), None, 3)
    forth = [uniforms(table, 1, step).tolist() for step in range(200)]
    back = [uniforms(fresh(table), 1, step).tolist() for step in reversed(range(200))]
    assert forth == back[::-1]
    assert len({number for numbers in forth for number in numbers}) == 800
    assert all(0 <= number < 1 for numbers in forth for number in numbers)
    assert np.mean(forth) == pytest.approx(0.5, abs=0.05)
    one = TopicTable(np.arange(2, dtype=np.uint32), np.array([[1, 2], [2, 1]], np.int32), None, 2)
    other = TopicTable(np.arange(2, dtype=np.uint32), np.array([[1, 2], [1, 2]], np.int32), None, 2)
    assert uniforms(one, 1, 0).tolist() != uniforms(other, 1, 0).tolist()


@pytest.mark.parametrize("name", ADAPTIVE)
def test_a_depth_far_beyond_the_rankings_is_none(name: str) -> None:
    run = pl.DataFrame({"topic_id": ["1"] * 3, "document_id": list("abc"), "score": [3.0, 2.0, 1.0]})
    pool = make_pool(pack_rankings([run, run]).rankings, strategy=name, depth=10**400, burn_in=2)
    assert pool.document.tolist() == [0, 1]


def test_scores_that_are_equal_but_for_the_order_of_a_sum_are_equal() -> None:
    one, other = (0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3)
    assert one != other
    assert settled(np.array([one, other, 0.5, -np.inf])).tolist()[0] == settled(np.array([one, other]))[1]
    assert np.argsort(settled(np.array([3.0, 1.0, 1.0 + 1e-9, -np.inf]))).tolist() == [3, 1, 2, 0]
    assert settled(np.zeros(2)).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("room", "weights", "rest", "parts"),
    [
        ([10, 10, 0], [1.0, 3.0, 1.0], 8, [2, 6, 0]),
        ([10, 5, 10], [1.0, 3.0, 1.0], 10, [2.5, 5, 2.5]),  # the second takes 5 of its 6; the others the rest
        ([2, 5, 1], [1.0, 3.0, 1.0], 8, [2, 5, 1]),  # all are full
        ([4, 6, 20], [1.0, 1.0, 1.0], 18, [4, 6, 8]),  # the first takes 4 of 6, the second 6 of 7, the third the rest
        ([0, 9], [3.0, 1.0], 8, [0, 8]),
        ([0, 0], [1.0, 1.0], 0, [0, 0]),
    ],
)  # fmt: skip
def test_what_a_topic_cannot_take_goes_to_the_others_in_proportion(
    room: list[int], weights: list[float], rest: int, parts: list[float]
) -> None:
    found = _in_proportion(np.array(room), np.array(weights), rest)
    assert found.tolist() == pytest.approx(parts)


@pytest.mark.parametrize(
    ("relevant", "minimum", "expected"),
    [
        ([0, 2, 0], 2, [4, 8, 4]),  # 2 each, and the other 9 as 1 to 3 to 1: 1.8, 5.4, 1.8, rounded up
        ([0, 0, 0], 2, [5, 5, 5]),
        ([0, 2, 0], 5, [5, 5, 5]),
        ([9, 0, 0], 0, [10, 3, 3]),  # the first has but ten candidates
    ],
)
def test_by_need_the_rest_is_shared_by_one_and_the_relevant_documents_found(
    relevant: list[int], minimum: int, expected: list[int]
) -> None:
    parameters = {"budget": 15, "percent": None, "per_topic": None, "spread": "by-need", "minimum": minimum}
    found = shares(np.array([10, 20, 20]), np.array(relevant), parameters)
    assert found.tolist() == expected
    evenly = shares(np.array([10, 20, 20]), np.array(relevant), parameters | {"spread": "evenly"})
    assert evenly.tolist() == [5, 5, 5]


RELEVANT = np.array([document in "bd" for document in DOCUMENTS])


def next_letter_after_a_find(table: TopicTable, seen: Seen) -> FloatArray:
    """After a relevant document that which follows it; else the last letter that is open."""
    scores = np.arange(7.0)
    if len(seen.sequence) and seen.relevant[seen.sequence[-1]]:
        scores[(seen.sequence[-1] + 1) % 7] = 10
    return scores


def walked(budget: int | None = None, burn_in: int = 0) -> str:
    places = adaptive_sequence(
        next_letter_after_a_find, three_runs(), RELEVANT, budget=budget, burn_in=burn_in
    )
    return "".join(DOCUMENTS[place] for place in places)


def test_a_burn_in_comes_first_and_each_choice_knows_the_labels_of_those_before() -> None:
    assert walked() == "gfedcba"  # e is judged already when d is found
    assert walked(burn_in=1) == "abegfdc"
    assert walked(burn_in=2).startswith("abed")
    assert walked(2, burn_in=2) == "ab"
    assert walked(5, burn_in=2) == "abedg"


@pytest.mark.parametrize(("budget", "judged"), [(0, ""), (2, "gf"), (7, "gfedcba"), (9, "gfedcba")])
def test_a_walk_ends_with_the_budget(budget: int, judged: str) -> None:
    assert walked(budget) == judged
