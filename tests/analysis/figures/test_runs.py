"""Figures of one run tell what the engine says, now and as of any row of the log."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.figures import draw
from workbench.campaign.content_changes import withdraw_runs
from workbench.core.errors import NotThere, UnknownName
from workbench.storage.campaign import Campaign


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """One relevant document of topic 1, at rank 1 of alpha and 3 of beta; of topic 2 at rank 2 of beta alone."""
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ann", "2", "d5", 1)
    return small


def test_a_run_stands_on_every_judged_topic_beside_the_median_and_the_best(judged: Campaign) -> None:
    chart = draw(judged, "topic-scores", {"run": ["beta"], "measure": ["RR"]})
    assert list(chart.rows) == [
        {"topic": "1", "RR": 1 / 3, "median": (1 + 1 / 3) / 2, "best": 1.0},
        {"topic": "2", "RR": 0.5, "median": 0.25, "best": 0.5},
    ]


def test_a_figure_as_of_a_row_is_that_of_that_time(judged: Campaign) -> None:
    def rows(as_of: int) -> list[tuple[object, ...]]:
        asked = {"run": ["alpha"], "as_of": [str(as_of)]}
        return [tuple(row.values()) for row in draw(judged, "topic-scores", asked).rows]

    before = [("1", 1.0, (1 + 1 / 3) / 2, 1.0)]
    assert rows(7) == before
    (out,) = withdraw_runs(judged.by("Olga"), ["beta"])
    assert out.withdrawn is not None
    assert (rows(7), rows(out.withdrawn)[0]) == (before, ("1", 1.0, 1.0, 1.0))


def test_precision_over_recall_is_the_mean_over_judged_topics(judged: Campaign) -> None:
    chart = draw(judged, "run-recall", {"run": ["alpha"]})
    # Topic 1: precision 1 at every recall; topic 2: nothing found.
    assert [row["precision"] for row in chart.rows] == [0.5] * 11
    # Of beta the means are (1/3 + 1/2) / 2 at every recall.
    assert chart.rows[3]["median"] == pytest.approx((0.5 + (1 / 3 + 1 / 2) / 2) / 2)
    assert chart.rows[3]["best"] == 0.5
    assert draw(judged, "run-recall", {"run": ["alpha"], "as_of": ["7"]}).rows[0]["precision"] == 1.0


def test_a_withdrawn_run_is_drawn_as_if_it_took_part_and_counts_for_nothing_else(judged: Campaign) -> None:
    before = draw(judged, "run-recall", {"run": ["alpha"]})
    withdraw_runs(judged.by("Olga"), ["alpha"])
    after = draw(judged, "run-recall", {"run": ["alpha"]})
    assert [row["precision"] for row in after.rows] == [row["precision"] for row in before.rows]
    assert [row["median"] for row in after.rows] == [row["best"] for row in after.rows]
    first = draw(judged, "topic-scores", {"run": ["alpha"]}).rows[0]
    assert first == {"topic": "1", "AP": 1.0, "median": 1 / 3, "best": 1 / 3}


@pytest.mark.parametrize("name", ["topic-scores", "run-recall"])
@pytest.mark.parametrize("asked", [{"run": ["gamma"]}, {"run": ["beta"], "as_of": ["4"]}, {}])
def test_a_run_that_is_not_there_cannot_be_drawn(
    small: Campaign, name: str, asked: dict[str, list[str]]
) -> None:
    with pytest.raises((NotThere, UnknownName)):
        draw(small, name, asked)
