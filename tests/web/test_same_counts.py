"""What is judged is counted the same way wherever it is told, and so is who is at the top."""

from __future__ import annotations

from pathlib import Path

from flask import Flask

from tests.fixture_types import SignIn
from tests.log_rows import row
from tests.sentences import says
from workbench.scoring.board import Board, score_campaign
from workbench.scoring.board.past_boards import BoardHistory
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log

SETTLED = [
    ("Ann", "d4", "grade", 0),
    ("Ann", "d4", "cleared", None),
    ("Max", "d4", "adjudication", 1),
    ("Eve", "d4", "adjudication", None),
]
"""A grade and an adjudication of the pair that Ben could not tell, both taken back."""


def test_a_pair_that_nobody_could_tell_is_judged_on_every_page(
    app: Flask, small: Path, client_of: SignIn
) -> None:
    told = [("Ann", "d1", "grade", 1), ("Ann", "d2", "can't tell", None), ("Ben", "d4", "can't tell", None)]
    with open_campaign(small) as campaign:
        board = Board()
        for who, document, kind, grade in [*told, *SETTLED]:
            with campaign.write():
                log.append_judgments(campaign, [row(who, "1", document, grade, kind=kind)])
            now = board.table(campaign, ["AP"])
            assert now == score_campaign(campaign, ["AP"]) == BoardHistory().table(campaign, ["AP"], now.seq)
        assert judgments.without_grade(campaign) == {("1", "d2"), ("1", "d4")}
        pooled = len(judgments.judged_pairs(campaign)) + now.waiting - now.without_grade
    anna = client_of(app, "Anna")
    pages = {
        place: anna.get(f"/c/small/{place}").get_data(as_text=True)
        for place in ("", "dashboard", "board", "publish")
    }
    assert f"3 of {pooled} pooled pairs judged" in pages["dashboard"]
    assert says(pages["board"])
    assert says(pages["publish"])
    assert says(pages["publish"])
