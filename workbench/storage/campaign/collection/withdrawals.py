"""Runs taken out of a campaign, and put back: events of the log, so that every point of it has its own runs.

A withdrawn run stays in the file. From the `seq` of its withdrawal on it is in no new pool and has no scores, until
another event restores it; before that `seq` it is where it always was. What was pooled from it stays pooled.
"""

from __future__ import annotations

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import part

WITHDRAWAL, RESTORATION = kinds.WITHDRAWAL, kinds.RESTORATION

KINDS = frozenset({WITHDRAWAL, RESTORATION})
"""The kinds of events that take a run out and put it back."""


def withdraw(campaign: Campaign, run: int, tag: str, *, reason: str = "") -> int:
    """Take a run out inside the open write transaction; returns the event's `seq`."""
    return _append(campaign, WITHDRAWAL, run, tag, reason)


def restore(campaign: Campaign, run: int, tag: str, *, reason: str = "") -> int:
    """Put a run back inside the open write transaction; returns the event's `seq`."""
    return _append(campaign, RESTORATION, run, tag, reason)


def steps(campaign: Campaign) -> list[Event]:
    """Every event that took a run out or put it back; its `content` has the run, its tag then, and the reason."""
    return events(campaign, WITHDRAWAL, RESTORATION)


@part(WITHDRAWAL, RESTORATION, start=dict)
def withdrawn(found: dict[int, int], event: Event) -> None:
    """The runs that are out, each with the `seq` of its withdrawal."""
    if event.kind == WITHDRAWAL:
        found[event.content["run"]] = event.seq
    else:
        found.pop(event.content["run"], None)


def _append(campaign: Campaign, kind: str, run: int, tag: str, reason: str) -> int:
    return append_event(campaign, kind, {"run": run, "tag": tag, "reason": reason})
