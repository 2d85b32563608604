from __future__ import annotations

from typing import Any

import pytest

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import Rankings, pack_rankings
from workbench.methods.pooling import (
    STRATEGIES,
    TIES,
    WISHES,
    PoolPairs,
    Strategy,
    make_pool,
    strategies_by_wish,
)
from workbench.methods.pooling.registry import strategy

EXAMPLES: dict[str, dict[str, Any]] = {key: {"depth": 3} for key in STRATEGIES} | {
    **{key: {"depth": 3, "percent": 50.0} for key in ["pps", "sequential-pps", "uniform"]},
    **{key: {"judge": "gpt", "depth": 3} for key in ["by-model", "pps-by-model"]},
    "imported": {"candidates": ["1 d1 1 0.5 1", "2 d9 1 1.0 1"]},
    "list": {"pairs": ["1 d1", "2 d9"]},
    "strata": {"strata": "1:100%,2-3:50%"},
}
"""Each strategy with the parameters that are its own."""
each_strategy = pytest.mark.parametrize("entry", STRATEGIES.values(), ids=STRATEGIES.keys())


@each_strategy
def test_every_strategy_explains_itself(entry: Strategy) -> None:
    assert entry.summary.endswith(".")
    assert "Source:" in entry.prose
    assert EXAMPLES[entry.name].keys() <= {one.name for one in entry.parameters}


@each_strategy
def test_nothing_to_pool_makes_an_empty_pool(entry: Strategy) -> None:
    pairs = make_pool(pack_rankings([]).rankings, strategy=entry.name, **EXAMPLES[entry.name])
    assert len(pairs.topic) == 0


def test_unknown_names_are_refused_with_the_nearest_and_a_name_is_registered_once() -> None:
    with pytest.raises(UnknownName, match="there is no pooling strategy 'dept'; did you mean depth"):
        make_pool(pack_rankings([]).rankings, strategy="dept", depth=1)
    with refused(UnknownName, "asc"):
        make_pool(pack_rankings([]).rankings, ties="asc", depth=1)
    assert list(TIES) == ["descending", "ascending"]

    def again(rankings: Rankings, *, depth: int) -> PoolPairs:
        return make_pool(rankings, ties="descending", depth=depth)

    with pytest.raises(ValueError, match="two strategies are called depth"):
        strategy("depth")(again)


def test_each_strategy_is_under_one_wish_and_the_usual_one_comes_first() -> None:
    found = strategies_by_wish()
    assert sorted(one.name for of_wish in found.values() for one in of_wish) == sorted(STRATEGIES)
    assert {wish: of_wish[0].name for wish, of_wish in found.items()} == {
        wish: WISHES[wish].usual for wish in WISHES
    }

    def new(rankings: Rankings, *, depth: int) -> PoolPairs:
        """A strategy that was not there before."""
        return make_pool(rankings, depth=depth)

    strategy("new", wish="estimate", kind="sampled")(new)
    try:
        assert strategies_by_wish()["estimate"][-1].name == "new"
    finally:
        del STRATEGIES["new"]
    with refused(ValueError, "'riches'"):
        strategy("rich", wish="riches")(new)
