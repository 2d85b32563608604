"""How much larger a pool makes those of a campaign, and when a person should say yes to that first."""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.wording import counted

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
