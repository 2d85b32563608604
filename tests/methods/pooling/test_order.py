from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workbench.core.errors import UnknownName
from workbench.core.records import Pooled
from workbench.methods.pooling import ORDERS, order_pairs

PAIRS = [
    Pooled("1", "d10", best_rank=2, runs=1),
    Pooled("1", "d2", best_rank=1, runs=3),
    Pooled("1", "D3", best_rank=2, runs=2),
    Pooled("10", "é", best_rank=5, runs=1),
    Pooled("2", "a", best_rank=9, runs=1),
]
MANY = [Pooled("1", f"d{number}", best_rank=number % 7 + 1, runs=1) for number in range(200)]

every_order = pytest.mark.parametrize("order", ORDERS)


def ids(pairs: list[Pooled]) -> list[str]:
    return [pair.document_id for pair in pairs]


def test_pairs_go_by_ids_by_best_rank_or_by_a_shuffle_that_stays() -> None:
    assert ids(order_pairs(PAIRS, order="document id")) == ["D3", "d10", "d2", "é", "a"]
    assert ids(order_pairs(PAIRS, order="best rank")) == ["d2", "D3", "d10", "é", "a"]
    with pytest.raises(UnknownName, match="there is no viewing order 'shufle'; did you mean shuffle"):
        order_pairs(PAIRS, order="shufle")
    first = order_pairs(MANY, order="shuffle", seed=7, assessor="ann")
    assert first == order_pairs(reversed(MANY), order="shuffle", seed=7, assessor="ann")
    shuffled = order_pairs(MANY[:6], order="shuffle", seed=42, assessor="ann")
    assert ids(shuffled) == ["d5", "d3", "d4", "d2", "d1", "d0"]


@pytest.mark.parametrize(("seed", "assessor"), [(8, "ann"), (7, "bob"), (7, "Ann"), (7, "")])
def test_a_shuffle_is_each_seeds_and_each_assessors_own(seed: int, assessor: str) -> None:
    first = order_pairs(MANY, order="shuffle", seed=7, assessor="ann")
    other = order_pairs(MANY, order="shuffle", seed=seed, assessor=assessor)
    assert sorted(first) == sorted(other)
    assert sum(a != b for a, b in zip(first, other, strict=True)) > 150


def test_a_shuffle_shows_nothing_of_ranks_or_ids() -> None:
    shuffled = order_pairs(MANY, order="shuffle", seed=1, assessor="ann")
    first_half = shuffled[:100]
    assert 3 < sum(pair.best_rank for pair in first_half) / 100 < 5
    assert 30 < sum(pair in MANY[:100] for pair in first_half) < 70


@every_order
@given(kept=st.sets(st.integers(0, 199)), seed=st.integers())
def test_a_pool_that_grows_keeps_the_order_it_had(order: str, kept: set[int], seed: int) -> None:
    before = [MANY[number] for number in sorted(kept)]
    grown = order_pairs(MANY, order=order, seed=seed, assessor="ann")
    assert [pair for pair in grown if pair in before] == order_pairs(
        before, order=order, seed=seed, assessor="ann"
    )


@every_order
def test_topics_stay_together_in_byte_order(order: str) -> None:
    assert [pair.topic_id for pair in order_pairs(PAIRS, order=order)] == ["1", "1", "1", "10", "2"]
