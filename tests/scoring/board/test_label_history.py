"""The labels of a moment are those that the campaign loads as of it."""

from __future__ import annotations

import numpy as np

from tests.fixture_types import AppendJudgment
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.scoring.board import load_scoring
from workbench.scoring.board.past_boards import LabelHistory
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.log import log


def test_a_newer_grade_stands_over_an_older_one_and_a_cleared_one_gives_way(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    scoring = load_scoring(campaign)
    a = scoring.numbers["1"]["a"]
    rows = [
        judge(campaign, "1", "a", 1, assessor="ann"),
        judge(campaign, "1", "a", 2, assessor="bob"),
        judge(campaign, "1", "a", 0, assessor="ann"),
        judge(campaign, "1", "a", None, assessor="ann", kind="cleared"),
        judge(campaign, "1", "a", None, assessor="bob", kind="can't tell"),
    ]
    replayed = LabelHistory(scoring.topic_ids, np.diff(scoring.labels.topic_start), scoring.numbers)
    replayed.follow(campaign, rows[-1])
    seen = [int(replayed.labels(campaign, seq).of_topic(0).label[a]) for seq in (0, rows[0] - 1, *rows)]
    assert seen == [UNJUDGED, POOLED, 1, 2, 0, 2, POOLED]


def test_documents_that_no_ranking_has_get_cells_of_their_own(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    scoring = load_scoring(campaign)
    replayed = LabelHistory(scoring.topic_ids, np.diff(scoring.labels.topic_start), scoring.numbers)
    for document_id in ("x", "y", "x"):
        replayed.follow(campaign, judge(campaign, "3", document_id, 1))
    newest = log.newest_seq(campaign)
    assert replayed.labels(campaign, newest).num_judged().tolist() == [0, 0, 2]
    assert replayed.labels(campaign, newest - 2).num_judged().tolist() == [0, 0, 1]
