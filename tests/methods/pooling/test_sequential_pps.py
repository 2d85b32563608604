"""A random order in which each document comes next with a chance in proportion to how far it tells runs apart."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest

from tests.at_length import at_length
from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import Names, Rankings
from workbench.methods.pooling import make_pool
from workbench.methods.pooling.strategies.sequential_pps import Drawing, draw

IDS = "abcdefg"
RUNS = ("abcde", "bacdf", "edbag")


def three_runs(topics: int = 1, runs: tuple[str, ...] = RUNS) -> Rankings:
    """The runs, the same in each topic."""
    rows = [run for _ in range(topics) for run in runs]
    document = np.array([IDS.index(letter) for row in rows for letter in row], np.uint32)
    row_start = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    topic = np.repeat(np.arange(topics, dtype=np.int32), len(runs))
    run = np.tile(np.arange(len(runs), dtype=np.int32), topics)
    ids = [str(topic) for topic in range(topics)]
    names = Names(ids, {each: list(IDS) for each in ids}, ["one", "two", "three"])
    return Rankings(row_start, document, run, topic, None, names)


def drawn(drawing: Drawing) -> list[tuple[int, str]]:
    """Topic and document of all candidates in the order of drawing."""
    pairs = drawing.pairs.take(drawing.sequence)
    return [
        (topic, IDS[number])
        for topic, number in zip(pairs.topic.tolist(), pairs.document.tolist(), strict=True)
    ]


def test_documents_are_as_large_as_the_differences_of_their_weights_and_come_last_without() -> None:
    # RBP with p = 0.5 weighs 1/2, 1/4, 1/8, 1/16, 1/32. a: 1/2, 1/4, 1/16; c: 1/8, 1/8, 0.
    size = dict(
        zip(IDS, draw(three_runs(), depth=5, measure="RBP(p=0.5)", seed=0).size.tolist(), strict=True)
    )
    assert size["a"] == 1 / 4 + 7 / 16 + 3 / 16
    assert size["c"] == 1 / 8 + 1 / 8
    assert size["f"] == size["g"] == 1 / 16
    # Of the first two ranks b is in all three at most: P@2 weighs a and b alike in runs one and two.
    drawing = draw(three_runs(2), depth=5, measure="P@2", seed=1)
    assert set(drawn(drawing)[:8]) == {(topic, letter) for topic in (0, 1) for letter in "abde"}
    assert drawn(drawing)[8:] == [(topic, letter) for topic in (0, 1) for letter in "cfg"]
    drawing = draw(three_runs(1, ("abc", "abc")), depth=3, measure="P@3", seed=0)
    assert (drawing.size.tolist(), drawn(drawing)) == ([0, 0, 0], [(0, "a"), (0, "b"), (0, "c")])


def test_the_first_is_drawn_as_often_as_its_size_says_and_the_second_of_what_is_left() -> None:
    first, pairs, number = Counter[str](), Counter[str](), at_length(4000, 2000)
    for seed in range(number):
        drawing = draw(three_runs(), depth=5, measure="RBP(p=0.5)", seed=seed)
        letters = "".join(letter for _, letter in drawn(drawing))
        first[letters[0]] += 1
        pairs[letters[:2]] += 1
    size = dict(zip(IDS, drawing.size.tolist(), strict=True))
    whole = sum(size.values())
    for letter in IDS:
        share = size[letter] / whole
        assert abs(first[letter] / number - share) < 4 * np.sqrt(share * (1 - share) / number)
    for one, other in ("ab", "ea", "bd"):
        share = size[one] / whole * size[other] / (whole - size[one])
        assert abs(pairs[one + other] / number - share) < 4 * np.sqrt(share * (1 - share) / number)


def test_a_greater_budget_goes_on_in_the_same_order_and_a_share_is_one_of_all_candidates() -> None:
    pools = [
        make_pool(three_runs(3), strategy="sequential-pps", depth=4, budget=number, seed=5)
        for number in range(1, 15)
    ]
    held = [set(zip(pool.topic.tolist(), pool.document.tolist(), strict=True)) for pool in pools]
    assert [len(each) for each in held] == list(range(1, 15))
    assert all(less < more for less, more in pairwise(held))
    order = drawn(draw(three_runs(3), depth=4, measure="RBP(p=0.8)", seed=5))
    assert {(topic, IDS[number]) for topic, number in held[6]} == set(order[:7])
    assert len(make_pool(three_runs(2), strategy="sequential-pps", depth=5, percent=50.0).topic) == 7
    assert len(make_pool(three_runs(2), strategy="sequential-pps", depth=5).topic) == 14


@pytest.mark.parametrize(
    "parameters",
    [
        {"measure": "AP"}, {"measure": "nDCG@10"}, {"measure": "Q@@"}, {"budget": 15},
        {"budget": 1, "percent": 1.0},
    ],
)  # fmt: skip
def test_what_cannot_be_drawn_is_refused(parameters: dict[str, object]) -> None:
    with refused(UnknownName):
        make_pool(three_runs(2), strategy="sequential-pps", depth=5, **parameters)


def test_rankings_without_ids_are_refused() -> None:
    with pytest.raises(ValueError, match="goes by ids"):
        draw(replace(three_runs(), names=None), depth=5, measure="P@2", seed=0)
