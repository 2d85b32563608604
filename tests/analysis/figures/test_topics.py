"""Figures of topics: what they draw from the campaign `small`."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.figures import draw
from workbench.analysis.figures.topics import MOST_POINTS, thinned
from workbench.analysis.topic_profiles import Found
from workbench.campaign.ingest import add_qrels
from workbench.core.errors import UnknownName
from workbench.methods.charts import Chart
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    judging_as(small, "Ann", "1", "d2", 0)
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ann", "2", "d2", 2)
    return small


def drawn(campaign: Campaign, name: str, **asked: str) -> Chart:
    return draw(campaign, name, {key: [value] for key, value in asked.items()})


def test_topics_with_judgments_stand_from_the_hardest_to_the_easiest(judged: Campaign) -> None:
    chart = drawn(judged, "topics")
    assert [tuple(row.values()) for row in chart.rows] == [("1", 1 / 3, 2 / 3, 1.0), ("2", 0.5, 0.75, 1.0)]
    assert chart.spec["layer"][0]["encoding"]["y"]["title"] == "AP of 2 runs"
    assert drawn(judged, "topics", as_of="6").rows == []


def test_a_map_names_grades_as_the_campaign_does(judged: Campaign) -> None:
    chart = drawn(judged, "topic-map", topic="1")
    assert [tuple(row.values()) for row in chart.rows] == [
        ("alpha", 1, 1, "Relevant"),
        ("alpha", 2, 2, "Not relevant"),
        ("alpha", 3, 3, "Unjudged"),
        ("beta", 1, 1, "Unjudged"),
        ("beta", 2, 2, "Not relevant"),
        ("beta", 3, 3, "Relevant"),
    ]
    names = chart.spec["encoding"]["color"]["scale"]["domain"]
    assert names == ["Spam", "Not relevant", "Relevant", "Highly relevant", "Unjudged"]


def test_a_grade_outside_the_scale_is_named_by_its_number(judged: Campaign, tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("10 0 d6 4\n", encoding="utf-8")
    add_qrels(judged.by("Olga"), [str(tmp_path / "qrels")])
    chart = drawn(judged, "topic-map", topic="10")
    assert [row["grade"] for row in chart.rows] == ["Grade 4"]
    assert chart.spec["encoding"]["color"]["scale"]["domain"][-2:] == ["Grade 4", "Unjudged"]


def test_the_history_begins_with_nothing(judged: Campaign) -> None:
    rows = drawn(judged, "topic-history", topic="1").rows
    assert [(row["judgments"], row["relevant"]) for row in rows] == [(0, 0), (1, 0), (2, 1)]


def test_the_past_is_drawn_as_it_was(judged: Campaign) -> None:
    one_less = str(log.newest_seq(judged) - 1)
    assert [row["topic"] for row in drawn(judged, "topics", as_of=one_less).rows] == ["1"]
    assert len(drawn(judged, "topic-history", topic="2", as_of=one_less).rows) == 1


@pytest.mark.parametrize("name", ["topic-map", "topic-history"])
def test_a_topic_that_is_not_there_is_refused(small: Campaign, name: str) -> None:
    with pytest.raises(UnknownName, match="there is no topic '7' in small"):
        drawn(small, name, topic="7")


def test_a_long_history_is_thinned_and_keeps_its_end() -> None:
    history = [Found(place, place, place, 0) for place in range(1, 5 * MOST_POINTS + 2)]
    points = list(thinned(history))
    assert points[-1] == history[-1]
    assert len(points) <= MOST_POINTS
    assert list(thinned(history[:3])) == history[:3]
    assert list(thinned([])) == []
