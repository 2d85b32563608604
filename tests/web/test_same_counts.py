"""What is judged is counted the same way wherever it is told, and so is who is at the top."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from flask import Flask

from tests.fixture_types import SignIn
from tests.log_rows import row
from tests.sentences import says
from workbench.analysis.comparing.all_pairs import pairs_of
from workbench.analysis.comparing.scores import scores_of
from workbench.methods.measures import parse_measure
from workbench.scoring.board import Board, score_campaign
from workbench.scoring.board.past_boards import BoardHistory
from workbench.scoring.board.table import at_the_top, names
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.web.analysis.compare_words import pairs_sentence

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


@pytest.mark.parametrize(
    ("values", "top"),
    [([0.5, 0.25, 0.5], ["a", "c"]), ([0.1, 0.1 + 1e-17, 0.1], ["a", "b", "c"]), ([0.0, 0.0, 1.0], ["c"])],
)
def test_all_who_are_equal_at_the_top_are_there(values: list[float], top: list[str]) -> None:
    assert at_the_top(parse_measure("AP"), values, "abc") == top


def test_names_at_the_top_are_listed_as_people_do() -> None:
    assert [names(list("abcdefg")[:number]) for number in (1, 2, 3, 4, 7)] == [
        "a",
        "a and b",
        "a, b and c",
        "a, b, c and d",
        "a, b, c and 4 more",
    ]


def test_a_comparison_names_all_at_the_top_as_the_board_does(small: Path) -> None:
    with open_campaign(small) as campaign:
        with campaign.write():
            log.append_judgments(campaign, [row("Ann", "1", "d2", 1), row("Ann", "2", "d2", 1)])
        scored = scores_of(campaign, "RR")
    table = np.array([[1.0, 1.0, 0.0]] * 8 + [[1.0, 1.0, 0.5]])
    three = scored._replace(
        tags=("a", "b", "c"), values=table, means=table.mean(axis=0), topic_ids=tuple("123456789")
    )
    told = pairs_sentence(pairs_of(three, permutations=99))
    assert says(told)
    alike = three.of_runs(["a", "b"])
    assert says(pairs_sentence(pairs_of(alike, permutations=99)))
