"""Which pools choose their pairs while they are judged."""

from __future__ import annotations

from workbench.methods.pairing import PAIRINGS
from workbench.methods.pooling import STRATEGIES
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.collection.pools import StoredPool

ACTOR = "workbench"
"""Who chooses, for the log."""


def adaptive_pools(campaign: Campaign) -> list[StoredPool]:
    """The pools in force that choose while they are judged, oldest first; those of pairs of things among them."""
    return [pool for pool in pools.in_force(campaign) if is_adaptive(pool)]


def is_adaptive(pool: StoredPool) -> bool:
    """Whether a pool chooses while it is judged."""
    if pool.record.strategy in PAIRINGS:
        return True
    entry = STRATEGIES.get(pool.record.strategy)
    return entry is not None and entry.kind == "adaptive"
