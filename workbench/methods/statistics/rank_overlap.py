"""Rank-biased overlap of two rankings, with ties and of any lengths.

A ranking is a sequence of items from the best on; a set in it contains items that are tied:
`["red", {"blue", "green"}, "yellow"]`.

Sources: W. Webber, A. Moffat, J. Zobel, ACM Transactions on Information Systems 28, 2010; for ties M. Corsi and
J. Urbano, SIGIR 2024.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import FloatArray, levels

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


def rbo(one: Ranking, other: Ranking, *, p: float = 0.9) -> Overlap | None:
    """Rank-biased overlap, (1 - p) / p * sum over depths d from 1 on of A(d) p^d; None if a ranking is empty.

    A(d) is the agreement of the first d ranks: the sum over items of x * y / d, where x and y are the chances of an
    item to stand within depth d, since a tie means that the order is not known (the variant a). `low` is the mean over
    all orders of the tied items, and for rankings of equal length all values are. Where the longer ranking ties items
    two or more ranks below the end of the shorter one, `ext` and `high` are lower than that mean: for up to 4 items and
    p = .9 by up to .048, as in rbo("a", ["a", {"b", "c", "d"}]), which is .952.

    `p` is how likely a reader goes on to the next rank. ValueError for one that is not between 0 and 1, or an item that
    stands twice in a ranking.
    """
    if not 0 < p < 1:
        raise ValueError(f"p is {p}; it must lie between 0 and 1")
    seen = _seen(one, other)
    if seen is None:
        return None
    n, short, shared = seen.long, seen.short, float(seen.shared[-1])
    depth = np.arange(1, n + 1)
    weight = (1 - p) / p * p**depth
    tail = (shared + (n - short) * seen.agreement) / n * p**n
    ext = float(weight @ ((seen.shared + _continued(seen)) / depth)) + tail
    # (1 - p) / p * sum over d > n of p^d / d: what one shared item still adds below depth n.
    harmonic = float((1 - p) / p * (-np.log1p(-p) - (p**depth / depth).sum()))
    low = float(weight @ (seen.shared / depth)) + shared * harmonic
    # The most that the shorter ranking can share below its end: the other's own items, best first.
    best = np.zeros(n)
    for below in range(short + 1, n + 1):
        best[below - 1] = seen.only[: below - short, below - 1].sum()
    high = float(weight @ ((seen.shared + best) / depth)) + _best_tail(p, seen)
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

    `only` (items, long) says how much of each item of the longer ranking alone stands within each depth, in its order;
    `shared` is how much both share by depth.
    """

    short: int
    long: int
    only: FloatArray
    shared: FloatArray

    @property
    def agreement(self) -> float:
        """A at the end of the shorter ranking."""
        return float(self.shared[self.short - 1]) / self.short


def _seen(one: Ranking, other: Ranking) -> _Seen | None:
    shorter, longer = sorted((_ranks(one), _ranks(other)), key=len)
    if not shorter:
        return None
    items = list(dict.fromkeys([*shorter, *longer]))
    x, y = (_within(ranks, items, len(longer)) for ranks in (shorter, longer))
    only = y[[place for place, item in enumerate(items) if item not in shorter]]
    return _Seen(len(shorter), len(longer), only, (x * y).sum(axis=0))


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


def _within(ranks: dict[Item, tuple[int, int]], items: list[Item], long: int) -> FloatArray:
    """How much of each item stands within depths 1 to `long`, float64 (items, long)."""
    depth, whole = np.arange(1, long + 1), np.zeros((len(items), long))
    for row, item in zip(whole, items, strict=True):
        if item in ranks:
            first, last = ranks[item]
            row[:] = np.clip((depth - first + 1) / (last - first + 1), 0.0, 1.0)
    return whole


def _continued(seen: _Seen) -> FloatArray:
    """What the shorter ranking would share below its end if it agreed there as at its end."""
    depth = np.arange(1, seen.long + 1)
    below = depth > seen.short
    started = (seen.only > 0).sum(axis=0)
    usual = seen.only.sum(axis=0) / np.maximum(started, 1)
    return np.where(below, (depth - seen.short) * seen.agreement * usual, 0.0)


def _best_tail(p: float, seen: _Seen) -> float:
    """What depths below the end of the longer ranking add if both go on with what the other has had."""
    shared = float(seen.shared[-1])
    full = seen.long + seen.short - shared
    depth = np.arange(seen.long + 1, round(full) + 1)
    growing = (2 * depth - seen.long - seen.short + shared) / depth
    return float((1 - p) / p * (growing * p**depth).sum() + p ** round(full))
