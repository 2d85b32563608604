"""The documents of one run for one topic, with what is known of each."""

from __future__ import annotations

from pathlib import Path

from tests.fixture_types import JudgeAs, WriteRun
from workbench.analysis.run_profiles.one_run import RankedDocument, RankedPage, ranked_page
from workbench.campaign.content_changes import withdraw_runs
from workbench.campaign.ingest import add_runs
from workbench.scoring.board.past_boards import scoring_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs


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
