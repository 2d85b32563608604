"""How many pairs of each topic a budget buys."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import IntArray

Budget = Annotated[
    int | None,
    Limits(
        "pairs to judge, of all topics together unless it is per topic",
        least=1,
        one_of="budget",
        example="500",
        said="a budget of {:,} pairs",
    ),
]
Percent = Annotated[
    float | None,
    Limits(
        "the share of each topic's candidates to judge, in percent",
        above=0,
        most=100,
        one_of="budget",
        example="10",
        said="{:g}% of each topic’s candidates",
    ),
]
PerTopic = Annotated[bool, Limits("whether the budget is that of each topic", said="for each topic")]


def allot(
    sizes: IntArray, *, budget: int | None = None, percent: float | None = None, per_topic: bool = False
) -> IntArray:
    """How many pairs each topic gets, int64 (T), never more than it has.

    A share is rounded to the nearest whole number, halves up. A budget for all topics is spread evenly: what topics
    with few candidates leave goes to the others, and a remainder to the first of them. Without budget or percent all
    candidates, `sizes` (T), are taken.

    UnknownName where both are given, `per_topic` is without a budget, or the budget is larger than all candidates.
    """
    if budget is not None and percent is not None:
        raise UnknownName("budget and percent say the same in two ways; give one of them")
    if per_topic and budget is None:
        message = (
            "per_topic says that a budget is that of each topic; give a budget with it (percent always is)"
        )
        raise UnknownName(message)
    if percent is not None:
        return np.floor(sizes * percent / 100 + 0.5).astype(np.int64)
    if budget is None:
        return sizes.copy()
    if per_topic:
        return np.minimum(sizes, budget)
    if budget > (there := int(sizes.sum())):
        message = (
            f"the budget is {budget:,} pairs, and there are {there:,}; give at most that, or a greater depth"
        )
        raise UnknownName(message)
    return _spread(sizes, budget)


def _spread(sizes: IntArray, budget: int) -> IntArray:
    """`budget` over topics, as evenly as their sizes allow."""
    level, rest = 0, budget
    values, counts = np.unique(sizes, return_counts=True)
    at_least = np.cumsum(counts[::-1])[::-1]
    for size, topics in zip(values.tolist(), at_least.tolist(), strict=True):
        if (size - level) * topics > rest:
            break
        level, rest = size, rest - (size - level) * topics
    more = sizes > level
    topics = int(more.sum())
    shares = np.minimum(sizes, level)
    if topics:
        each, remainder = divmod(rest, topics)
        shares[more] += each
        shares[np.flatnonzero(more)[:remainder]] += 1
    return shares
