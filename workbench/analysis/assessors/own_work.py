"""What assessors see of their own work: pace, grades and days; how they agree with themselves once judging is over."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import NamedTuple

from workbench.analysis.assessors.speed import Pace, paces_of
from workbench.analysis.between_assessors.coefficients import Scope, agreement
from workbench.campaign.working_time import WorkDay, working_days
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import pools
from workbench.storage.campaign.counts import assessor_activity
from workbench.storage.campaign.organising import settings


class OwnWork(NamedTuple):
    """One assessor's work.

    Attributes:
        days: the days (UTC) on which they judged; judgments count as they were given, whatever became of them.
        pace: of their judgments on the judging page.
        grades: how many pairs they gave each grade that is in force.
        again: hidden repeats; None while judging goes on, as they would give away which documents come again.
    """

    days: tuple[WorkDay, ...]
    pace: Pace
    grades: dict[int, int]
    again: Scope | None

    @property
    def judgments(self) -> int:
        """All that were given."""
        return sum(day.judgments for day in self.days)

    @property
    def hours(self) -> float:
        """All hours worked, as they are counted for pay."""
        return sum(day.hours for day in self.days)


def own_work(campaign: Campaign, assessor: str, *, now: datetime | None = None) -> OwnWork:
    """What an assessor may know of their own work now; nothing in it is of other assessors."""
    with campaign.snapshot():
        return OwnWork(
            days=tuple(working_days(campaign, assessor=assessor)),
            pace=paces_of(assessor_activity.timed(campaign, assessor))[assessor],
            grades=assessor_activity.grades_of(campaign, assessor),
            again=_again(campaign, assessor) if is_over(campaign, now or datetime.now(UTC)) else None,
        )


def is_over(campaign: Campaign, now: datetime) -> bool:
    """Whether judging is over: its last day has passed, or all topics of the pools are closed."""
    last = settings.read(campaign).judging_until
    if last and date.fromisoformat(last) < now.astimezone(UTC).date():
        return True
    pooled = pools.pooled_topics(campaign)
    return bool(pooled) and set(pooled) <= set(assignments.closed(campaign))


def _again(campaign: Campaign, assessor: str) -> Scope | None:
    scopes = agreement(campaign, "assessor", resamples=0, only=assessor).scopes
    return scopes[0] if scopes else None
