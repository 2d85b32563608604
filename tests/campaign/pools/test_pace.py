"""How long judging takes, and the day on which it is done."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from tests.judged_pairs import judge_as
from workbench.analysis.dashboard.progress import state_of
from workbench.campaign.pools.pace import MeasuredPace, Work, end_of, measured_pace
from workbench.storage.campaign import Campaign


def test_the_pace_is_the_mean_of_the_judgments_that_say_how_long_they_took(small: Campaign) -> None:
    assert measured_pace(small) is None
    judge_as(small, "Ann", "1", "d1", 2, active_seconds=20)
    judge_as(small, "Ben", "1", "d2", 0, active_seconds=70.0)
    judge_as(small, "Ben", "1", "d4", 0)
    judge_as(small, "Ben", "2", "d1", 0, active_seconds=0)
    pace = measured_pace(small)
    assert pace == MeasuredPace(2, 90.0)
    assert pace.per_hour == 80
    judge_as(small, "Ben", "1", "d2", None, kind="cleared", active_seconds=30)
    assert measured_pace(small) == pace
    assert state_of(small, now=datetime.now(UTC)).pace.per_hour == pytest.approx(80)


MONDAY, FRIDAY, SATURDAY = date(2026, 3, 2), date(2026, 3, 6), date(2026, 3, 7)


@pytest.mark.parametrize(
    ("pairs", "assessors", "today", "end"),
    [
        (0, 1, MONDAY, MONDAY),
        (1, 1, MONDAY, MONDAY),
        (320, 1, MONDAY, MONDAY),
        (321, 1, MONDAY, date(2026, 3, 3)),
        (321, 2, MONDAY, MONDAY),
        (5 * 320, 1, MONDAY, FRIDAY),
        (6 * 320, 1, MONDAY, date(2026, 3, 9)),
        (6 * 320, 3, MONDAY, date(2026, 3, 3)),
        (320, 1, SATURDAY, date(2026, 3, 9)),
        (321, 1, FRIDAY, date(2026, 3, 9)),
    ],
)
def test_judging_ends_on_a_working_day(pairs: int, assessors: int, today: date, end: date) -> None:
    assert end_of(pairs, Work(per_hour=80, hours_per_day=4, assessors=assessors), today) == end


def test_what_ends_in_a_thousand_years_has_no_date() -> None:
    assert end_of(10**9, Work(per_hour=1, hours_per_day=1, assessors=1), MONDAY) is None
