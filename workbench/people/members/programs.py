"""Tokens with which programs work for members of a campaign."""

from __future__ import annotations

from workbench.core.errors import CampaignError
from workbench.people.accounts.tokens import Scope
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.log import mark
from workbench.storage.campaign.people import members


def scopes(campaign: Campaign, name: str) -> list[Scope]:
    """What a token of a member can be good for: a role whose work the member may do, the widest first."""
    return [
        Scope(campaign.name, mark(campaign), role)
        for role in members.roles_within(members.role_of(campaign, name))
    ]


def scope(campaign: Campaign, name: str, role: str | None) -> Scope:
    """The one with a role, or the widest; CampaignError where the member has none like it."""
    found = scopes(campaign, name)
    for each in found:
        if role in (None, each.role):
            return each
    if not found:
        raise CampaignError(f"{name} has no role in {campaign.name}: workbench member add")
    raise CampaignError(f"{name} is {found[0].role} of {campaign.name}; a token cannot be {role} there")
