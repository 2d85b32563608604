"""The log as it passed, row by row."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from tests.fixture_types import JudgeAs
from workbench.core.records import Topic
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.grades import rows_over_time
from workbench.storage.campaign.log import log


def test_what_was_said_comes_in_the_order_of_the_log(small: Campaign, judging_as: JudgeAs) -> None:
    before = log.newest_seq(small)
    assert rows_over_time.first_judgment(small) is None
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ben", "1", "d1", 0)
    assert list(rows_over_time.grades_between(small, 0, before + 2)) == [
        (before + 1, "1", "d1", "Ann", 1, "grade"),
        (before + 2, "1", "d1", "Ben", 0, "grade"),
    ]
    assert [row.assessor for row in rows_over_time.grades_between(small, before + 1, before + 2)] == ["Ben"]
    assert [row.assessor for row in rows_over_time.grades_between(small, 0, before + 1)] == ["Ann"]
    assert rows_over_time.first_judgment(small) == before + 1


def test_what_was_said_of_one_topic_is_reported_alone(small: Campaign, judging_as: JudgeAs) -> None:
    before = log.newest_seq(small)
    judging_as(small, "Ann", "2", "d1", 1)
    judging_as(small, "Ann", "1", "d1", 2)
    assert rows_over_time.logged_grades_of_topic(small, "1") == [(before + 2, "1", "d1", "Ann", 2, "grade")]
    assert rows_over_time.logged_grades_of_topic(small.at(before + 1), "1") == []


def test_pairs_stand_with_the_row_that_pooled_them(small: Campaign) -> None:
    newest = log.newest_seq(small)
    found = rows_over_time.pooled_between(small, 0, newest)
    assert found
    assert {row.seq for row in found} == {event.seq for event in log.events(small, "pool")}
    assert rows_over_time.pooled_between(small, found[0].seq, newest) == []
    assert rows_over_time.pooled_between(small, 0, found[0].seq - 1) == []


def test_a_moment_has_the_time_of_its_newest_row(tmp_path: Path) -> None:
    with create_campaign(tmp_path / "new.db") as campaign:
        assert rows_over_time.time_of(campaign.at(0)) is None
        for day in (2, 3):
            with campaign.write():
                now = datetime(2026, 3, day, 9, 30, tzinfo=UTC)
                topics.put(campaign.by("org", now), [Topic(str(day), "")], files=[])
        newest = log.newest_seq(campaign)
        assert rows_over_time.time_of(campaign.at(newest - 1)) == "2026-03-02T09:30:00.000+00:00"
        assert rows_over_time.time_of(campaign.at(newest)) == "2026-03-03T09:30:00.000+00:00"
        assert rows_over_time.time_of(campaign) == rows_over_time.time_of(campaign.at(newest + 5))
