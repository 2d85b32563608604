"""How long assessors worked, by day: for pay, and for their own view of today and all their days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import groupby
from typing import Annotated, NamedTuple

from workbench.core.errors import CampaignError
from workbench.core.results import HIDDEN, Column, shown
from workbench.core.wording import counted
from workbench.jobs.observing import observed
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts import assessor_activity
from workbench.storage.campaign.counts.assessor_activity import Given
from workbench.storage.campaign.log import log

GAP = 5
LONGEST_GAP = 240
"""Minutes: a longer gap between two judgments is a break unless another number is chosen; the largest number."""


class WorkDay(NamedTuple):
    """One assessor's day.

    Attributes:
        assessor: who.
        day: the date in the time zone.
        judgments: how many were given, changed ones too.
        pairs: how many different pairs are among them; a hidden repeat counts as it looks, as another pair.
        first, last: when the first and the last was given, in ISO 8601 with the time zone.
    """

    assessor: str
    day: str
    judgments: int
    pairs: int
    first: str
    last: str
    seconds: Annotated[float, HIDDEN]

    @property
    @shown(Column(kind="size"))
    def minutes(self) -> float:
        """The time worked in minutes, to the tenth."""
        return round(self.seconds / 60, 1)

    @property
    @shown(Column(kind="size"))
    def hours(self) -> float:
        """The same in hours, to the hundredth."""
        return round(self.seconds / 3600, 2)


FOR_ASSESSORS = ("assessor", "day", "judgments", "first", "last", "minutes", "hours")
"""What assessors see of their days: fewer pairs than judgments would say that some came again."""


class HoursWorked(NamedTuple):
    """The days of all assessors, with what an hour is, as of a row of the log."""

    gap_minutes: int
    time_zone: str
    log_row: int
    days: tuple[WorkDay, ...]

    @property
    @shown(Column())
    def counts(self) -> str:
        """What counts as work."""
        minutes = counted(self.gap_minutes, "minute")
        return (
            f"the time between two judgments that are {minutes} apart at most; after a longer gap the active time "
            f"measured for the judgment that ends it, {minutes} at most"
        )


def hours_worked(campaign: Campaign, *, gap: int = GAP, zone: tzinfo = UTC) -> HoursWorked:
    """The days of all assessors; errors as of `working_days`."""
    with campaign.snapshot():
        days = working_days(campaign, gap=gap, zone=zone)
        return HoursWorked(gap, str(zone), log.head(campaign).seq, tuple(days))


class Work(NamedTuple):
    """A row that was given, when, in the zone of the day, and the seconds that it counts for."""

    given: Given
    at: datetime
    seconds: float


def working_days(
    campaign: Campaign, *, assessor: str | None = None, gap: int = GAP, zone: tzinfo = UTC
) -> list[WorkDay]:
    """The days on which assessors judged, by assessor and day.

    Each judgment counts with the time since the assessor's judgment before it, if that is `gap` minutes at most; else
    with the active seconds that the page measured for it, `gap` minutes at most, and none where none were measured.
    So gaps of more than `gap` minutes do not count. A judgment was given when the assessor's browser says, which also
    holds for what was judged without a network, but never later than the server received it; its time counts on the
    day, in `zone`, on which it was given.

    Raises CampaignError for a gap that is not from 1 to LONGEST_GAP.
    """
    if not 1 <= gap <= LONGEST_GAP:
        raise CampaignError(f"a gap has 1 to {LONGEST_GAP} minutes, not {gap}")
    rows = assessor_activity.given_by_hand(campaign, assessor)
    given = sorted(
        (row.assessor, _given_at(row), place, row)
        for place, row in enumerate(observed(rows, "Reading times"))
    )
    return [
        _day(list(work))
        for _, one in groupby(given, key=lambda each: each[0])
        for _, work in groupby(
            timed(((at, row) for _, at, _, row in one), timedelta(minutes=gap), zone),
            key=lambda work: work.at.date(),
        )
    ]


def _given_at(row: Given) -> datetime:
    received = datetime.fromisoformat(row.received_at)
    return received if row.client_at is None else min(received, datetime.fromisoformat(row.client_at))


def timed(rows: Iterable[tuple[datetime, Given]], gap: timedelta, zone: tzinfo) -> Iterator[Work]:
    """One assessor's rows in the order of their times, each with the seconds that it counts for."""
    before: datetime | None = None
    for at, row in rows:
        since = None if before is None else at - before
        seconds = min(row.seconds or 0.0, gap.total_seconds())
        if since is not None and since <= gap:
            seconds = since.total_seconds()
        yield Work(row, at.astimezone(zone), seconds)
        before = at


def _day(work: list[Work]) -> WorkDay:
    return WorkDay(
        work[0].given.assessor,
        work[0].at.date().isoformat(),
        len(work),
        len({(each.given.topic_id, each.given.document_id, each.given.is_repeat) for each in work}),
        work[0].at.isoformat(timespec="seconds"),
        work[-1].at.isoformat(timespec="seconds"),
        sum(each.seconds for each in work),
    )


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
    newest = [day for day in days if day.day == here.date().isoformat()]
    if not newest:
        return Today(0, 0, None, len(days))
    (day,) = newest
    minutes = round(day.seconds / 60)
    pace = round(60 * day.pairs / minutes) if minutes >= ENOUGH_MINUTES else None
    return Today(day.pairs, minutes, pace, len(days))
