"""What programs get where a page about pools is shown to people."""

from __future__ import annotations

from typing import Annotated, NamedTuple, Self

from flask import request

from workbench.campaign.pools.plan import PoolPlan
from workbench.core.results import FLAT
from workbench.core.wording import counted
from workbench.jobs.processes import Outcome
from workbench.storage.campaign.collection.pools import StoredPool
from workbench.web.requests.answers import wants_json


class MadePool(NamedTuple):
    """A pool that was made.

    Attributes:
        pool: its number.
        brought: how many pairs it brought.
    """

    pool: int
    brought: int

    @classmethod
    def of(cls, made: StoredPool) -> Self:
        """A pool as programs see it."""
        return cls(made.pool, made.brought)

    def outcome(self, address: str) -> Outcome:
        """The outcome of the job that made it, with a link to the page of this address."""
        said = f"Pool {self.pool} created: {counted(self.brought, 'new pair')}."
        return Outcome(said, address, "Show the pool", self._asdict())


class PlannedPool(NamedTuple):
    """What a pool would hold and cost: a plan, of which nothing was made.

    Attributes:
        hours: of one person, for all that is then to be judged.
        page: where a person finds the form filled in, and creates the pool.
    """

    plan: Annotated[PoolPlan, FLAT]
    hours: float
    page: str


def shown_pairs(plan: PoolPlan) -> str | None:
    """How many new pairs the sender was shown; of a program that does not say so, those of the plan."""
    said = request.form.get("expected")
    return str(plan.at_depth.new) if said is None and wants_json() else said
