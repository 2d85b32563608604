"""Estimates beside the scores of a leaderboard whose pool is a sample."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask.testing import FlaskClient

from tests.fixture_types import JudgeAs
from workbench.campaign.pools.making import add_pool
from workbench.scoring.board import score_campaign
from workbench.scoring.board.table import printed
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools

pytestmark = pytest.mark.usefixtures("small")


def sample(path: Path) -> None:
    """Below what is pooled to depth 1 a sample is drawn."""
    with open_campaign(path) as campaign:
        add_pool(campaign.by("Anna"), strategy="strata", strata="1-2:60%,3-9:50%", seed=2)


def board(anna: FlaskClient, *measures: str) -> dict[str, object]:
    answer = anna.get("/c/small/api/board", query_string={"m": measures})
    assert answer.status_code == 200, answer.get_json()
    found: dict[str, object] = answer.get_json()
    return found


def test_a_board_of_a_pool_that_is_no_sample_has_no_estimates(anna: FlaskClient) -> None:
    found = board(anna, "AP", "P@2")
    assert [column["estimate"] for column in found["columns"]] == [None, None]  # type: ignore[index]
    assert "“est.”" not in anna.get("/c/small/board").text


def test_the_estimates_stand_beside_the_scores_and_follow_the_judgments(
    anna: FlaskClient, small: Path, judging_as: JudgeAs
) -> None:
    sample(small)
    names = ["AP", "P@2", "RBP(p=0.5)", "nDCG@10"]
    estimates = ["xinfAP", "statP@2", "statRBP(p=0.5)"]
    seen = set()
    with open_campaign(small) as campaign:
        for topic_id, document_id in pools.all_pairs(campaign)[:3]:
            judging_as(campaign, "Ben", topic_id, document_id, 1)
            found = board(anna, *names)
            table = score_campaign(campaign, estimates)
            assert [column["estimate"] for column in found["columns"]] == [*estimates, None]  # type: ignore[index]
            cells = {row["run"]: [cell["estimate"] for cell in row["cells"]] for row in found["rows"]}  # type: ignore[attr-defined]
            assert cells == {row.tag: [*map(printed, table.measures, row.values), ""] for row in table.rows}
            seen.add(str(cells))
    assert len(seen) > 1
