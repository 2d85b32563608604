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
from workbench.methods.pooling.topic_table import PARTS, Seen, TopicTable, in_sequence, sequence, settled

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

    The order is `function(table, seen, **own)`; `taken`, bool (n), is what is pooled already. Documents among the first
    `burn_in` of a ranking come before all others.
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
    """How many documents of a topic are chosen at a time, after `chosen` ones were: first `first`.

    Where it `grows`, each batch is larger than the one before by a tenth of it, rounded up (AutoTAR: Cormack and
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

    `sizes` says how many candidates each topic has, `relevant` how many relevant documents were found, int64 (T).
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

    `scores` are those of what is left of each topic, in any order. Each topic has `taken` pairs by now and gets `least`
    in any case, int64 (T); there may be `left` more in all.
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
        raise UnknownName(
            f"a minimum of {minimum:,} pairs for each topic is {least:,} pairs, and the budget is {budget:,}; "
            "give a smaller minimum or a larger budget"
        )
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


def adaptive_sequence(
    function: Callable[..., FloatArray],
    table: TopicTable,
    relevant: NDArray[np.bool_],
    *,
    budget: int | None = None,
    burn_in: int = 0,
    grows: bool = False,
    **parameters: Any,
) -> IntArray:
    """The places of the candidates in the order in which an adaptive order has them judged, int64 (budget or n).

    The order is `function(table, seen, **parameters)`; `relevant`, bool (n), is what the assessor would say of each.
    Documents among the first `burn_in` of a ranking come first. One is chosen at a time, or where it `grows` each time
    more than before (see `batch_after`).
    """
    n = len(table)
    budget = n if budget is None else min(budget, n)
    places = np.empty(budget, np.int64)
    early = min(int(table.is_within(burn_in).sum()), budget)
    places[:early] = sequence(table, np.zeros(n), burn_in)[:early]
    judged, known, left = np.zeros(n, np.bool_), np.zeros(n, np.bool_), _Left(n)
    judged[places[:early]] = True
    left.take(places[:early])
    known[places[:early]] = relevant[places[:early]]
    number = early
    while number < budget:
        scores = left.settled(function(table, Seen(judged, known, places[:number]), **parameters))
        size = min(batch_after(number - early, 1, grows=grows), budget - number)
        chosen = scores.argmax() if size == 1 else np.argsort(-scores, kind="stable")[:size]
        places[number : number + size] = chosen
        judged[chosen] = True
        left.take(chosen)
        known[chosen] = relevant[chosen]
        number += size
    return places


class _Left:
    """The candidates that are not judged yet; of a replay's steps most of the time is spent here."""

    def __init__(self, n: int) -> None:
        """All of `n` are left."""
        self._one, self._closed, self._scaled = np.ones(n), np.zeros(n), np.empty(n)

    def take(self, places: IntArray | np.intp) -> None:
        """These are judged now."""
        self._one[places] = 0
        self._closed[places] = -np.inf

    def settled(self, scores: FloatArray) -> FloatArray:
        """The scores as `settled` rounds those of what is left, float64 (n), and -inf of the others."""
        scaled = np.multiply(scores, self._one, out=self._scaled)
        largest = float(np.abs(scaled, out=scaled).max())
        # Of numbers that are infinite, or next to nothing, the factor is none: `settled` knows what to do.
        if not 1e-200 < largest < 1e200:
            return settled(scores + self._closed)
        np.multiply(scores, PARTS / largest, out=scaled)
        np.rint(scaled, out=scaled)
        return np.add(scaled, self._closed, out=scaled)
