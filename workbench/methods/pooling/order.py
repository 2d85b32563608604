"""The order in which an assessor sees the pairs of a topic; a registry of functions that give a sort key."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import blake2b
from typing import Any

from workbench.core.records import Pooled
from workbench.core.registry import Registry

OrderFunction = Callable[[Pooled, int, str], Any]

ORDERS: Registry[OrderFunction] = Registry("viewing order", "viewing orders")
"""Functions `(pair, seed, assessor) -> sort key`."""
viewing_order = ORDERS.register


def order_pairs(
    pairs: Iterable[Pooled], *, order: str = "shuffle", seed: int = 0, assessor: str = ""
) -> list[Pooled]:
    """The pairs topic by topic (ids in byte order), within each topic in the viewing order.

    The place of two pairs relative to each other depends on nothing but themselves, so a pool that grows
    keeps the order of the pairs it had. UnknownName when there is no such order.
    """
    key = ORDERS.find(order)
    return sorted(pairs, key=lambda pair: (pair.topic_id, key(pair, seed, assessor), pair.document_id))


@viewing_order("shuffle")
def shuffled(pair: Pooled, seed: int, assessor: str) -> bytes:
    """A random order of each assessor's own: by a hash of seed, assessor, topic and document."""
    words = (str(seed), assessor, pair.topic_id, pair.document_id)
    return blake2b("\0".join(words).encode(), digest_size=16).digest()


@viewing_order("document id")
def by_document_id(pair: Pooled, seed: int, assessor: str) -> str:
    """By document id in byte order, as TREC's assessors see their pools: it tells nothing of the runs."""
    return pair.document_id


@viewing_order("best rank")
def by_best_rank(pair: Pooled, seed: int, assessor: str) -> int:
    """By the best rank that any run gave: the likely relevant first, which assessors may come to expect."""
    return pair.best_rank
