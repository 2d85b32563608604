"""Where comparisons take their scores from."""

from __future__ import annotations

import pytest

from workbench.campaign import Campaign, log
from workbench.comparing.scores import scores_of
from workbench.errors import NotThere, UnknownName
from workbench.scoring import score_campaign


def test_scores_are_by_topic_and_run_with_the_means_of_the_leaderboard(judged: Campaign) -> None:
    found = scores_of(judged, "AP")
    assert found.topic_ids == ("1", "10", "2")
    assert found.values.tolist() == [[1, 1 / 3], [0, 1], [0.5, 1]]
    assert found.means.tolist() == [row.values[0] for row in score_campaign(judged, ["AP"]).rows]
    assert found.seq == log.newest_seq(judged)


def test_scores_as_of_a_row_are_those_of_then(judged: Campaign) -> None:
    first_judgment = log.newest_seq(judged) - 3
    found = scores_of(judged, "AP", as_of=first_judgment)
    assert found.topic_ids == ("1",)
    assert found.values.tolist() == [[1, 1 / 3]]


def test_runs_can_be_chosen_in_any_order(judged: Campaign) -> None:
    found = scores_of(judged).of_runs(["beta", "alpha"])
    assert found.tags == ("beta", "alpha")
    assert found.values[0].tolist() == [1 / 3, 1]


def test_a_run_that_is_not_there_is_named_with_its_neighbours(judged: Campaign) -> None:
    with pytest.raises(NotThere, match="no run called 'alhpa'; there are alpha"):
        scores_of(judged).column("alhpa")


def test_a_measure_that_does_not_exist_is_an_error(judged: Campaign) -> None:
    with pytest.raises(UnknownName):
        scores_of(judged, "nDGC@10")
