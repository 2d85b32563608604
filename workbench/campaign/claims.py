"""Topics that an assessor took for a while. A claim is a lease and no part of the log: it ends by itself."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from workbench.campaign.connection import Campaign
from workbench.campaign.log import timestamp


class Claim(NamedTuple):
    """Who took a topic, and until when (UTC, as in the log) if they judge nothing more."""

    assessor: str
    until: str

    def is_live(self, now: datetime) -> bool:
        """Whether the topic is still taken."""
        return self.until > timestamp(now)


def of_topic(campaign: Campaign, topic_id: str) -> Claim | None:
    """The newest claim of a topic; it may have ended."""
    row = campaign.db.conn.execute("SELECT assessor, until FROM claim WHERE topic = ?", [topic_id]).fetchone()
    return Claim(*row) if row else None


def all_claims(campaign: Campaign) -> dict[str, Claim]:
    """The newest claim of each topic that was ever taken; it may have ended."""
    rows = campaign.db.conn.execute("SELECT topic, assessor, until FROM claim ORDER BY topic")
    return {topic: Claim(assessor, until) for topic, assessor, until in rows}


def put(campaign: Campaign, topic_id: str, assessor: str, *, now: datetime, minutes: int) -> None:
    """Give a topic to an assessor for some minutes from now on, inside the open write transaction."""
    campaign.db.conn.execute(
        "INSERT INTO claim (topic, assessor, until) VALUES (?, ?, ?) "
        "ON CONFLICT (topic) DO UPDATE SET assessor = excluded.assessor, until = excluded.until",
        [topic_id, assessor, timestamp(now + timedelta(minutes=minutes))],
    )


def remove(campaign: Campaign, topic_id: str, assessor: str) -> None:
    """Give a topic back, inside the open write transaction."""
    campaign.db.conn.execute("DELETE FROM claim WHERE topic = ? AND assessor = ?", [topic_id, assessor])
