"""Warnings of the dashboard that organisers dismissed: events of the log, each about a warning as it stood then."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from workbench.core.results import HIDDEN, Column
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event
from workbench.storage.campaign.log.state import State, part

DISMISSED = kinds.WARNING_DISMISSED
SHOWN_AGAIN = kinds.WARNING_SHOWN_AGAIN


class Dismissal(NamedTuple):
    """A warning that was dismissed: which, as it stood when (`state`), the note, by whom and when (UTC, ISO 8601)."""

    warning: Annotated[str, HIDDEN]
    state: Annotated[str, HIDDEN]
    note: str
    actor: Annotated[str, Column("By", "by")]
    at: str


def dismiss(campaign: Campaign, warning: str, state: str, *, note: str) -> int:
    """Dismiss a warning as it stands, inside the open write transaction; returns the event's `seq`."""
    content = {"warning": warning, "state": state, "note": note}
    return append_event(campaign, DISMISSED, content)


def show_again(campaign: Campaign, warning: str) -> int:
    """Show a dismissed warning again, inside the open write transaction; returns the event's `seq`."""
    return append_event(campaign, SHOWN_AGAIN, {"warning": warning})


@part(DISMISSED, SHOWN_AGAIN, start=dict)
def _newest(found: dict[str, Dismissal], event: Event) -> None:
    """The newest dismissal of each warning, unless it is shown again."""
    content = event.content
    if event.kind == DISMISSED:
        said = content["warning"], content["state"], content["note"]
        found[content["warning"]] = Dismissal(*said, event.actor, event.at)
    else:
        found.pop(content["warning"], None)


def newest(campaign: Campaign) -> dict[str, Dismissal]:
    """The newest dismissal of each warning, unless it is shown again; it holds while the warning has this `state`."""
    state = State.of(campaign)
    return {name: each._replace(actor=state.names[each.actor]) for name, each in state[_newest].items()}
