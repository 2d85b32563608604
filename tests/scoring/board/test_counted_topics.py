"""Which topics count: those with a judgment, those judged to the end, and all that count once the pool is judged."""

from __future__ import annotations

from tests.fixture_types import AppendJudgment
from workbench.analysis.trust.bounds import score_in_detail
from workbench.analysis.trust.intervals import intervals_of
from workbench.methods.measures import parse_measure
from workbench.scoring.board import board_of, load_scoring, score_campaign
from workbench.scoring.board.past_boards import board_history_of
from workbench.scoring.board.table import best_of_teams
from workbench.storage.campaign import Campaign


# Pooled are a, b and d of topic 1, a and d of topic 2, nothing of topic 3.
def kinds(campaign: Campaign) -> dict[str, list[bool]]:
    scoring = load_scoring(campaign)
    return {
        "judged": scoring.judged_topics.tolist(),
        "finished": scoring.finished_topics.tolist(),
        "in_the_end": scoring.topics_in_the_end.tolist(),
    }


def test_a_topic_is_finished_when_no_pooled_document_waits_for_a_judgment(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    judge(campaign, "2", "a", 0)
    assert kinds(campaign)["finished"] == [False, False, False]
    judge(campaign, "2", "d", None, kind="can't tell")
    assert kinds(campaign)["finished"] == [False, True, False]
    judge(campaign, "2", "d", None, kind="cleared")
    assert kinds(campaign)["finished"] == [False, False, False]
    judge(campaign, "2", "d", 1)
    assert kinds(campaign)["finished"] == [False, True, False]
    assert load_scoring(campaign).topic_counts == (1, 1, 2)


def test_a_topic_counts_in_the_end_once_something_of_it_is_pooled_or_judged(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    for document_id in "ad":
        judge(campaign, "2", document_id, None, kind="can't tell")
    assert kinds(campaign) == {
        "judged": [False, False, False],
        "finished": [False, False, False],
        "in_the_end": [True, True, False],
    }
    assert kinds(campaign) == {
        "judged": [False, False, False],
        "finished": [False, False, False],
        "in_the_end": [True, True, False],
    }
    judge(campaign, "3", "a", 0)
    # Nothing of topic 3 is pooled, so nothing of it waits.
    assert kinds(campaign) == {
        "judged": [False, False, True],
        "finished": [False, False, True],
        "in_the_end": [True, True, True],
    }


def test_a_bound_is_over_all_that_count_in_the_end_whatever_the_scores_are_over(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    judge(campaign, "1", "a", 1)
    scoring = load_scoring(campaign)
    for only_finished, expected in ((False, [True, False, False]), (True, [False, False, False])):
        of_scores = scoring.topics_for(parse_measure("AP"), only_finished=only_finished)
        of_bounds = scoring.topics_for(parse_measure("AP(bound=lower)"), only_finished=only_finished)
        assert (of_scores.tolist(), of_bounds.tolist()) == (expected, [True, True, False])


def test_loaded_live_and_past_boards_of_finished_topics_are_the_same(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    names = ["AP", "AP(bound=upper)", "NumQ"]
    judged_rows = [
        judge(campaign, "2", "a", 0), judge(campaign, "1", "a", 1),
        judge(campaign, "2", "d", None, kind="can't tell"), judge(campaign, "1", "b", 2),
        judge(campaign, "1", "d", 0), judge(campaign, "2", "d", 1),
        judge(campaign, "1", "d", None, kind="cleared"),
    ]  # fmt: skip
    for seq in judged_rows:
        loaded = score_campaign(campaign.at(seq), names, only_finished=True)
        assert board_history_of(campaign).table(campaign, names, seq, only_finished=True) == loaded
        (ap, *_) = score_in_detail(campaign.at(seq), names, only_finished=True).measures
        assert ap.summary.tolist() == [row.values[0] for row in loaded.rows]
        assert len(ap.values) == loaded.topics == loaded.rows[0].values[2]
    live = board_of(campaign).table(campaign, names, only_finished=True)
    assert live == score_campaign(campaign, names, only_finished=True)
    assert board_of(campaign).table(campaign, names) == score_campaign(campaign, names)


def test_the_best_run_of_a_team_is_the_best_on_the_topics_that_are_shown(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    # On topic 1 dense is ahead, on topic 2 bm25, since dense lacks it; topic 2 alone is judged to the end.
    for pair, grade in ((("1", "d"), 1), (("1", "a"), 0), (("2", "a"), 0), (("2", "d"), 1)):
        judge(campaign, *pair, grade)
    for only_finished, best in ((False, "dense"), (True, "bm25")):
        table = best_of_teams(score_campaign(campaign, ["RR"], only_finished=only_finished))
        assert [row.tag for row in table.rows] == [best]
        sure = intervals_of(campaign, ["RR"], by_team=True, only_finished=only_finished)
        assert sure.tags == (best,)
        assert sure.topic_counts == (2, 1, 2)


def test_a_table_says_over_how_many_topics_of_how_many_it_is(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    assert score_campaign(campaign, ["AP"]).over == "0 of 2 topics"
    judge(campaign, "2", "a", 1)
    assert score_campaign(campaign, ["AP"]).over == "1 of 2 topics"
    judge(campaign, "1", "a", 1)
    assert score_campaign(campaign, ["AP"]).over == "2 topics"
    assert score_campaign(campaign, ["AP"], only_finished=True).over == "0 of 2 topics"
