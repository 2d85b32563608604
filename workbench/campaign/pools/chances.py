"""Random orders whose chances follow from seed, topic and document: one seed serves one order.

The strategies BY_CHANCE take a number for each document from its id and the seed. Once part of one order is judged, all
that is left has the higher numbers; another order by the same numbers then draws with other probabilities than it
states. So an order that a guarantee is built on needs a seed by which no other order was begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from workbench.core.errors import CampaignError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.grades import rows_over_time

SEQUENTIAL = "sequential-pps"
"""The strategy whose order evidence is made from."""
BY_CHANCE = (SEQUENTIAL, "random")
OF_SIZE = ("budget", "percent")
"""Parameters that say how much of an order is pooled; the others say which order it is."""


def same_order(one: pools.PoolRecord, other: pools.PoolRecord) -> bool:
    """Whether two pools are parts of one order."""
    return _order_of(one) == _order_of(other)


def _order_of(record: pools.PoolRecord) -> tuple[Any, ...]:
    own = {name: value for name, value in record.parameters.items() if name not in OF_SIZE}
    return record.strategy, sorted(own.items()), record.ties, record.runs, record.residual


def begun_with_its_seed(
    record: pools.PoolRecord, earlier: Sequence[pools.StoredPool]
) -> pools.StoredPool | None:
    """The first of these pools, retired ones included, that is of another order by the same seed."""
    seed = record.parameters["seed"]
    return next(
        (
            pool
            for pool in earlier
            if pool.record.strategy in BY_CHANCE
            and pool.record.parameters["seed"] == seed
            and not same_order(pool.record, record)
        ),
        None,
    )


def refuse_used_seed(campaign: Campaign, record: pools.PoolRecord) -> None:
    """CampaignError where a new sequential pool would draw by chances that judgments have told something of."""
    if words := why_refused(campaign, record):
        raise CampaignError(words)


def why_refused(campaign: Campaign, record: pools.PoolRecord) -> str:
    """What `refuse_used_seed` would say; "" where it lets the pool be made."""
    if record.strategy != SEQUENTIAL or rows_over_time.first_judgment(campaign) is None:
        return ""
    made = pools.all_pools(campaign)
    if any(same_order(pool.record, record) for pool in made):
        return ""  # it goes on
    used = begun_with_its_seed(record, made)
    return "" if used is None else used_seed_words(record, used, made)


def used_seed_words(
    record: pools.PoolRecord, used: pools.StoredPool, made: Sequence[pools.StoredPool]
) -> str:
    """Why an order by this seed proves nothing, and the way out."""
    seeds = {pool.record.parameters["seed"] for pool in made if pool.record.strategy in BY_CHANCE}
    free = next(number for number in count() if number not in seeds)
    return (
        f"pool {used.pool} ({used.record.strategy}) was drawn by seed {record.parameters['seed']} in another order, so "
        f"what is left of it no longer comes with the probabilities that the guarantee needs; take another seed, such "
        f"as {free}, or go on with the same runs, depth, ties and measure as pool {used.pool}"
    )
