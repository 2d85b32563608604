"""Setting up a campaign: a new file with its settings, and the people who work in it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from workbench.campaign import Campaign, create_campaign, members, settings
from workbench.errors import UnknownName
from workbench.records import Grade


def new_campaign(
    path: Path | str,
    *,
    title: str,
    grades: Sequence[Grade] = settings.BINARY,
    relevant_from: int = 1,
    guidelines: str = "",
    actor: str,
    now: datetime | None = None,
) -> Campaign:
    """A new campaign with its settings in the log; nothing is left behind when that fails."""
    campaign = create_campaign(path)
    try:
        with campaign.write():
            settings.change(
                campaign,
                {
                    "title": title,
                    "grades": [list(grade) for grade in grades],
                    "relevant_from": relevant_from,
                    "guidelines": guidelines,
                },
                actor=actor,
                now=now,
            )
    except BaseException:
        campaign.close()
        campaign.path.unlink()
        raise
    return campaign


def set_role(campaign: Campaign, name: str, role: str, *, actor: str, now: datetime | None = None) -> None:
    """Make somebody an organiser or assessor of a campaign, or nobody ('none'); recorded in the log.

    Raises UnknownName for another role.
    """
    if role not in (*members.ROLES, members.NO_ROLE):
        message = f"there is no role {role!r}; there is: {', '.join(members.ROLES)}, {members.NO_ROLE}"
        raise UnknownName(message)
    with campaign.write():
        members.put(campaign, name, role, actor=actor, now=now)
