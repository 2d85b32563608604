"""What an assessor did today, and all their days, as they see it themselves."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import NamedTuple

from workbench.campaign.working_time import working_days
from workbench.storage.campaign import Campaign

ENOUGH_MINUTES = 5
"""The least number of minutes for which the pace of a day is shown."""


class Today(NamedTuple):
    """Different pairs judged today (a hidden repeat is one, as it looks), the minutes they took, pairs per hour (None
    before there is enough to tell), and on how many days this assessor has judged.
    """

    pairs: int
    minutes: int
    an_hour: int | None
    days: int

    @property
    def time(self) -> str:
        """The minutes as text."""
        hours, minutes = divmod(self.minutes, 60)
        return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def today(campaign: Campaign, assessor: str, *, now: datetime | None = None) -> Today:
    """An assessor's day up to now, in the time zone of this computer."""
    here = (now or datetime.now(UTC)).astimezone()
    days = working_days(campaign, assessor=assessor, zone=here.tzinfo or UTC)
    newest = [day for day in days if day.day == here.date()]
    if not newest:
        return Today(0, 0, None, len(days))
    (day,) = newest
    minutes = round(day.seconds / 60)
    pace = round(60 * day.pairs / minutes) if minutes >= ENOUGH_MINUTES else None
    return Today(day.pairs, minutes, pace, len(days))
