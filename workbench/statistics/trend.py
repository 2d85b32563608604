"""Whether values change over their course: a test that shuffles them.

The null hypothesis is that the values would have come in any other order as well. What else changes over the same time,
and moves the values, is not told apart from that; what differs between known groups is taken out by shuffling within
groups alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import permutations as orders_of
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from workbench.statistics.arrays import NOISE, FloatArray, one_row, rounds


class Trend(NamedTuple):
    """How values change along a straight line.

    Attributes:
        change: by how much the line rises from the first value to the last, in the unit of the values; None where it
            is not defined.
        p_value: two-sided, None where it is not defined.
        n: how many values took part.
        note: in words what was shuffled how often, or why nothing is defined.
    """

    change: float | None
    p_value: float | None
    n: int
    note: str


def trend(
    values: ArrayLike,
    groups: Sequence[object] | None = None,
    *,
    permutations: int = 10_000,
    rng: np.random.Generator,
) -> Trend:
    """The slope of the least-squares line through values at the places 0, 1, ..., n - 1, tested by shuffling.

    With groups each has a level of its own and all have one slope: sum of (t - mean t) * x by sum of (t - mean t)^2,
    means and sums of places t within groups; the values of a group are shuffled among its own places. A group of one
    takes no part. p = (c + 1) / (B + 1), where c of B shuffles give a slope at least as steep; all orders are looked
    at where they are no more than B.

    Args:
        values: in their order, (n,).
        groups: the group of each value; None for one.
        permutations: B.
        rng: where chance comes from.

    Source: R. A. Fisher, The Design of Experiments, 1935; for the 1 in numerator and denominator, B. Phipson and
    G. K. Smyth, Statistical Applications in Genetics and Molecular Biology 9, 2010.
    """
    row = one_row(values)
    members = _members(row, groups)
    told = sum(map(len, members))
    if told < 2:
        return Trend(None, None, told, "not defined: fewer than two values")
    if all(float(np.ptp(row[here])) <= NOISE for here in members):
        return Trend(None, None, told, "not defined: all values are the same")
    weights = _weights(len(row), members)
    change = float(weights @ row)
    orders = math.prod(math.factorial(len(here)) for here in members) if len(row) < 100 else math.inf
    complete = orders - 1 <= permutations
    number = int(orders) - 1 if complete else permutations
    found = _all(row, members, weights) if complete else _some(row, members, weights, number, rng)
    as_far = sum(int((np.abs(changes) >= abs(change) - NOISE).sum()) for changes in found) - complete
    note = f"all {number + 1:,} orders" if complete else f"B = {number:,}"
    return Trend(change, (as_far + 1) / (number + 1), told, note)


def _members(row: FloatArray, groups: Sequence[object] | None) -> list[NDArray[np.int64]]:
    """The places of each group of at least two."""
    places: dict[object, list[int]] = {}
    for place, group in enumerate([None] * len(row) if groups is None else groups):
        places.setdefault(group, []).append(place)
    return [np.asarray(here, np.int64) for here in places.values() if len(here) > 1]


def _weights(n: int, members: Sequence[NDArray[np.int64]]) -> FloatArray:
    """What each value adds to the change from the first place to the last, float64 (n,)."""
    weights = np.zeros(n)
    for here in members:
        weights[here] = here - here.mean()
    return np.asarray(weights * (n - 1) / (weights**2).sum(), np.float64)


def _all(row: FloatArray, members: Sequence[NDArray[np.int64]], weights: FloatArray) -> Iterator[FloatArray]:
    """The changes by all orders, the one observed among them, one at a time."""
    for order in product(*(orders_of(row[here].tolist()) for here in members)):
        yield np.array([sum(weights[here] @ some for here, some in zip(members, order, strict=True))])


def _some(
    row: FloatArray,
    members: Sequence[NDArray[np.int64]],
    weights: FloatArray,
    number: int,
    rng: np.random.Generator,
) -> Iterator[FloatArray]:
    """The changes by so many orders drawn by chance, some at a time."""
    for some in rounds(number, len(row)):
        changes = np.zeros(some)
        for here in members:
            shuffled = rng.permuted(np.broadcast_to(row[here], (some, len(here))), axis=1)
            changes += shuffled @ weights[here]
        yield changes
