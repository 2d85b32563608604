"""How long judging takes: the pace that the log has measured, hours, and the day on which all is done."""

from __future__ import annotations

from datetime import date
from math import ceil
from typing import NamedTuple

import numpy as np

from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.people import members

SECONDS = 3600
ASSUMED_PER_HOUR = 60.0
"""A judgment a minute, until the log or the organiser says more."""
LONGEST_PLAN = 250_000
"""Working days, about a thousand years: what ends later has no date."""


class MeasuredPace(NamedTuple):
    """What the log says of judging on the screen: how many judgments came with a time, and all their seconds."""

    judgments: int
    seconds: float

    @property
    def per_hour(self) -> float:
        """Judgments in an hour of judging, breaks left out."""
        return SECONDS * self.judgments / self.seconds


class Work(NamedTuple):
    """How people judge: judgments of one person in an hour, hours of one person in a day, and how many people."""

    per_hour: float
    hours_per_day: float
    assessors: int


def measured_pace(campaign: Campaign) -> MeasuredPace | None:
    """The pace of all judgments whose active seconds are in the log; None when there is none.

    Judgments of people who can judge no longer count only where there are no others. It is the mean, since a sum of
    times is what is to be foretold: documents that take long count as they are.
    """
    times, roles = judgments.active_time(campaign), members.roles_ever(campaign)
    there = [time for name, time in times.items() if roles.get(name) in (None, *members.JUDGES)] or list(
        times.values()
    )
    return MeasuredPace(sum(count for count, _ in there), sum(time for _, time in there)) if there else None


def hours_for(pairs: int, per_hour: float) -> float:
    """Hours of one person for this number of pairs, each judged once."""
    return pairs / per_hour


def end_of(pairs: int, work: Work, today: date) -> date | None:
    """The working day, Monday to Friday, on which the last pair is judged, from today on; None if far off."""
    days = ceil(hours_for(pairs, work.per_hour) / (work.hours_per_day * work.assessors))
    if days > LONGEST_PLAN:
        return None
    last = np.busday_offset(np.datetime64(today), max(days - 1, 0), roll="forward")
    return date.fromisoformat(str(last))
