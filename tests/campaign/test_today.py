"""What an assessor did today, as the start page tells it."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta

import pytest

from tests.judged_pairs import submission
from workbench.campaign.assessing import judge
from workbench.campaign.working_time import Today, today
from workbench.storage.campaign import Campaign

NOON = datetime(2026, 3, 2, 12, 0).astimezone()
"""Noon in the time zone of this computer."""


@pytest.fixture
def judged(small: Campaign) -> Campaign:
    """Ann judged a pair yesterday, and today, two others, the second again; four minutes lie between."""
    for at, document_id, grade in (
        (NOON - timedelta(days=1), "d1", 1),
        (NOON, "d2", 0),
        (NOON + timedelta(minutes=4), "d4", 1),
        (NOON + timedelta(minutes=8), "d4", 2),
    ):
        sent = submission(small, "Ann", "1", document_id, grade, active_seconds=60.0)
        judge(small, sent, assessor="Ann", now=at.astimezone(UTC))
    return small


def test_who_has_not_judged_today_is_told_of_earlier_days_alone(judged: Campaign) -> None:
    assert today(judged, "Ben", now=NOON) == Today(0, 0, None, 0)
    assert today(judged, "Ann", now=NOON + timedelta(days=1)) == Today(0, 0, None, 2)


def test_a_pair_that_was_judged_twice_counts_once_and_with_all_its_time(judged: Campaign) -> None:
    # One minute was measured for the first of the day, and four passed before each of the others.
    assert today(judged, "Ann", now=NOON + timedelta(hours=1)) == Today(2, 9, 13, 2)


@pytest.mark.parametrize(("minutes", "an_hour"), [(4, None), (5, 12)])
def test_a_pace_is_told_from_five_minutes_on(small: Campaign, minutes: int, an_hour: int | None) -> None:
    sent = submission(small, "Ann", "1", "d1", 1, active_seconds=60.0 * minutes)
    judge(small, sent, assessor="Ann", now=NOON)
    assert today(small, "Ann", now=NOON) == Today(1, minutes, an_hour, 1)


@pytest.mark.parametrize(
    ("minutes", "words"), [(0, "0 min"), (59, "59 min"), (60, "1 h 0 min"), (135, "2 h 15 min")]
)
def test_hours_are_told_from_sixty_minutes_on(minutes: int, words: str) -> None:
    assert Today(1, minutes, None, 1).time == words


def test_the_day_is_that_of_this_computer_and_not_of_greenwich(
    small: Campaign, monkeypatch: pytest.MonkeyPatch
) -> None:
    if not hasattr(time, "tzset"):
        pytest.skip("no time zones to choose from")
    at = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
    judge(small, submission(small, "Ann", "1", "d1", 1, active_seconds=60.0), assessor="Ann", now=at)
    with monkeypatch.context() as far:
        far.setenv("TZ", "EAST-9")
        time.tzset()
        found = [today(small, "Ann", now=at + timedelta(hours=hours)) for hours in (-6, 18, 19)]
    time.tzset()
    assert [one.pairs for one in found] == [0, 1, 0]
