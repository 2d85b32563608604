"""The probability that is recorded with a pair is that with which it was drawn."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import numpy as np
import pytest

from workbench.core.battles import FIRST, SECOND, TIE
from workbench.methods.pairing import PAIRINGS, Answered, PairChoice, TopicThings, chosen_pairs
from workbench.methods.pairing.strategies.drawing import doubts, uncertain
from workbench.methods.pooling import STRATEGIES

THINGS = ("a", "b", "c", "d", "e")
FRESH = TopicThings("1", THINGS, (), ())
SAID = (
    *(Answered("a", "b", FIRST, f"assessor {each}") for each in range(9)),
    Answered("c", "d", TIE, "Ann"),
    Answered("c", "e", SECOND, "Ann"),
)
SOME = FRESH._replace(asked=tuple(dict.fromkeys(each[:2] for each in SAID)), answered=SAID)


def drawn(strategy: str, topic: TopicThings, **parameters: Any) -> list[PairChoice]:
    entry = PAIRINGS.find(strategy)
    return chosen_pairs(strategy, topic, 1, entry.check(parameters))


class Start(np.random.Generator):
    """Chance of which all starts of the systematic draw are tried: `order` comes first, then the start."""

    def __init__(self, order: Any, start: float) -> None:
        super().__init__(np.random.PCG64(0))
        self.given = [order, start]

    def random(self, *_: Any, **__: Any) -> Any:
        return self.given.pop(0)


@pytest.mark.parametrize("topic", [FRESH, SOME])
@pytest.mark.parametrize(("batch", "floor"), [(1, 0.5), (3, 0.2), (6, 0.01), (10, 1.0)])
def test_pairs_are_drawn_with_the_recorded_probability(topic: TopicThings, batch: int, floor: float) -> None:
    steps, number = 200, min(batch, 10 - len(topic.asked))
    for order in np.random.default_rng(3).random((2, 10 - len(topic.asked))):
        found, chance = Counter[tuple[str, str]](), dict[tuple[str, str], float]()
        for start in (np.arange(steps) + 0.5) / steps:
            pairs = uncertain(topic, Start(order, start), batch=batch, floor=floor)
            assert len(pairs) == number
            found.update((each.first, each.second) for each in pairs)
            chance |= {(each.first, each.second): each.probability for each in pairs}
        assert sum(chance.values()) == pytest.approx(number)
        assert min(chance.values()) >= floor * number / (10 - len(topic.asked)) - 1e-9
        assert all(abs(found[pair] / steps - each) <= 2 / steps for pair, each in chance.items())


def test_pairs_of_uncertain_order_are_drawn_rather_than_others() -> None:
    doubt = dict(zip(combinations(THINGS, 2), doubts(SOME)[np.triu_indices(5, 1)], strict=True))
    assert doubt["a", "b"] == min(doubt.values()) < 0.1
    assert doubt["c", "d"] > doubt["b", "e"] > doubt["a", "b"]


def test_batches_wait_for_half_of_the_last_and_end() -> None:
    asked = tuple(combinations(THINGS, 2))[:4]
    waiting = FRESH._replace(asked=asked, answered=(Answered(*asked[0], FIRST, "Ann"),))
    assert drawn("uncertain", waiting, batch=4) == []
    assert len(drawn("uncertain", waiting, batch=6)) == 6
    assert len(drawn("uncertain", waiting, batch=6, most=9)) == 5
    assert drawn("uncertain", waiting, batch=6, most=4) == []


def test_a_simple_random_sample_has_every_pair_with_the_same_probability() -> None:
    found, repeats = Counter[tuple[str, str]](), 1_000
    for seed in range(repeats):
        pairs = drawn("random-pairs", FRESH, count=4, seed=seed)
        assert {each.probability for each in pairs} == {0.4}
        assert len(pairs) == 4
        found.update((each.first, each.second) for each in pairs)
    error = (0.4 * 0.6 / repeats) ** 0.5
    assert all(abs(found[pair] / repeats - 0.4) < 4 * error for pair in combinations(THINGS, 2))


@pytest.mark.parametrize(("given", "chances"), [({"count": 4}, {0.4}), ({"percent": 30.0}, {0.3})])
def test_what_comes_later_adds_to_the_sample_of_pairs(given: dict[str, Any], chances: set[float]) -> None:
    new, repeats = Counter[tuple[str, str]](), 1_000
    for seed in range(repeats):
        before = drawn("random-pairs", FRESH._replace(things=THINGS[:4]), seed=seed, **given)
        asked = tuple((each.first, each.second) for each in before)
        added = drawn("random-pairs", FRESH._replace(asked=asked), seed=seed, **given)
        assert {each.probability for each in added} <= chances
        assert all(each.second == "e" for each in added)
        new.update((each.first, each.second) for each in added)
    (chance,) = chances
    error = (chance * (1 - chance) / repeats) ** 0.5
    assert all(abs(new[each, "e"] / repeats - chance) < 4 * error for each in THINGS[:4])


def test_a_name_is_of_a_strategy_for_pairs_or_of_one_for_documents() -> None:
    assert PAIRINGS.keys() & STRATEGIES.keys() == set()
