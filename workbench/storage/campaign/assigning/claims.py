"""Topics that an assessor took for a while. A claim is a lease and no part of the log: it ends by itself.

One whose end lies further ahead than a lease is long was taken while the clock was ahead, or while leases were longer:
it has ended, so that no topic is kept from others until a wrong clock's time comes. Its holder goes on judging, as
with every lease that ended, until another assessor claims the topic.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple

from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.file.schema import shown
from workbench.storage.campaign.log.erasable import Ids, id_of
from workbench.storage.campaign.log.log import timestamp

AHEAD = timedelta(minutes=1)
"""How much further than a lease is long its end may lie: clocks are set right by seconds all the time."""


class Claim(NamedTuple):
    """Who took a topic, and until when (UTC, as in the log) if they judge nothing more."""

    assessor: str
    until: str

    def is_live(self, now: datetime, minutes: int) -> bool:
        """Whether the topic is still taken, where a lease lasts this number of minutes."""
        return timestamp(now) < self.until <= timestamp(now + timedelta(minutes=minutes) + AHEAD)


def of_topic(campaign: Campaign, topic_id: str) -> Claim | None:
    """The newest claim of a topic; it may have ended."""
    row = campaign.execute(
        f"SELECT {shown('assessor')}, until FROM claim WHERE topic = ?", [topic_id]
    ).fetchone()
    return Claim(*row) if row else None


def all_claims(campaign: Campaign) -> dict[str, Claim]:
    """The newest claim of each topic that was ever taken; it may have ended."""
    rows = campaign.execute(f"SELECT topic, {shown('assessor')}, until FROM claim ORDER BY topic")
    return {topic: Claim(assessor, until) for topic, assessor, until in rows}


def live(campaign: Campaign, now: datetime, minutes: int) -> dict[str, Claim]:
    """Those of them that have not ended, where a lease lasts this number of minutes."""
    return {topic: claim for topic, claim in all_claims(campaign).items() if claim.is_live(now, minutes)}


def put(campaign: Campaign, topic_id: str, assessor: str, *, now: datetime, minutes: int) -> None:
    """Give a topic to an assessor for some minutes from now on, inside the open write transaction."""
    campaign.execute(
        "INSERT INTO claim (topic, assessor, until) VALUES (?, ?, ?) "
        "ON CONFLICT (topic) DO UPDATE SET assessor = excluded.assessor, until = excluded.until",
        [topic_id, Ids(campaign)[assessor], timestamp(now + timedelta(minutes=minutes))],
    )


def remove(campaign: Campaign, topic_id: str, assessor: str) -> None:
    """Give a topic back, inside the open write transaction."""
    campaign.execute(
        "DELETE FROM claim WHERE topic = ? AND assessor = ?", [topic_id, id_of(campaign, assessor)]
    )
