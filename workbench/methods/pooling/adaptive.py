"""Adaptive pools: which documents of a topic are judged next, and how many each topic gets."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import UnknownName
from workbench.core.parameters import Limits
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.pooling.budgets import allot
from workbench.methods.pooling.topic_table import Seen, TopicTable, in_sequence, settled

Batch = Annotated[
    int,
    Limits("documents of a topic that are chosen at a time, when fewer wait to be judged", least=1, most=100),
]
Spread = Annotated[
    Literal["evenly", "by-need", "by-score"],
    Limits(
        "how the budget is spread over topics; by-need follows the relevant documents found, by-score takes the best "
        "documents of all topics, where scores of topics can be compared (separate with pairs=open)"
    ),
]
Minimum = Annotated[
    int,
    Limits("pairs that each topic gets where the budget is not spread evenly, whatever is found", least=0),
]

OF_ADAPTIVE = ("batch", "spread", "minimum")
"""The parameters that every adaptive strategy has beside those of every order."""


def next_places(
    function: Callable[..., FloatArray],
    table: TopicTable,
    seen: Seen,
    taken: NDArray[np.bool_],
    count: int,
    *,
    burn_in: int = 0,
    own: Mapping[str, Any] | None = None,
) -> IntArray:
    """The places of the next candidates to judge, int64 (at most `count`), the first one first.

    Args:
        function: the order, `function(table, seen, **own)`.
        table: the topic's candidates.
        seen: what is judged of them.
        taken: which of them are pooled already, bool (n).
        count: how many are wanted.
        burn_in: how many documents at the top of each ranking come before all others.
        own: the order's own parameters.
    """
    is_left = ~(taken | seen.judged)
    scores = settled(np.where(is_left, function(table, seen, **(own or {})), -np.inf))
    left = np.flatnonzero(is_left)
    # Only what can be among the first `count` has to be put in order, of many candidates.
    early = left[table.is_within(burn_in)[left]]
    if len(early) < count < len(left):
        least = np.partition(scores[left], len(left) - count)[len(left) - count]
        left = np.union1d(early, left[scores[left] >= least])
    return in_sequence(left, table, scores, burn_in)[:count]


def batch_after(chosen: int, first: int, *, grows: bool) -> int:
    """How many documents of a topic are chosen at a time, after `chosen` ones were.

    Args:
        chosen: how many were chosen before.
        first: how many are chosen first.
        grows: whether each batch is larger than the one before by a tenth of it, rounded up (AutoTAR: Cormack and
            Grossman 2015); else all are as large as the first.
    """
    size, done = first, first
    while grows and done <= chosen:
        size += math.ceil(size / 10)
        done += size
    return size


def shares(sizes: IntArray, relevant: IntArray, parameters: Mapping[str, Any]) -> IntArray:
    """How many pairs each topic may have in all by now, int64 (T).

    Spread evenly this is `budgets.allot`. By need each topic gets the minimum, and the rest of the budget is shared in
    proportion to 1 + the relevant documents found; what a topic has no candidates for goes to the others. Shares are
    rounded up, so their sum may be above the budget by less than a pair for each topic: the chooser keeps to it.

    Args:
        sizes: how many candidates each topic has, int64 (T).
        relevant: how many relevant documents were found, int64 (T).
        parameters: those of the strategy.
    """
    even = _even(sizes, parameters)
    if parameters["spread"] != "by-need":
        return even
    least = np.minimum(sizes, parameters["minimum"])
    rest = int(even.sum() - least.sum())
    parts = _in_proportion(sizes - least, relevant.astype(np.float64) + 1, rest)
    found: IntArray = least + np.ceil(parts - 1e-9).astype(np.int64)
    return found


def shares_by_score(scores: Sequence[FloatArray], taken: IntArray, left: int, least: IntArray) -> IntArray:
    """How many pairs each topic may have in all where the best documents of all topics are taken, int64 (T).

    Args:
        scores: of the documents of each topic that are left, in any order.
        taken: how many pairs each topic has by now, int64 (T).
        left: how many pairs more there may be in all topics.
        least: how many pairs each topic gets in any case, int64 (T).
    """
    topic = np.repeat(np.arange(len(scores)), [len(each) for each in scores])
    descending = np.argsort(-settled(np.concatenate([np.zeros(0), *scores])), kind="stable")
    best = np.bincount(topic[descending[: max(left, 0)]], minlength=len(scores))
    found: IntArray = np.maximum(taken + best, least)
    return found


def first_shares(sizes: IntArray, parameters: Mapping[str, Any]) -> IntArray:
    """The even shares that a pool begins with, int64 (T).

    Raises UnknownName where the minimum of all topics is more than the budget, or is given without spread=by-need.
    """
    minimum = parameters["minimum"]
    if minimum and parameters["spread"] == "evenly":
        message = "minimum is for spread=by-need; spread evenly, every topic gets its part of the budget"
        raise UnknownName(message)
    even = _even(sizes, parameters)
    least, budget = int(np.minimum(sizes, minimum).sum()), int(even.sum())
    if least > budget:
        message = (
            f"a minimum of {minimum:,} pairs for each topic is {least:,} pairs, and the budget is {budget:,}; "
            "give a smaller minimum or a larger budget"
        )
        raise UnknownName(message)
    return even


def _even(sizes: IntArray, parameters: Mapping[str, Any]) -> IntArray:
    named = {name: parameters[name] for name in ("budget", "percent", "per_topic")}
    return allot(sizes, **named)


def _in_proportion(room: IntArray, weights: FloatArray, rest: int) -> FloatArray:
    """`rest` in proportion to weights, float64 (T), no part above its room; what one cannot take goes to the others."""
    parts = np.zeros(len(room))
    open_ = room > 0
    while open_.any():
        parts[open_] = rest * weights[open_] / weights[open_].sum()
        full = open_ & (parts >= room)
        if not full.any():
            return parts
        parts[full] = room[full]
        rest -= int(room[full].sum())
        open_ &= ~full
    return parts
