"""What a release says about the log: how long it is, who judged, and when a row was written."""

from __future__ import annotations

from workbench.campaign.connection import Campaign
from workbench.campaign.log import up_to


def number_of_judgments(campaign: Campaign, as_of: int | None = None) -> int:
    """How many rows of the log are judgments of any kind, those out of force included."""
    (count,) = campaign.db.conn.execute(
        "SELECT count(*) FROM judgment WHERE seq <= ?", [up_to(as_of)]
    ).fetchone()
    return int(count)


def assessors(campaign: Campaign, as_of: int | None = None) -> list[str]:
    """Everybody who judged, in the order of their first rows in the log: later rows never change that order."""
    rows = campaign.db.conn.execute(
        "SELECT assessor FROM judgment WHERE seq <= ? GROUP BY assessor ORDER BY min(seq)", [up_to(as_of)]
    )
    return [assessor for (assessor,) in rows]


def written_at(campaign: Campaign, seq: int) -> str | None:
    """When a row of the log was written, UTC in ISO 8601; None when there is no such row."""
    row = campaign.db.conn.execute(
        "SELECT at FROM event WHERE seq = :seq UNION ALL SELECT received_at FROM judgment WHERE seq = :seq",
        {"seq": seq},
    ).fetchone()
    return str(row[0]) if row else None


def span(campaign: Campaign, as_of: int | None = None) -> tuple[str, str] | None:
    """The first and the last time at which a judgment was received; None when there is none."""
    first, last = campaign.db.conn.execute(
        "SELECT min(received_at), max(received_at) FROM judgment WHERE seq <= ?", [up_to(as_of)]
    ).fetchone()
    return None if first is None else (first, last)
