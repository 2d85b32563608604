"""What assessors did on the screen, row by row, as far as it tells how they work."""

from __future__ import annotations

from typing import NamedTuple

from workbench.campaign.connection import Campaign
from workbench.campaign.off_record import SCREEN

_JUDGED = f"source = '{SCREEN}' AND kind IN ('grade', 'can''t tell')"


class Made(NamedTuple):
    """A judgment made on the screen, a changed one too: `grade` is None for can't tell, `seconds` where not known."""

    seq: int
    at: str
    topic_id: str
    document_id: str
    grade: int | None
    seconds: float | None
    is_change: bool


class Timed(NamedTuple):
    """Who took how many active seconds for a judgment on the screen."""

    assessor: str
    seconds: float


def made_by(campaign: Campaign, assessor: str) -> list[Made]:
    """What one assessor judged on the screen, in the order of the log; hidden repeats are left out."""
    rows = campaign.db.conn.execute(
        f"""SELECT seq, received_at, topic, document, grade, CASE WHEN active_seconds > 0 THEN active_seconds END,
            replaces IS NOT NULL
        FROM judgment WHERE assessor = ? AND {_JUDGED} ORDER BY seq""",
        [assessor],
    )
    return [Made._make((*row[:-1], bool(row[-1]))) for row in rows]


def timed(campaign: Campaign) -> list[Timed]:
    """How long each judgment took that says so, everybody's."""
    rows = campaign.db.conn.execute(
        f"SELECT assessor, active_seconds FROM judgment WHERE active_seconds > 0 AND {_JUDGED}"
    )
    return list(map(Timed._make, rows))
