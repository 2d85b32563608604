"""What assessors see of their own work, and that neither repeats nor other assessors can be told from it."""

from __future__ import annotations

import csv
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from workbench.analysis.assessors.own_work import own_work
from workbench.campaign import assigning
from workbench.campaign.assessing import judge, set_repeats
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.working_time import FOR_ASSESSORS, WorkDay
from workbench.core.records import Judgment
from workbench.formats.tables.csv_cells import as_csv
from workbench.formats.tables.sheets import sheet_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

NOON = datetime(2026, 3, 2, 12, 0, tzinfo=UTC)


@pytest.fixture
def judged(small: Campaign, submit: Callable[..., Judgment]) -> Campaign:
    """Ann judged d1 and d2 on one day, and d1 once more, as a hidden repeat, on the next; Ben judged d1."""
    set_repeats(small.by("Olga"), 1.0, 1, 0)
    for name, at, document_id, grade in (
        ("Ann", NOON, "d1", 1),
        ("Ben", NOON, "d1", 0),
        ("Ann", NOON + timedelta(minutes=2), "d2", 0),
        ("Ann", NOON + timedelta(days=1), "d1", 2),
    ):
        judge(small, submit(small, name, "1", document_id, grade, active_seconds=60.0), assessor=name, now=at)
    return small


def test_days_pace_and_grades_are_of_this_assessor_alone(judged: Campaign) -> None:
    work = own_work(judged, "Ann")
    assert [(day.judgments, day.seconds) for day in work.days] == [(2, 180.0), (1, 60.0)]
    assert (work.judgments, work.grades, work.pace.timed, work.pace.median) == (3, {0: 1, 1: 1}, 2, 60.0)
    nothing = own_work(judged, "Zoe")
    assert (nothing.days, nothing.grades, nothing.pace.timed) == ((), {}, 0)


def test_repeats_are_told_once_the_last_day_of_judging_has_passed(judged: Campaign) -> None:
    after = NOON + timedelta(days=2)
    assert own_work(judged, "Ann", now=after).again is None
    change_settings(judged.by("Olga"), {"judging-until": "2026-03-03"})
    assert own_work(judged, "Ann", now=NOON + timedelta(days=1)).again is None
    again = own_work(judged, "Ann", now=after).again
    assert again is not None
    assert (again.pairs, again.raw_agreement) == (1, 1.0)
    assert own_work(judged, "Ben", now=after).again is None


def test_repeats_are_told_once_all_topics_are_closed(judged: Campaign) -> None:
    first, *others = pools.pooled_topics(judged)
    assigning.close(judged.by("Olga"), [first])
    assert own_work(judged, "Ann", now=NOON).again is None
    assigning.close(judged.by("Olga"), others)
    assert own_work(judged, "Ann", now=NOON).again is not None


def test_the_hours_of_an_assessor_do_not_say_how_many_pairs_came_again(judged: Campaign) -> None:
    days = own_work(judged, "Ann").days
    first, *_ = rows = list(csv.DictReader(as_csv(sheet_of(WorkDay, days, FOR_ASSESSORS))))
    assert list(first) == ["assessor", "day", "judgments", "first", "last", "minutes", "hours"]
    assert [(row["day"], row["judgments"], row["hours"]) for row in rows] == [
        ("2026-03-02", "2", "0.05"),
        ("2026-03-03", "1", "0.02"),
    ]
