from __future__ import annotations

from typing import Any

import pytest

from tests.sentences import refused
from workbench.core.errors import UnknownName
from workbench.core.ranking import Rankings, pack_rankings
from workbench.methods.pooling import STRATEGIES, TIES, PoolPairs, Strategy, make_pool
from workbench.methods.pooling.registry import strategy

EXAMPLES: dict[str, dict[str, Any]] = {
    "depth": {
        "depth": 3,
        "run_depths": ["a:1"],
        "priorities": ["a:1"],
        "runs_per_team": 1,
        "budget": None,
        "percent": None,
        "per_topic": None,
    },
    "hedge": {"depth": 3, "beta": 0.1},
    "cal": {"depth": 3, "among": "runs", "seed": 1},
    "maxmean": {"depth": 3, "rate": 1.0, "seed": 1},
    "mtc": {"depth": 3},
    "mtf": {"depth": 3, "seed": 1},
    "rbp-b": {"depth": 3, "p": 0.8},
    "rbp-c": {"depth": 3, "p": 0.8},
    "separate": {"depth": 3, "p": 0.95, "pairs": "undecided"},
    "thompson": {"depth": 3, "rate": 1.0, "seed": 1},
    "rrf": {"depth": 3, "k": 60.0},
    "borda": {"depth": 3},
    "combsum": {"depth": 3},
    "combmnz": {"depth": 3},
    "rbp-a": {"depth": 3, "p": 0.9},
    "ntcir": {"depth": 3},
    "document-id": {"depth": 3},
    "random": {"depth": 3, "seed": 1},
    "pps": {
        "depth": 3,
        "budget": None,
        "percent": 50.0,
        "per_topic": False,
        "prior": "ap",
        "p": 0.95,
        "seed": 1,
    },
    "imported": {"candidates": ["1 d1 1 0.5 1", "2 d9 1 1.0 1"], "strata": True},
    "sequential-pps": {"depth": 3, "budget": None, "percent": 50.0, "measure": "P@2", "seed": 1},
    "list": {"pairs": ["1 d1", "2 d9"], "found_by": "list"},
    "strata": {"strata": "1:100%,2-3:50%", "seed": 1},
    "uniform": {"depth": 3, "whole": 1, "budget": None, "percent": 50.0, "per_topic": False, "seed": 1},
}
"""Each strategy with the parameters that are its own."""
OF_ORDERS = {"budget", "percent", "per_topic", "burn_in"}
"""What every order has beside its own."""

OF_ADAPTIVE = {"batch", "spread", "minimum"}
"""What every adaptive order has beside these."""

each_strategy = pytest.mark.parametrize("entry", STRATEGIES.values(), ids=STRATEGIES.keys())


def test_every_strategy_has_an_example() -> None:
    assert EXAMPLES.keys() == STRATEGIES.keys()


@each_strategy
def test_every_strategy_explains_itself(entry: Strategy) -> None:
    assert entry.summary.endswith(".")
    assert "Source:" in entry.prose


@each_strategy
def test_a_strategy_says_what_it_has_to_be_told(entry: Strategy) -> None:
    common = OF_ORDERS if entry.order else set()
    common = common | OF_ADAPTIVE if entry.kind == "adaptive" else common
    assert {one.name for one in entry.parameters} == EXAMPLES[entry.name].keys() | common


@each_strategy
def test_nothing_to_pool_makes_an_empty_pool(entry: Strategy) -> None:
    pairs = make_pool(pack_rankings([]).rankings, strategy=entry.name, **EXAMPLES[entry.name])
    assert len(pairs.topic) == 0


def test_an_unknown_strategy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UnknownName, match="there is no pooling strategy 'dept'; did you mean depth"):
        make_pool(pack_rankings([]).rankings, strategy="dept", depth=1)


def test_an_unknown_order_of_ties_is_refused_with_the_nearest() -> None:
    with refused(UnknownName, "asc"):
        make_pool(pack_rankings([]).rankings, ties="asc", depth=1)


def test_the_orders_of_ties_are_two() -> None:
    assert list(TIES) == ["descending", "ascending"]


def test_a_name_is_registered_once() -> None:
    def again(rankings: Rankings, *, depth: int) -> PoolPairs:
        return make_pool(rankings, ties="descending", depth=depth)

    with pytest.raises(ValueError, match="two strategies are called depth"):
        strategy("depth")(again)
