"""Assessors who may search the texts and put what they find into the pool, as organisers may."""

from __future__ import annotations

from collections.abc import Collection

from workbench.core.errors import NotThere
from workbench.core.wording import listed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members


def may_search(campaign: Campaign, name: str | None, role: str | None) -> bool:
    """Whether a member of this role may search: organisers, and judges who were named."""
    if role == "organiser":
        return True
    return role in members.JUDGES and name in settings.read(campaign).searchers


def let_search(campaign: Campaign, names: Collection[str]) -> None:
    """Let only these judges search, on record; NotThere when one is not an assessor or adjudicator."""
    with campaign.write():
        judges = candidates(campaign)
        if unknown := sorted(set(names) - set(judges)):
            raise NotThere(
                f"{listed(unknown)}: not among the assessors and adjudicators of {campaign.name}; "
                f"these are {listed(judges) or 'none yet'}"
            )
        chosen = [name for name in judges if name in names]
        if list(settings.read(campaign).searchers) != chosen:
            settings.change(campaign, {"searchers": chosen})


def candidates(campaign: Campaign) -> list[str]:
    """The members who can be allowed to search, by name: those who judge and are no organisers, who may always."""
    found = members.all_members(campaign)
    return [name for name, role in found.items() if role in members.JUDGES and role != "organiser"]
