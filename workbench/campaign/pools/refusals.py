"""What keeps a pool from being made: it is much larger than all before it, or its seed was used up by another order.

Chances of a random order follow from seed, topic and document, so that one seed serves one order. The strategies
BY_CHANCE take a number for each document from its id and the seed. Once part of one order is judged, all that is left
has the higher numbers; another order by the same numbers then draws with other probabilities than it states. So an
order that a guarantee is built on needs a seed by which no other order was begun.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.wording import counted
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.grades import rows_over_time

MUCH_LARGER = 3
"""How many times as large the pools have to become for a question, ..."""
MANY_NEW = 500
"""... if they also grow by this many pairs."""


class Growth(NamedTuple):
    """How many pairs a campaign has pooled before a pool, and how many new ones the pool brings."""

    before: int
    new: int

    @property
    def after(self) -> int:
        """How many pairs are pooled with the pool."""
        return self.before + self.new

    @property
    def is_much_larger(self) -> bool:
        """Whether a person should be asked first."""
        return bool(self.before) and self.new >= max(MANY_NEW, (MUCH_LARGER - 1) * self.before)


class MuchLarger(CampaignError):
    """A pool that would make those of a campaign much larger, by its `growth`; nothing was stored."""

    def __init__(self, growth: Growth) -> None:
        self.growth = growth
        super().__init__(
            f"{counted(growth.before, 'pair')} are pooled, and this pool makes them {growth.after:,}"
        )


SEQUENTIAL = "sequential-pps"
"""The strategy whose order evidence is made from."""
BY_CHANCE = (SEQUENTIAL, "random")
OF_SIZE = ("budget", "percent")
"""Parameters that say how much of an order is pooled; the others say which order it is."""


def same_order(one: pools.PoolRecord, other: pools.PoolRecord) -> bool:
    """Whether two pools are parts of one order: alike in all but their size and how they are viewed."""
    own, others = (
        {name: value for name, value in record.parameters.items() if name not in OF_SIZE}
        for record in (one, other)
    )
    alike = one._replace(parameters=own, viewing="", seed=0)
    return alike == other._replace(parameters=others, viewing="", seed=0)


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


def why_refused(campaign: Campaign, record: pools.PoolRecord) -> str:
    """Why a pool would draw by chances that judgments have told something of; "" where it does not, and is made."""
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
