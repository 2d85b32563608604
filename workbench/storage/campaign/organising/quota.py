"""How large a campaign is, and how large files that are added may make it: a quota that an administrator sets.

It bounds what topics, documents, runs and labels bring in. Judgments are never refused for it.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.core.errors import QuotaExceeded
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.organising import settings

MEGABYTE = 1_000_000
QUOTA = "quota"


class Space(NamedTuple):
    """How many bytes a campaign's file uses, and how many it may use; `quota` is 0 where nothing is set."""

    used: int
    quota: int


def space(campaign: Campaign) -> Space:
    """What the campaign uses now, in an open write transaction as if it were committed."""
    used = campaign.number(
        "SELECT (page_count - freelist_count) * page_size "
        "FROM pragma_page_count, pragma_freelist_count, pragma_page_size"
    )
    return Space(used, int(settings.value(campaign, QUOTA, 0)))


def check_quota(campaign: Campaign) -> None:
    """End the open write transaction with QuotaExceeded if what it wrote exceeds the campaign's quota."""
    used, quota = space(campaign)
    if quota and used > quota:
        raise QuotaExceeded(
            f"the campaign would use {used / MEGABYTE:,.1f} MB, and its quota is {quota / MEGABYTE:,.1f} MB; "
            "add less, or ask an administrator for more room: "
            f"workbench campaign quota {campaign.command_name} MB"
        )


def set_quota(campaign: Campaign, quota: int) -> None:
    """Set how many bytes the campaign may use, 0 for any number; recorded in the log when it changes."""
    with campaign.write():
        if settings.value(campaign, QUOTA, 0) != quota:
            settings.change(campaign, {QUOTA: quota})
