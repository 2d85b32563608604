"""Orders of pooling: a function that scores a topic's candidates is a strategy with a depth and a budget.

A static order scores by the rankings alone, `function(table, **parameters)`; an adaptive one also by what is judged,
`function(table, seen, **parameters)`. The result is float64 (n): the highest score is judged first, and of equal
scores the document with the lower id. What every order has beside its own parameters is in `in_order`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.pooling.adaptive import OF_ADAPTIVE, Batch, Minimum, Spread, first_shares
from workbench.methods.pooling.budgets import Budget, Percent, PerTopic, allot
from workbench.methods.pooling.frames import sizes_by_topic, topics_of
from workbench.methods.pooling.registry import PoolPairs, candidates, in_the_guise_of, strategy
from workbench.methods.pooling.topic_table import Seen, TopicTable, sequence, settled, table_of

TO_RANK = "each ranking to rank {:,}"
Depth = Annotated[
    int,
    Limits(
        "how many documents at the top of each ranking are candidates",
        least=1,
        most=np.inf,
        example="100",
        said=TO_RANK,
    ),
]
BurnIn = Annotated[
    int,
    Limits(
        "how many documents of each ranking are judged first", least=0, said="the first {:,} before others"
    ),
]

OF_ORDERS = ("depth", "budget", "percent", "per_topic", "burn_in")
"""The parameters that every order has."""

OrderFunction = Callable[..., FloatArray]
Kind = Literal["static", "adaptive"]


def order(
    name: str,
    *,
    kind: Kind = "static",
    wish: str = "find",
    uses_scores: bool = False,
    uses_texts: bool = False,
    grows: bool = False,
    across: Callable[..., Any] | None = None,
) -> Callable[[OrderFunction], OrderFunction]:
    """The decorator that makes a strategy of a function that scores candidates; arguments as in `Strategy`.

    An adaptive order that uses texts is planned by best rank.
    """

    def put(function: OrderFunction) -> OrderFunction:
        planned = adaptive_plan(_by_best_rank if uses_texts else function, across)
        registered = strategy(
            name,
            kind=kind,
            wish=wish,
            order=function,
            across=across,
            planned=planned if kind == "adaptive" else None,
            uses_scores=uses_scores,
            uses_texts=uses_texts,
            grows=grows,
            uses_names=True,
            down_to="depth",
        )
        registered(adaptive_beginning(function, across) if kind == "adaptive" else in_order(function))
        return function

    return put


def in_order(function: OrderFunction) -> Callable[..., PoolPairs]:
    """The strategy that takes what the budget buys in this order; its parameters are the order's and those below."""

    def choose(
        rankings: Rankings,
        *,
        depth: Depth,
        budget: Budget = None,
        percent: Percent = None,
        per_topic: PerTopic = False,
        burn_in: BurnIn = 0,
        **own: Any,
    ) -> PoolPairs:
        return _first_of_each_topic(
            rankings,
            depth,
            partial(allot, budget=budget, percent=percent, per_topic=per_topic),
            lambda table: sequence(table, function(table, **own), burn_in),
        )

    return in_the_guise_of(function, choose)


def adaptive_beginning(
    function: OrderFunction, across: Callable[..., Any] | None = None
) -> Callable[..., PoolPairs]:
    """The strategy that begins with the burn-in; what follows is chosen as judgments arrive (see `adaptive`)."""

    def choose(
        rankings: Rankings,
        *,
        depth: Depth,
        budget: Budget = None,
        percent: Percent = None,
        per_topic: PerTopic = False,
        burn_in: BurnIn = 0,
        batch: Batch = 5,
        spread: Spread = "evenly",
        minimum: Minimum = 0,
        **own: Any,
    ) -> PoolPairs:
        bought = {"budget": budget, "percent": percent, "per_topic": per_topic}
        parameters = {**bought, "spread": spread, "minimum": minimum}
        _check_spread(spread, across, own)

        if not burn_in:  # then nothing is pooled yet, and no table is needed
            pool = candidates(rankings.to_depth(depth))
            first_shares(np.bincount(pool.topic), parameters)
            return pool.take(np.zeros(0, np.int64))

        def burnt_in(table: TopicTable) -> IntArray:
            return sequence(table, np.zeros(len(table)), burn_in)[: int(table.is_within(burn_in).sum())]

        return _first_of_each_topic(rankings, depth, partial(first_shares, parameters=parameters), burnt_in)

    return in_the_guise_of(function, choose)


def adaptive_plan(
    function: OrderFunction, across: Callable[..., Any] | None = None
) -> Callable[..., PoolPairs]:
    """A pool of the size that an adaptive one grows to: the one that it becomes while nothing is judged.

    With spread=by-score topics have even shares in it.
    """

    def choose(rankings: Rankings, **parameters: Any) -> PoolPairs:
        own = {name: value for name, value in parameters.items() if name not in (*OF_ORDERS, *OF_ADAPTIVE)}
        _check_spread(parameters["spread"], across, own)

        def from_the_start(table: TopicTable) -> IntArray:
            nothing = Seen.nothing(len(table))
            return sequence(table, settled(function(table, nothing, **own)), parameters["burn_in"])

        shares = partial(first_shares, parameters=parameters)
        return _first_of_each_topic(rankings, parameters["depth"], shares, from_the_start)

    return choose


def _check_spread(spread: str, across: Callable[..., Any] | None, own: Mapping[str, Any]) -> None:
    """UnknownName where scores of topics are compared that cannot be."""
    if spread == "by-score" and (across is None or across((), **own) is None):
        raise UnknownName(
            "spread=by-score needs scores that can be compared between topics: use it with separate and pairs=open, "
            "or spread=by-need"
        )


def _by_best_rank(table: TopicTable, seen: Seen, **own: Any) -> FloatArray:
    """What the texts say is not known to a plan."""
    return -table.best_rank.astype(np.float64)


def _first_of_each_topic(
    rankings: Rankings,
    depth: int,
    shares: Callable[[IntArray], IntArray],
    in_sequence: Callable[[TopicTable], IntArray],
) -> PoolPairs:
    """Of each topic's candidates the first in a sequence of their places, as many as its share of their numbers."""
    pool = candidates(rankings.to_depth(depth))
    number = shares(sizes_by_topic(pool))
    taken = np.zeros(len(pool.topic), np.bool_)
    for places in topics_of(pool):
        topic = int(pool.topic[places.start])
        table = table_of(rankings.of_topic(topic), depth=depth)
        place = np.searchsorted(pool.document[places], table.document)
        taken[places.start + place[in_sequence(table)[: number[topic]]]] = True
    return pool.take(taken)
