"""The registries of pooling: strategies that choose pairs, ties they are told, and orders of viewing.

A strategy is one function from rankings to pairs, with one decorator line; its keyword-only parameters are
what a campaign records with the pool, its docstring is its help.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.errors import UnknownName
from workbench.ranking import Rankings, reverse_ties

Entry = TypeVar("Entry")


class PoolPairs(NamedTuple):
    """The pairs of a pool, by topic and document number; all arrays have shape (pairs,).

    `best_rank` counts from 1 over the rankings that were pooled, `runs` is how many of them brought the pair
    in. Pairs that are all to be judged have stratum 1 and inclusion probability 1.
    """

    topic: NDArray[np.int32]
    document: NDArray[np.uint32]
    best_rank: NDArray[np.int32]
    runs: NDArray[np.int32]
    stratum: NDArray[np.int32]
    inclusion_probability: NDArray[np.float64]


StrategyFunction = Callable[..., PoolPairs]


@dataclass(frozen=True)
class Strategy:
    """A way to choose the pairs to be judged, as the registry knows it."""

    name: str
    function: StrategyFunction

    @property
    def prose(self) -> str:
        """The whole explanation."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The explanation's first line."""
        return self.prose.partition("\n")[0]

    @property
    def parameters(self) -> tuple[str, ...]:
        """What has to be told: the names of the function's keyword-only parameters."""
        keywords = inspect.signature(self.function).parameters.values()
        return tuple(keyword.name for keyword in keywords if keyword.kind is keyword.KEYWORD_ONLY)


STRATEGIES: dict[str, Strategy] = {}

TIES: dict[str, Callable[[Rankings], Rankings]] = {
    "descending": lambda rankings: rankings,
    "ascending": reverse_ties,
}
"""Orders of documents with equal scores, by document id; `descending` is the order of scoring."""


def strategy(name: str) -> Callable[[StrategyFunction], StrategyFunction]:
    """Put a function `(rankings, *, parameters) -> PoolPairs` into the registry of strategies."""

    def register(function: StrategyFunction) -> StrategyFunction:
        if name in STRATEGIES:
            message = f"two strategies are called {name}"
            raise ValueError(message)
        STRATEGIES[name] = Strategy(name, function)
        return function

    return register


def make_pool(
    rankings: Rankings, *, strategy: str = "depth", ties: str = "descending", **parameters: Any
) -> PoolPairs:
    """The pairs that a strategy chooses from these rankings.

    Args:
        rankings: the rows of the contributing runs, in the one order, with scores where `ties` needs them.
        strategy: a name in STRATEGIES.
        ties: a name in TIES.
        parameters: what the strategy asks for, such as `depth`.

    Raises:
        UnknownName: no such strategy or order of ties; the message lists the nearest.
        ValueError: a parameter has a value that makes no sense.
    """
    chosen = lookup("pooling strategy", strategy, STRATEGIES)
    return chosen.function(lookup("order of ties", ties, TIES)(rankings), **parameters)


def lookup(what: str, name: str, registry: Mapping[str, Entry]) -> Entry:
    """The entry called `name`; UnknownName, with the nearest names, when there is none."""
    if name not in registry:
        near = get_close_matches(name, registry, n=3) or registry
        message = f"there is no {what} {name!r}; there is: {', '.join(near)}"
        raise UnknownName(message)
    return registry[name]
