"""The log as it passed, row by row."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from workbench.campaign import Campaign, create_campaign, log, moments, topics
from workbench.judging import Receipt
from workbench.records import Topic

JudgeAs = Callable[..., Receipt]


def test_what_was_said_comes_in_the_order_of_the_log(small: Campaign, judging_as: JudgeAs) -> None:
    before = log.newest_seq(small)
    assert moments.first_judgment(small) is None
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ben", "1", "d1", 0)
    assert moments.said_between(small, 0, before + 2) == [
        (before + 1, "1", "d1", "Ann", 1, "grade"),
        (before + 2, "1", "d1", "Ben", 0, "grade"),
    ]
    assert [row.assessor for row in moments.said_between(small, before + 1, before + 2)] == ["Ben"]
    assert [row.assessor for row in moments.said_between(small, 0, before + 1)] == ["Ann"]
    assert moments.first_judgment(small) == before + 1


def test_what_was_said_of_one_topic_is_told_alone(small: Campaign, judging_as: JudgeAs) -> None:
    before = log.newest_seq(small)
    judging_as(small, "Ann", "2", "d1", 1)
    judging_as(small, "Ann", "1", "d1", 2)
    assert moments.said_of_topic(small, "1") == [(before + 2, "1", "d1", "Ann", 2, "grade")]
    assert moments.said_of_topic(small, "1", before + 1) == []


def test_pairs_stand_with_the_row_that_pooled_them(small: Campaign) -> None:
    newest = log.newest_seq(small)
    found = moments.pooled_between(small, 0, newest)
    assert found
    assert {row.seq for row in found} == {event.seq for event in log.events(small, "pool")}
    assert moments.pooled_between(small, found[0].seq, newest) == []
    assert moments.pooled_between(small, 0, found[0].seq - 1) == []


def test_a_moment_has_the_time_of_its_newest_row(tmp_path: Path) -> None:
    with create_campaign(tmp_path / "new.db") as campaign:
        assert moments.time_of(campaign, 0) is None
        for day in (2, 3):
            with campaign.write():
                now = datetime(2026, 3, day, 9, 30, tzinfo=UTC)
                topics.put(campaign, [Topic(str(day), "")], files=[], actor="org", now=now)
        newest = log.newest_seq(campaign)
        assert moments.time_of(campaign, newest - 1) == "2026-03-02T09:30:00.000+00:00"
        assert moments.time_of(campaign, newest) == "2026-03-03T09:30:00.000+00:00"
        assert moments.time_of(campaign) == moments.time_of(campaign, newest + 5)
