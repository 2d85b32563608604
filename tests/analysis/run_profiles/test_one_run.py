"""One run on every topic, its documents, and how much of it others have; counted by hand.

In `small` alpha ranks d1 d2 d3 for topic 1 and d1 d2 for topic 2; beta d4 d2 d1, d2 d5, and d6 for topic 10.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.fixture_types import JudgeAs, WriteRun
from tests.sentences import refused
from workbench.analysis.run_profiles.one_run import (
    RankedDocument,
    RankedPage,
    TopicLine,
    ranked_page,
    run_scores,
    topic_lines,
)
from workbench.analysis.run_profiles.overlap import overlaps, shared
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.core.errors import NotThere, UnknownName
from workbench.core.ranking import Rankings
from workbench.scoring.board import score_campaign
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs

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


def page(campaign: Campaign, number: int, topic_id: str, asked: int = 1) -> RankedPage:
    return ranked_page(campaign, scoring_of(campaign), runs.all_runs(campaign)[number], topic_id, asked)


def test_documents_stand_in_rank_order_with_grade_pool_and_other_runs(
    small: Campaign, judging_as: JudgeAs
) -> None:
    judging_as(small, "Ann", "1", "d1", 2)
    judging_as(small, "Ann", "1", "d2", -2)
    found = page(small, 0, "1")
    assert found[:6] == ("1", 1, 1, 3, 2, 1)
    assert page(small, 0, "10") == RankedPage("10", 1, 1, 0, 0, 0, ())
    assert page(small, 1, "10").documents == (RankedDocument(1, "d6", "", 100.0, None, True, 0),)
    assert found.documents == (
        RankedDocument(1, "d1", "Document d1", 100.0, 2, True, 1),
        RankedDocument(2, "d2", "Document d2", 99.0, -2, True, 1),
        RankedDocument(3, "d3", "Document d3", 98.0, None, False, 0),
    )


def test_other_runs_are_those_that_take_part(small: Campaign) -> None:
    assert [document.others for document in page(small, 1, "1").documents] == [0, 1, 1]
    withdraw_runs(small.by("Olga"), ["alpha"])
    assert [document.others for document in page(small, 1, "1").documents] == [0, 0, 0]
    assert [document.others for document in page(small, 0, "1").documents] == [1, 1, 0]


def test_long_rankings_have_pages(small: Campaign, written_run: WriteRun, tmp_path: Path) -> None:
    ids = [f"e{number:03}" for number in range(120)]
    add_runs(small.by("Olga"), [written_run(tmp_path / "c.run", "gamma", {"2": " ".join(ids)})])
    for asked, (number, shown) in {0: (1, ids[:50]), 2: (2, ids[50:100]), 9: (3, ids[100:])}.items():
        found = page(small, 2, "2", asked)
        assert (found.page, found.pages, found.length) == (number, 3, 120)
        assert [document.document_id for document in found.documents] == shown
    assert found.documents[0].rank == 101


def told(campaign: Campaign, number: int, *depths: int) -> dict[str, tuple[float, ...]]:
    run = runs.all_runs(campaign)[number]
    found = overlaps(campaign, scoring_of(campaign), run, depths)
    return {overlap.run.record.tag: overlap.shares for overlap in found}


def test_the_share_is_the_mean_over_the_topics_that_the_run_has(small: Campaign) -> None:
    # Of alpha beta has: of the first 1 nothing; of 2 one of each topic; of 3 two of three and one of two.
    assert told(small, 0, 1, 2, 3) == {"beta": (0.0, 0.5, pytest.approx((2 / 3 + 1 / 2) / 2))}
    # Of beta alpha has nothing of topic 10.
    assert told(small, 1, 2, 100) == {"alpha": (pytest.approx(1 / 3), pytest.approx((2 / 3 + 1 / 2) / 3))}


def test_the_runs_most_alike_come_first(small: Campaign, written_run: WriteRun, tmp_path: Path) -> None:
    paths = [
        written_run(tmp_path / "c.run", "none", {"1": "z1 z2"}),
        written_run(tmp_path / "d.run", "same", {"1": "d1 d2 d3", "2": "d2 d1"}),
    ]
    add_runs(small.by("Olga"), paths)
    assert list(told(small, 0, 1, 3)) == ["same", "beta", "none"]
    assert told(small, 0, 1, 3)["same"] == (0.5, 1.0)
    assert told(small, 2, 10) == {"alpha": (0.0,), "beta": (0.0,), "same": (0.0,)}


def test_a_withdrawn_run_is_compared_and_others_are_not_compared_with_it(small: Campaign) -> None:
    withdraw_runs(small.by("Olga"), ["alpha"])
    assert told(small, 0, 2) == {"beta": (0.5,)}
    assert told(small, 1, 2) == {}


def test_a_run_without_others_has_no_overlap(small: Campaign) -> None:
    withdraw_runs(small.by("Olga"), ["alpha", "beta"])
    assert told(small, 0, 10) == {}


def test_a_run_without_a_document_has_nothing_in_common_at_any_depth() -> None:
    none = np.zeros(0, np.int32)
    empty = Rankings(
        np.zeros(3, np.int64), np.zeros(0, np.uint32), np.zeros(2, np.int32), np.arange(2, dtype=np.int32)
    )
    grid = Rankings(np.array([0, 1, 1, 1, 1]), np.zeros(1, np.uint32), none, none)
    assert [shares.tolist() for shares in shared(empty, grid, [1, 5, 9], 2)] == [[0.0, 0.0]] * 3
