"""Warnings of the dashboard that organisers dismissed: events of the log, each about a warning as it stood then."""

from __future__ import annotations

from datetime import datetime
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import append_event, events

DISMISSED = kinds.WARNING_DISMISSED
SHOWN_AGAIN = kinds.WARNING_SHOWN_AGAIN


class Dismissal(NamedTuple):
    """A warning that was dismissed: which, as it stood when (`state`), the note, by whom and when (UTC, ISO 8601)."""

    warning: str
    state: str
    note: str
    actor: str
    at: str


def dismiss(
    campaign: Campaign, warning: str, state: str, *, note: str, actor: str, now: datetime | None = None
) -> int:
    """Dismiss a warning as it stands, inside the open write transaction; returns the event's `seq`."""
    content = {"warning": warning, "state": state, "note": note}
    return append_event(campaign, DISMISSED, content, actor=actor, now=now)


def show_again(campaign: Campaign, warning: str, *, actor: str, now: datetime | None = None) -> int:
    """Show a dismissed warning again, inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, SHOWN_AGAIN, {"warning": warning}, actor=actor, now=now)


def newest(campaign: Campaign) -> dict[str, Dismissal]:
    """The newest dismissal of each warning, unless it is shown again; it holds while the warning has this `state`."""
    found: dict[str, Dismissal] = {}
    for event in events(campaign, DISMISSED, SHOWN_AGAIN):
        content = event.content
        if event.kind == DISMISSED:
            found[content["warning"]] = Dismissal(
                content["warning"], content["state"], content["note"], event.actor, event.at
            )
        else:
            found.pop(content["warning"], None)
    return found
