"""Figures of topics and of one run tell what the engine says, now and as of any row of the log."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.figures import draw
from workbench.analysis.figures.topics import MOST_POINTS, thinned
from workbench.analysis.topic_profiles import Found
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_qrels
from workbench.core.errors import NotThere, UnknownName
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


@pytest.fixture
def two_relevant(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """One relevant document of topic 1, at rank 1 of alpha and 3 of beta; of topic 2 at rank 2 of beta alone."""
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ann", "2", "d5", 1)
    return small


def test_a_run_stands_on_every_judged_topic_beside_the_median_and_the_best(two_relevant: Campaign) -> None:
    chart = draw(two_relevant, "topic-scores", {"run": ["beta"], "measure": ["RR"]})
    assert list(chart.rows) == [
        {"topic": "1", "RR": 1 / 3, "median": (1 + 1 / 3) / 2, "best": 1.0},
        {"topic": "2", "RR": 0.5, "median": 0.25, "best": 0.5},
    ]


def test_a_figure_as_of_a_row_is_that_of_that_time(two_relevant: Campaign) -> None:
    def rows(as_of: int) -> list[tuple[object, ...]]:
        asked = {"run": ["alpha"], "as_of": [str(as_of)]}
        return [tuple(row.values()) for row in draw(two_relevant, "topic-scores", asked).rows]

    before = [("1", 1.0, (1 + 1 / 3) / 2, 1.0)]
    assert rows(7) == before
    (out,) = withdraw_runs(two_relevant.by("Olga"), ["beta"])
    assert out.withdrawn is not None
    assert (rows(7), rows(out.withdrawn)[0]) == (before, ("1", 1.0, 1.0, 1.0))


def test_precision_over_recall_is_the_mean_over_judged_topics(two_relevant: Campaign) -> None:
    chart = draw(two_relevant, "run-recall", {"run": ["alpha"]})
    # Topic 1: precision 1 at every recall; topic 2: nothing found.
    assert [row["precision"] for row in chart.rows] == [0.5] * 11
    # Of beta the means are (1/3 + 1/2) / 2 at every recall.
    assert chart.rows[3]["median"] == pytest.approx((0.5 + (1 / 3 + 1 / 2) / 2) / 2)
    assert chart.rows[3]["best"] == 0.5
    assert draw(two_relevant, "run-recall", {"run": ["alpha"], "as_of": ["7"]}).rows[0]["precision"] == 1.0


def test_a_withdrawn_run_is_drawn_as_if_it_took_part_and_counts_for_nothing_else(
    two_relevant: Campaign,
) -> None:
    before = draw(two_relevant, "run-recall", {"run": ["alpha"]})
    withdraw_runs(two_relevant.by("Olga"), ["alpha"])
    after = draw(two_relevant, "run-recall", {"run": ["alpha"]})
    assert [row["precision"] for row in after.rows] == [row["precision"] for row in before.rows]
    assert [row["median"] for row in after.rows] == [row["best"] for row in after.rows]
    first = draw(two_relevant, "topic-scores", {"run": ["alpha"]}).rows[0]
    assert first == {"topic": "1", "AP": 1.0, "median": 1 / 3, "best": 1 / 3}


@pytest.mark.parametrize("name", ["topic-scores", "run-recall"])
@pytest.mark.parametrize("asked", [{"run": ["gamma"]}, {"run": ["beta"], "as_of": ["4"]}, {}])
def test_a_run_that_is_not_there_cannot_be_drawn(
    small: Campaign, name: str, asked: dict[str, list[str]]
) -> None:
    with pytest.raises((NotThere, UnknownName)):
        draw(small, name, asked)
