"""A measure topic by topic with its bounds is what the engine says of each by its own name."""

from __future__ import annotations

import pytest

from tests.fixture_types import AppendJudgment
from workbench.analysis.trust.bounds import score_in_detail, side_of
from workbench.campaign.content_changes import withdraw_runs
from workbench.methods.measures import parse_measure
from workbench.scoring.board import score_campaign
from workbench.scoring.board.past_boards import topic_scores_of
from workbench.storage.campaign import Campaign


@pytest.mark.parametrize("back", [None, 0, 1, 2, 3])
def test_values_and_bounds_are_those_of_the_engine(
    campaign: Campaign, judge: AppendJudgment, back: int | None
) -> None:
    judge(campaign, "1", "a", 1)
    judge(campaign, "2", "d", 1)
    withdraw_runs(campaign.by("org"), ["dense"])
    newest = judge(campaign, "1", "b", 0)
    as_of = None if back is None else newest - back
    found = score_in_detail(campaign.at(as_of), ["AP", "P@2"])
    assert [str(detail.measure) for detail in found.measures] == ["AP", "P@2"]
    for detail in found.measures:
        expected = topic_scores_of(campaign.at(as_of), str(detail.measure))
        assert detail.values.tolist() == expected.values.tolist()
        board = score_campaign(campaign.at(as_of), [str(detail.measure)])
        assert detail.summary.tolist() == [row.values[0] for row in board.rows]
        assert found.tags == expected.tags
        assert detail.bounds is not None
        for side, values in detail.bounds._asdict().items():
            table = score_campaign(campaign.at(as_of), [str(side_of(detail.measure, side))])
            assert values.tolist() == [row.values[0] for row in table.rows]


def test_what_is_pooled_and_unjudged_lies_between_the_bounds(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    judge(campaign, "1", "a", 1)
    (detail,) = score_in_detail(campaign, ["P@2"]).measures
    assert detail.bounds is not None
    # Of topic 1 bm25 has a (relevant) and b (to be judged), dense d (to be judged) and a.
    # Of topic 2 bm25 has a and d, both to be judged, and dense nothing; topic 3 is never judged.
    assert detail.summary.tolist() == [0.5, 0.5]
    assert detail.bounds.lower.tolist() == [0.5 / 2, 0.5 / 2]
    assert detail.bounds.upper.tolist() == [1.0, 1.0 / 2]


@pytest.mark.parametrize(
    "name", ["Bpref", "NumRel", "Judged@10", "P(judged_only=true)@10", "P(bound=lower)@10"]
)
def test_some_measures_have_no_bounds(campaign: Campaign, name: str) -> None:
    (detail,) = score_in_detail(campaign, [name]).measures
    assert detail.bounds is None


def test_the_best_run_of_a_team_keeps_its_values(campaign: Campaign, judge: AppendJudgment) -> None:
    judge(campaign, "1", "a", 1)
    whole = score_in_detail(campaign, ["RR", "P@2"])
    part = whole.best_of_teams()
    assert (whole.tags, part.tags, part.teams) == (("bm25", "dense"), ("bm25",), ("team",))
    for one, all_runs in zip(part.measures, whole.measures, strict=True):
        assert one.values.tolist() == all_runs.values[:, [0]].tolist()
        assert one.summary.tolist() == all_runs.summary[:1].tolist()
    assert part.measures[1].bounds is not None
    assert part.measures[1].bounds.upper.tolist() == [1.0]


def test_what_is_returned_follows_the_log_and_stays_as_it_was_returned(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    judge(campaign, "1", "a", 1)
    before = score_in_detail(campaign, ["AP", "nDCG@2"])
    kept = [detail.values.tolist() for detail in before.measures]
    seq = judge(campaign, "1", "b", 2)
    after, again = (score_in_detail(campaign.at(as_of), ["AP", "nDCG@2"]) for as_of in (None, seq))
    assert [detail.values.tolist() for detail in before.measures] == kept
    for now, then in zip(after.measures, again.measures, strict=True):
        assert now.values.tolist() == then.values.tolist()
        assert now.bounds is not None
        assert then.bounds is not None
        assert [side.tolist() for side in now.bounds] == [side.tolist() for side in then.bounds]


def test_a_smallest_relevant_grade_that_was_asked_for_holds_for_the_bounds_too() -> None:
    measure = parse_measure("P(rel=1)@5", defaults={"rel": 2})
    upper = side_of(measure, "upper")
    assert upper is not None
    assert upper.rel == 1
