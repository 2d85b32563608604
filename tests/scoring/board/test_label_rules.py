"""Boards follow the rule by which several judgments make one label: now, live, and as of every row of the log."""

from __future__ import annotations

import pytest

from tests.log_rows import row
from workbench.methods.statistics.dawid_skene import dawid_skene
from workbench.scoring.board import Board, score_campaign
from workbench.scoring.board.past_boards import BoardHistory
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

MEASURES = ["AP", "nDCG@10", "NumRel"]
SAID = [
    ("Ann", "1", "d1", 2), ("Ben", "1", "d1", 0), ("Carla", "1", "d1", 1), ("Ben", "2", "d1", 1),
    ("Ann", "2", "d1", 0), ("Carla", "2", "d1", 0), ("Ann", "1", "d2", 1), ("Ben", "1", "d2", 1),
    ("Ann", "1", "d1", 0), ("Dan", "1", "d1", 2),
]  # fmt: skip


def choose(campaign: Campaign, rule: str) -> None:
    with campaign.write():
        settings.change(campaign.by("Olga"), {"label_rule": rule})


@pytest.mark.parametrize("rule", LABEL_RULES)
def test_the_live_board_and_the_past_say_what_scoring_everything_says(small: Campaign, rule: str) -> None:
    choose(small, rule)
    with small.write():
        assignments.put(small.by("Olga"), [], [("1", "whole", "Ben"), ("2", "whole", "Carla")])
    board, past = Board(), BoardHistory()
    board.table(small, MEASURES)
    said = []
    for who, topic_id, document_id, grade in SAID:
        with small.write():
            log.append_judgments(small, [row(who, topic_id, document_id, grade)])
        said.append(board.table(small, MEASURES))
        assert said[-1] == score_campaign(small, MEASURES)
    with small.write():
        assignments.put(small.by("Olga"), [("1", "whole")], [("1", "whole", "Ann")])
        log.append_judgments(small, [row("Olga", "1", "d2", 2, kind="adjudication")])
    assert board.table(small, MEASURES) == score_campaign(small, MEASURES)
    for then in said:
        assert past.table(small, MEASURES, then.seq) == then
        assert score_campaign(small.at(then.seq), MEASURES) == then


def test_under_the_model_one_judgment_may_change_the_labels_of_others(small: Campaign) -> None:
    """Ann and Ben differ on every pair with Carla on Ann's side, but for one where Carla sides with Ben."""
    table = [[1, 0, 1], [1, 0, 1], [0, 1, 0], [0, 1, 1]]
    pairs = [("1", "d1"), ("1", "d2"), ("2", "d1"), ("2", "d2")]
    rows = [
        row(who, *pair, grade)
        for pair, said in zip(pairs, table, strict=True)
        for who, grade in zip(("Ann", "Ben", "Carla"), said, strict=True)
    ]
    choose(small, "Dawid-Skene")
    with small.write():
        log.append_judgments(small, [*rows, row("Ann", "1", "d4", 2), row("Ben", "1", "d4", 1)])
    found = {label.pair: label.grade for label in labels.qrels(small)}
    scale = [-2, 0, 1, 2]
    told = dawid_skene([[scale.index(grade) for grade in said] for said in table], len(scale)).labels
    assert [found[pair] for pair in pairs] == [scale[label] for label in told.tolist()]
    assert found["1", "d4"] == 1
    assert labels.labels_after(small, [("1", "d4")]) == found
