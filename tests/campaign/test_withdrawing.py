"""A withdrawn run is out of board and pools from its `seq` on, and exactly where it was before it."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.judged_pairs import judge_as
from tests.sentences import refused
from workbench.campaign.content_changes import restore_runs, withdraw_runs, withdrawn_tags
from workbench.campaign.pools.making import add_pool
from workbench.core.errors import AlreadyDone, NotThere
from workbench.scoring.board import Board, score_campaign
from workbench.scoring.board.past_boards import topic_scores_of
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection.runs import in_force
from workbench.storage.campaign.log import log


@pytest.fixture
def judged(small: Campaign) -> Campaign:
    """The campaign `small` with one relevant document for topic 1, found at rank 1 by alpha and at rank 3 by beta."""
    judge_as(small, "Ann", "1", "d1", 1)
    return small


def test_scores_are_those_of_the_runs_that_take_part(judged: Campaign) -> None:
    assert [(row.tag, row.values) for row in score_campaign(judged, ["RR"]).rows] == [
        ("alpha", (1.0,)),
        ("beta", (1 / 3,)),
    ]
    withdraw_runs(judged.by("Olga"), ["alpha"])
    assert [(row.tag, row.values) for row in score_campaign(judged, ["RR"]).rows] == [("beta", (1 / 3,))]
    assert topic_scores_of(judged, "RR").tags == ("beta",)


def test_a_live_board_follows_withdrawals_and_restorations(judged: Campaign) -> None:
    board = Board()
    board.table(judged)
    for change in (withdraw_runs, restore_runs):
        change(judged.by("Olga"), ["beta"])
        assert board.table(judged) == score_campaign(judged)
    assert [row.tag for row in board.table(judged).rows] == ["alpha", "beta"]


STEPS = st.lists(st.sampled_from(["alpha", "beta", "judge", "pool", "look"]), min_size=1, max_size=8)


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS)
def test_whatever_comes_and_goes_every_row_keeps_the_digits_that_it_had(
    steps: list[str], small_file: Path
) -> None:
    with TemporaryDirectory() as folder:
        path = Path(shutil.copy(small_file, folder))
        with open_campaign(path) as campaign:
            board, told = Board(), {}
            for number, step in enumerate(steps):
                _take(campaign, step, number)
                table = board.table(campaign)
                told[table.seq] = table
            assert {seq: score_campaign(campaign.at(seq)) for seq in told} == told


def _take(campaign: Campaign, step: str, number: int) -> None:
    """Withdraw a run, or restore it if it is out; or judge a pair; or make a pool of the runs that take part."""
    if step == "judge":
        judge_as(campaign, f"assessor {number}", "1", ("d1", "d2", "d4")[number % 3], number % 3)
    elif step == "pool" and in_force(campaign):
        add_pool(campaign.by("Olga"), depth=1 + number)
    elif step in {"alpha", "beta"}:
        change = restore_runs if step in withdrawn_tags(campaign) else withdraw_runs
        change(campaign.by("Olga"), [step])


@pytest.mark.parametrize("tags", [["gamma"], ["alpha", "gamma"]])
def test_one_unknown_run_means_that_none_is_withdrawn(small: Campaign, tags: list[str]) -> None:
    before = log.head(small)
    with refused(NotThere, "gamma"):
        withdraw_runs(small.by("Olga"), tags)
    assert log.head(small) == before


def test_a_run_is_withdrawn_once_and_restored_once(small: Campaign) -> None:
    with pytest.raises(AlreadyDone, match="'alpha' is not withdrawn"):
        restore_runs(small.by("Olga"), ["alpha"])
    withdraw_runs(small.by("Olga"), ["alpha", "alpha"])
    assert withdrawn_tags(small) == ["alpha"]
    with refused(AlreadyDone, "alpha"):
        withdraw_runs(small.by("Olga"), ["beta", "alpha"])
    assert withdrawn_tags(small) == ["alpha"]
