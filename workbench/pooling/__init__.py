"""Pooling: which topic-document pairs are judged, and in which order an assessor sees them."""

from __future__ import annotations

from workbench.pooling.depth import pool_to_depth
from workbench.pooling.order import ORDERS, order_pairs
from workbench.pooling.registry import STRATEGIES, TIES, PoolPairs, Strategy, make_pool

__all__ = [
    "ORDERS",
    "STRATEGIES",
    "TIES",
    "PoolPairs",
    "Strategy",
    "make_pool",
    "order_pairs",
    "pool_to_depth",
]
