"""Pooling: which topic-document pairs are judged, and in which order an assessor sees them."""

from __future__ import annotations

from workbench.methods.pooling.order import ORDERS, order_pairs
from workbench.methods.pooling.registry import (
    STRATEGIES,
    TIES,
    WISHES,
    Needs,
    PoolPairs,
    Strategy,
    in_words,
    make_pool,
    needs,
    strategies_by_wish,
)
from workbench.methods.pooling.strategies.depth import pool_to_depth
