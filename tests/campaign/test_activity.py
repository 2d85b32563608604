"""Judging added up: what the tallies count, against what the log's own questions answer."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from workbench.campaign import Campaign, judgments
from workbench.campaign.activity import Recent, TopicTally, by_assessor, by_topic, first_judged_since
from workbench.ingest import add_qrels

Judge = Callable[..., object]
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.fixture
def judged(small: Campaign, judging_as: Judge) -> Campaign:
    """Topic 1: two documents, one of them by two people who differ; topic 2: one not told, one taken back."""
    for who, topic_id, document_id, grade in [
        ("Ben", "1", "d1", 2),
        ("Eva", "1", "d1", 0),
        ("Ben", "1", "d2", 0),
        ("Ben", "2", "d1", None),
        ("Ben", "2", "d2", 1),
    ]:
        judging_as(small, who, topic_id, document_id, grade, active_seconds=10)
    judging_as(small, "Ben", "2", "d2", None, kind="cleared")
    return small


def test_topics_are_tallied_pair_by_pair(judged: Campaign) -> None:
    assert by_topic(judged, 1) == {
        "1": TopicTally(3, 0, 2, 2, 0, graded=2, relevant=0, conflicts=1),
        "10": TopicTally(1, 1),
        "2": TopicTally(3, 0, 1, 1, 0),
    }


def test_the_newest_grade_of_a_pair_counts_as_in_the_qrels(judged: Campaign, judging_as: Judge) -> None:
    judging_as(judged, "Ben", "1", "d1", 1)
    labels = [label for label in judgments.qrels(judged) if label.topic_id == "1"]
    relevant = sum(label.grade >= 1 for label in labels)
    assert by_topic(judged, 1)["1"].relevant == relevant == 1


def test_judged_pairs_beyond_the_pool_are_told_apart(judged: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "qrels"
    path.write_text("1 0 d3 1\n10 0 d6 0\n", encoding="utf-8")
    add_qrels(judged, [str(path)], assessor="NIST", actor="Olga", now=NOON)
    tallies = by_topic(judged, 1)
    assert tallies["1"][2:4] == (3, 2)
    assert tallies["10"] == TopicTally(1, 1, 1, 1, 1, graded=1)


def test_assessors_are_tallied_by_what_is_in_force(judged: Campaign) -> None:
    ben, eva = by_assessor(judged)
    assert (ben.assessor, ben.judged, ben.cannot_tell, ben.timed, ben.seconds) == ("Ben", 3, 1, 4, 40.0)
    assert (eva.assessor, eva.judged, eva.timed) == ("Eva", 1, 1)
    assert ben.last_at == "2026-03-01T12:00:00.000+00:00"


def test_a_pair_is_first_judged_once(judged: Campaign) -> None:
    assert first_judged_since(judged, NOON) == Recent(4, "2026-03-01T12:00:00.000+00:00")


def test_nothing_was_first_judged_after_the_last_judgment(judged: Campaign) -> None:
    assert first_judged_since(judged, NOON.replace(hour=13)).pairs == 0


def test_a_campaign_that_nobody_judged_has_no_first_time(small: Campaign) -> None:
    assert first_judged_since(small, NOON) == Recent(0, None)
    assert by_assessor(small) == []
