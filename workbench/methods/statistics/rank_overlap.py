"""Rank-biased overlap of two rankings, with ties and of any lengths.

A ranking is a sequence of items from the best on; a set in it contains items that are tied:
`["red", {"blue", "green"}, "yellow"]`.

Sources: W. Webber, A. Moffat, J. Zobel, ACM Transactions on Information Systems 28, 2010; for ties M. Corsi and
J. Urbano, SIGIR 2024.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import FloatArray, levels

Ties = Literal["a", "b", "w"]
Item = Hashable
Ranking = Sequence[Item | AbstractSet[Item]]


class Overlap(NamedTuple):
    """Rank-biased overlap.

    Attributes:
        ext: extrapolated: what is seen is taken to go on alike.
        low: if nothing below the ends of the rankings is shared.
        high: if everything that can be shared is.
        residual: high - low.
    """

    ext: float
    low: float
    high: float
    residual: float


def rbo(one: Ranking, other: Ranking, *, p: float = 0.9, ties: Ties = "a") -> Overlap | None:
    """Rank-biased overlap, (1 - p) / p * sum over depths d from 1 on of A(d) p^d; None if a ranking is empty.

    A(d) is the agreement of the first d ranks. Where `x` and `y` say how much of each item stands within depth d, and
    X(d) is the sum of x * y over items:

    * `a`: a tie means that the order is not known; x is the chance to stand within d, A = X / d. `low` is the mean
      over all orders of the tied items, and for rankings of equal length all values are. Where the longer ranking
      ties items two or more ranks below the end of the shorter one, `ext` and `high` are lower than that mean: for
      up to 4 items and p = .9 by up to .048, as in rbo("a", ["a", {"b", "c", "d"}]), which is .952.
    * `b`: corrected for what ties hide, A = X / sqrt(sum of x^2 * sum of y^2): a ranking equals itself.
    * `w`: tied items share the rank; x is 1 from the first rank of the group on, A = 2 X / (sum of x + sum of y).

    `p` is how likely a reader goes on to the next rank. ValueError for one that is not between 0 and 1, or an item that
    stands twice in a ranking.
    """
    if not 0 < p < 1:
        raise ValueError(f"p is {p}; it must lie between 0 and 1")
    seen = _seen(one, other, ties)
    if seen is None:
        return None
    n, short, shared = seen.long, seen.short, float(seen.shared[-1])
    weight = (1 - p) / p * p ** np.arange(1, n + 1)
    tail = (shared + (n - short) * seen.agreement[short - 1]) / n * p**n
    ext = float(weight @ _agreement(seen, _continued(seen))) + tail
    # (1 - p) / p * sum over d > n of p^d / d: what one shared item still adds below depth n.
    depth = np.arange(1, n + 1)
    harmonic = float((1 - p) / p * (-np.log1p(-p) - (p**depth / depth).sum()))
    low = float(weight @ _agreement(seen, np.zeros(n))) + shared * harmonic
    # The most that the shorter ranking can share below its end: the other's own items, best first.
    best = np.zeros(n)
    for below in range(short + 1, n + 1):
        best[below - 1] = seen.only[: below - short, below - 1].sum()
    high = float(weight @ _agreement(seen, best)) + _best_tail(p, seen)
    return Overlap(float(ext), low, high, high - low)


def ranking_of(items: Sequence[Item], scores: ArrayLike) -> list[AbstractSet[Item]]:
    """The ranking of items by descending score, as groups of tied items; scores closer than rounding are tied."""
    level = levels(scores)
    ranking: list[set[Item]] = [set() for _ in range(int(level.max(initial=-1)) + 1)]
    for item, height in zip(items, level.tolist(), strict=True):
        ranking[-1 - height].add(item)
    return list(ranking)


class _Seen(NamedTuple):
    """Two rankings, down to the end of the longer one.

    `x` and `y` (items, long) say how much of each item stands within each depth, x in the shorter ranking; `only` marks
    the items of the longer ranking alone, in its order. `shared` and `agreement` are by depth, the latter
    right for depths both rankings reach.
    """

    short: int
    long: int
    x: FloatArray
    y: FloatArray
    only: FloatArray
    shared: FloatArray
    agreement: FloatArray
    ties: Ties


def _seen(one: Ranking, other: Ranking, ties: Ties) -> _Seen | None:
    shorter, longer = sorted((_ranks(one), _ranks(other)), key=len)
    if not shorter:
        return None
    items = list(dict.fromkeys([*shorter, *longer]))
    x, y = (_within(ranks, items, len(longer), ties) for ranks in (shorter, longer))
    shared = (x * y).sum(axis=0)
    only = y[[place for place, item in enumerate(items) if item not in shorter]]
    seen = _Seen(len(shorter), len(longer), x, y, only, shared, np.empty(0), ties)
    return seen._replace(agreement=_agreement(seen, np.zeros(len(longer))))


def _ranks(ranking: Ranking) -> dict[Item, tuple[int, int]]:
    """item -> first and last rank of its group, counted from 1."""
    ranks: dict[Item, tuple[int, int]] = {}
    for group in ranking:
        members = list(group) if isinstance(group, AbstractSet) else [group]
        start = len(ranks) + 1
        for item in members:
            if item in ranks:
                raise ValueError(f"{item!r} stands twice in a ranking")
            ranks[item] = (start, start + len(members) - 1)
    return ranks


def _within(ranks: dict[Item, tuple[int, int]], items: list[Item], long: int, ties: Ties) -> FloatArray:
    """How much of each item stands within depths 1 to `long`, float64 (items, long)."""
    depth, whole = np.arange(1, long + 1), np.zeros((len(items), long))
    for row, item in zip(whole, items, strict=True):
        if item in ranks:
            first, last = ranks[item]
            size = 1 if ties == "w" else last - first + 1
            row[:] = np.clip((depth - first + 1) / size, 0.0, 1.0)
    return whole


def _agreement(seen: _Seen, unseen: FloatArray) -> FloatArray:
    """A(d) for depths 1 to `long`; `unseen` is what the shorter ranking is taken to share below its end.

    Below its end the shorter ranking is taken to have no ties.
    """
    depth = np.arange(1.0, seen.long + 1)
    overlap, below = seen.shared + unseen, depth > seen.short
    if seen.ties == "w":
        whole = np.where(below, depth, seen.x.sum(axis=0)) + seen.y.sum(axis=0)
        return np.asarray(2 * overlap / whole, np.float64)
    if seen.ties == "a":
        return overlap / depth
    squares = np.where(below, depth, (seen.x**2).sum(axis=0))
    return np.asarray(overlap / np.sqrt(squares * (seen.y**2).sum(axis=0)), np.float64)


def _continued(seen: _Seen) -> FloatArray:
    """What the shorter ranking would share below its end if it agreed there as at its end."""
    depth = np.arange(1, seen.long + 1)
    below = depth > seen.short
    started = (seen.only > 0).sum(axis=0)
    usual = seen.only.sum(axis=0) / np.maximum(started, 1)
    return np.where(below, (depth - seen.short) * seen.agreement[seen.short - 1] * usual, 0.0)


def _best_tail(p: float, seen: _Seen) -> float:
    """What depths below the end of the longer ranking add if both go on with what the other has had."""
    shared = float(seen.shared[-1])
    full = seen.long + seen.short - shared
    depth = np.arange(seen.long + 1, round(full) + 1)
    growing = (2 * depth - seen.long - seen.short + shared) / depth
    return float((1 - p) / p * (growing * p**depth).sum() + p ** round(full))
