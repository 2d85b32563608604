"""One run on every topic, beside all others; a withdrawn run has the digits it would have.

In `small` alpha ranks d1 d2 d3 for topic 1 and d1 d2 for topic 2; beta d4 d2 d1, d2 d5, and d6 for topic 10.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import JudgeAs, WriteRun
from tests.sentences import refused
from workbench.analysis.run_profiles.one_run import TopicLine, run_scores, topic_lines
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.core.errors import NotThere, UnknownName
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign

MEASURES = ("AP", "nDCG@10", "NumRel", "AP(mean=geometric)", "P(mean=micro)@2", "SetE", "Judged@10")


@pytest.fixture
def judged(small: Campaign, judging_as: JudgeAs) -> Campaign:
    judging_as(small, "Ann", "1", "d1", 1)
    judging_as(small, "Ann", "2", "d5", 2)
    return small


def test_a_run_is_placed_among_all_on_every_judged_topic(judged: Campaign) -> None:
    found = run_scores(judged, "beta", "RR")
    assert (found.mean, found.place, found.runs) == ((1 / 3 + 1 / 2) / 2, 2, 2)
    assert found.topics == (TopicLine("1", 1 / 3, (1 + 1 / 3) / 2, 1.0, 2), TopicLine("2", 0.5, 0.25, 0.5, 1))


def test_where_less_is_better_the_least_is_the_best(judged: Campaign) -> None:
    found = run_scores(judged, "alpha", "SetE")
    assert found.topics[0].best == min(
        found.topics[0].score, 2 * found.topics[0].median - found.topics[0].score
    )
    assert found.topics[0].place == 1


@pytest.mark.parametrize("measure", MEASURES)
def test_a_run_has_the_digits_of_the_leaderboard_also_when_it_is_withdrawn(
    judged: Campaign, measure: str
) -> None:
    before = run_scores(judged, "alpha", measure)
    rows = {row.tag: row.values[0] for row in score_campaign(judged, [measure]).rows}
    assert rows == {tag: run_scores(judged, tag, measure).mean for tag in ("alpha", "beta")}
    withdraw_runs(judged.by("Olga"), ["alpha"])
    after = run_scores(judged, "alpha", measure)
    assert (after.mean, after.place, after.runs) == (before.mean, None, 1)
    assert [line.score for line in after.topics] == [line.score for line in before.topics]
    assert [line.best for line in after.topics] == [
        line.score for line in run_scores(judged, "beta", measure).topics
    ]


def test_a_withdrawn_run_with_documents_that_no_other_has_is_scored(
    judged: Campaign, written_run: WriteRun, tmp_path: Path
) -> None:
    path = written_run(tmp_path / "c.run", "gamma", {"1": "z1 z2 z3 d1", "2": "d5"})
    add_runs(judged.by("Olga"), [path])
    before = run_scores(judged, "gamma", "RR")
    assert before.mean == (1 / 4 + 1) / 2
    withdraw_runs(judged.by("Olga"), ["gamma"])
    assert run_scores(judged, "gamma", "RR").mean == before.mean


def test_alone_in_withdrawal_a_run_is_its_own_median_and_best(judged: Campaign) -> None:
    withdraw_runs(judged.by("Olga"), ["alpha", "beta"])
    assert run_scores(judged, "alpha", "RR").topics[0] == TopicLine("1", 1.0, 1.0, 1.0, 1)


def test_unknown_runs_and_measures_are_reported(small: Campaign) -> None:
    assert run_scores(small, "alpha").topics == ()
    with refused(NotThere, "gamma"):
        run_scores(small, "gamma")
    with pytest.raises(UnknownName):
        run_scores(small, "alpha", "nDGC")
    with pytest.raises(NotThere):
        topic_lines(small.at(3), "alpha")
