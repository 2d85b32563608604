"""Orders of pooling: a function that scores a topic's candidates is a strategy with a depth and a budget.

A static order scores by the rankings alone, `function(table, **parameters)`; an adaptive one also by what is judged,
`function(table, seen, **parameters)`. The result is float64 (n): the highest score is judged first, and of equal
scores the document with the lower id. What every order has beside its own parameters stands in `in_order`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, Any, Literal, get_type_hints

import numpy as np

from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray, Rankings
from workbench.methods.pooling.budgets import Budget, Percent, PerTopic, allot
from workbench.methods.pooling.registry import PoolPairs, candidates, strategy
from workbench.methods.pooling.topic_table import Seen, TopicTable, table_of

Depth = Annotated[
    int,
    Limits(
        "the candidates are the first so many documents of each ranking", least=1, most=np.inf, example="100"
    ),
]
BurnIn = Annotated[
    int, Limits("the first so many documents of each ranking are judged before all others", least=0)
]

OrderFunction = Callable[..., FloatArray]
Kind = Literal["static", "adaptive"]


def order(
    name: str, *, kind: Kind = "static", purpose: str = "", uses_scores: bool = False
) -> Callable[[OrderFunction], OrderFunction]:
    """The decorator that makes a strategy of a function that scores candidates.

    Args:
        name: of the strategy.
        kind: whether it looks at what is judged.
        purpose: what it is for, where that is not plain: "find relevant documents" or "separate the systems".
        uses_scores: whether it needs the scores of the runs.
    """

    def put(function: OrderFunction) -> OrderFunction:
        made = in_order(function, kind)
        strategy(
            name,
            kind=kind,
            purpose=purpose,
            order=function,
            uses_scores=uses_scores,
            uses_names=True,
            down_to="depth",
        )(made)
        return function

    return put


def in_order(function: OrderFunction, kind: Kind) -> Callable[..., PoolPairs]:
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
        pool = candidates(rankings.to_depth(depth))
        sizes = np.bincount(pool.topic, minlength=1 + int(pool.topic.max(initial=-1)))
        shares = allot(sizes, budget=budget, percent=percent, per_topic=per_topic)
        starts = np.concatenate([[0], np.cumsum(sizes)])
        taken = np.zeros(len(pool.topic), np.bool_)
        for topic in np.flatnonzero(sizes):
            table = table_of(rankings.of_topic(int(topic)), depth=depth)
            first = sequence(table, initial_scores(function, table, kind, own), burn_in)
            if kind == "adaptive":  # what follows depends on the judgments
                first = first[: int((table.best_rank <= burn_in).sum())]
            place = np.searchsorted(pool.document[starts[topic] : starts[topic + 1]], table.document)
            taken[starts[topic] + place[first[: shares[topic]]]] = True
        return pool.take(taken)

    choose.__doc__ = function.__doc__
    choose.__qualname__ = function.__qualname__
    choose.__signature__ = _signature(choose, function)  # type: ignore[attr-defined]
    hints = get_type_hints(function, include_extras=True)
    choose.__annotations__ = get_type_hints(choose, include_extras=True) | hints
    return choose


def initial_scores(function: OrderFunction, table: TopicTable, kind: Kind, own: dict[str, Any]) -> FloatArray:
    """The scores before anything is judged."""
    return function(table, Seen.nothing(len(table)), **own) if kind == "adaptive" else function(table, **own)


def sequence(table: TopicTable, scores: FloatArray, burn_in: int = 0) -> IntArray:
    """The places of all candidates in the order of judging, int64 (n).

    Those of the burn-in come first, by best rank; the others by score. Of equals the lower document id is first.
    """
    late = table.best_rank > burn_in
    return np.lexsort((np.arange(len(table)), np.where(late, -scores, table.best_rank), late))


def _signature(choose: Callable[..., Any], function: OrderFunction) -> inspect.Signature:
    """Rankings, what every order has, and the order's own parameters."""
    common = [p for p in inspect.signature(choose).parameters.values() if p.kind is not p.VAR_KEYWORD]
    own = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    return inspect.Signature([*common, *own])
