"""Dismissing warnings of the dashboard, each as it stands: it comes back once it says something else."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from workbench.analysis.dashboard.campaign_warnings import CampaignWarning
from workbench.core.errors import AlreadyDone, CampaignError
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log.text_bounds import LONGEST_REASON
from workbench.storage.campaign.organising import dismissals


def dismiss_warning(
    campaign: Campaign,
    warning: str,
    state: str,
    *,
    current: Iterable[CampaignWarning],
    note: str,
    actor: str,
    now: datetime | None = None,
) -> None:
    """Dismiss a warning with a note.

    Args:
        campaign: an open campaign.
        warning, state: which, and as it was on the page.
        current: the warnings as they are now.
        note: why it needs no attention.
        actor: the organiser.
        now: the time to record.

    Raises:
        AlreadyDone: it is gone, says something else now, or is dismissed.
        CampaignError: no note, or one that is too long.
    """
    if not note.strip() or len(note) > LONGEST_REASON:
        message = f"write a note of 1 to {LONGEST_REASON:,} characters: why it needs no attention"
        raise CampaignError(message)
    with campaign.write():
        if (warning, state) not in {(each.warning, each.state) for each in current}:
            message = "this warning has changed since the page was opened; nothing was dismissed"
            raise AlreadyDone(message)
        before = dismissals.newest(campaign).get(warning)
        if before is not None and before.state == state:
            message = f"{before.actor} dismissed this warning already"
            raise AlreadyDone(message)
        dismissals.dismiss(campaign, warning, state, note=note.strip(), actor=actor, now=now)


def show_warning_again(campaign: Campaign, warning: str, *, actor: str, now: datetime | None = None) -> None:
    """Show a dismissed warning again; AlreadyDone when it is not dismissed."""
    with campaign.write():
        if warning not in dismissals.newest(campaign):
            message = "this warning is not dismissed"
            raise AlreadyDone(message)
        dismissals.show_again(campaign, warning, actor=actor, now=now)
