"""Runs taken out of a campaign, and put back: events of the log, so that every point of it has its own runs.

A withdrawn run stays in the file. From the `seq` of its withdrawal on it is in no new pool and has no scores, until
another event restores it; before that `seq` it is where it always was. What was pooled from it stays pooled.
"""

from __future__ import annotations

from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events
from workbench.storage.campaign.log.state import part

WITHDRAWAL, RESTORATION = kinds.WITHDRAWAL, kinds.RESTORATION

KINDS = frozenset({WITHDRAWAL, RESTORATION})
"""The kinds of events that take a run out and put it back."""


class Step(NamedTuple):
    """A run taken out or put back: the event's `seq`, when, by whom, which (`kind`), and the reason ("" if none was
    given).
    """

    seq: int
    at: str
    actor: str
    kind: str
    run: int
    reason: str


def withdraw(campaign: Campaign, run: int, tag: str, *, reason: str = "") -> int:
    """Take a run out inside the open write transaction; returns the event's `seq`."""
    return _append(campaign, WITHDRAWAL, run, tag, reason)


def restore(campaign: Campaign, run: int, tag: str, *, reason: str = "") -> int:
    """Put a run back inside the open write transaction; returns the event's `seq`."""
    return _append(campaign, RESTORATION, run, tag, reason)


def steps(campaign: Campaign) -> list[Step]:
    """Everything that was taken out or put back, in the order of the log."""
    return [
        Step(event.seq, event.at, event.actor, event.kind, event.content["run"], event.content["reason"])
        for event in events(campaign, *sorted(KINDS))
    ]


@part(WITHDRAWAL, RESTORATION, start=dict)
def withdrawn(found: dict[int, int], event: Event) -> None:
    """The runs that are out, each with the `seq` of its withdrawal."""
    if event.kind == WITHDRAWAL:
        found[event.content["run"]] = event.seq
    else:
        found.pop(event.content["run"], None)


def _append(campaign: Campaign, kind: str, run: int, tag: str, reason: str) -> int:
    return append_event(campaign, kind, {"run": run, "tag": tag, "reason": reason})
