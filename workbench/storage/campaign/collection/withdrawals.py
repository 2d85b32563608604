"""Runs taken out of a campaign, and put back: events of the log, so that every point of it has its own runs.

A withdrawn run stays in the file. From the `seq` of its withdrawal on it is in no new pool and has no scores, until
another event restores it; before that `seq` it is where it always was. What was pooled from it stays pooled.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log import kinds
from workbench.storage.campaign.log.log import Event, append_event, events

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


def withdraw(
    campaign: Campaign, run: int, tag: str, *, reason: str = "", actor: str, now: datetime | None = None
) -> int:
    """Take a run out inside the open write transaction; returns the event's `seq`."""
    seq = _append(campaign, WITHDRAWAL, run, tag, reason, actor, now)
    campaign.db.conn.execute("UPDATE run SET withdrawn = ? WHERE run = ?", [seq, run])
    return seq


def restore(
    campaign: Campaign, run: int, tag: str, *, reason: str = "", actor: str, now: datetime | None = None
) -> int:
    """Put a run back inside the open write transaction; returns the event's `seq`."""
    seq = _append(campaign, RESTORATION, run, tag, reason, actor, now)
    campaign.db.conn.execute("UPDATE run SET withdrawn = NULL WHERE run = ?", [run])
    return seq


def steps(campaign: Campaign, as_of: int | None = None) -> list[Step]:
    """Everything that was taken out or put back, in the order of the log."""
    return list(map(_step, _events(campaign, as_of)))


def withdrawn(campaign: Campaign, as_of: int | None = None) -> dict[int, int]:
    """The runs that are out now, or were as of a place in the log, each with the `seq` of its withdrawal."""
    return stored(campaign) if as_of is None else replay(_events(campaign, as_of))


def replay(logged: Iterable[Event]) -> dict[int, int]:
    """The same from the events of these KINDS alone."""
    found: dict[int, int] = {}
    for step in map(_step, logged):
        if step.kind == WITHDRAWAL:
            found[step.run] = step.seq
        else:
            found.pop(step.run, None)
    return found


def stored(campaign: Campaign) -> dict[int, int]:
    """The runs that are out, as the table has them."""
    rows = campaign.db.conn.execute("SELECT run, withdrawn FROM run WHERE withdrawn IS NOT NULL ORDER BY run")
    return dict(rows.fetchall())


def _events(campaign: Campaign, as_of: int | None) -> list[Event]:
    return events(campaign, *sorted(KINDS), as_of=as_of)


def _step(event: Event) -> Step:
    return Step(event.seq, event.at, event.actor, event.kind, event.content["run"], event.content["reason"])


def _append(
    campaign: Campaign, kind: str, run: int, tag: str, reason: str, actor: str, now: datetime | None
) -> int:
    return append_event(campaign, kind, {"run": run, "tag": tag, "reason": reason}, actor=actor, now=now)
