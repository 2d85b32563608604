from __future__ import annotations

from pathlib import Path

import pytest

from tests.fixture_types import AppendJudgment
from workbench.core.ranking import POOLED, UNJUDGED
from workbench.methods.measures import parse_measure
from workbench.scoring.board import Scoring, load_scoring, loading
from workbench.storage.campaign import Campaign, create_campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.organising import settings


def labels_by_name(campaign: Campaign, scoring: Scoring) -> dict[tuple[str, str], int]:
    """Every document with a number, by topic id and document id."""
    found: dict[tuple[str, str], int] = {}
    for topic, topic_id in enumerate(scoring.topic_ids):
        numbers = {id_: number for number, id_ in enumerate(runs.vocabulary(campaign, topic_id))}
        numbers |= scoring.numbers.get(topic_id, {})
        labels = scoring.labels.of_topic(topic).label.tolist()
        found |= {(topic_id, id_): labels[number] for id_, number in numbers.items()}
    return found


def test_every_topic_and_run_has_a_row_and_pooled_pairs_wait_until_they_are_judged(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    scoring = load_scoring(campaign)
    assert [run.record.tag for run in scoring.runs] == ["bm25", "dense"]
    assert scoring.topic_ids == ("1", "2", "3")
    assert scoring.rankings.lengths.tolist() == [3, 2, 2, 0, 0, 0]
    assert load_scoring(campaign).num_waiting.tolist() == [3, 2, 0]
    judge(campaign, "1", "a", 1)
    judge(campaign, "1", "c", 1)
    assert load_scoring(campaign).num_waiting.tolist() == [2, 2, 0]


def test_labels_tell_judged_pooled_and_unknown_pairs_apart(campaign: Campaign, judge: AppendJudgment) -> None:
    judge(campaign, "1", "a", 2)
    judge(campaign, "1", "c", 0)
    judge(campaign, "3", "new", 1)
    scoring = load_scoring(campaign)
    assert labels_by_name(campaign, scoring) == {
        ("1", "a"): 2, ("1", "b"): POOLED, ("1", "c"): 0, ("1", "d"): POOLED, ("2", "a"): POOLED,
        ("2", "d"): POOLED, ("3", "new"): 1,
    }  # fmt: skip
    assert scoring.num_judged.tolist() == [2, 0, 1]


def test_labels_runs_and_grades_are_those_of_the_row(campaign: Campaign) -> None:
    before_the_pool = load_scoring(campaign).head.seq - 1
    scoring = load_scoring(campaign.at(before_the_pool))
    assert set(scoring.labels.label.tolist()) == {UNJUDGED}
    (first, second) = runs.all_runs(campaign)
    assert [run.record.tag for run in load_scoring(campaign.at(first.seq)).runs] == ["bm25"]
    assert len(load_scoring(campaign.at(second.seq)).runs) == 2
    with campaign.write():
        seq = settings.change(campaign.by("org"), {"relevant_from": 2})
    assert load_scoring(campaign).relevant_from == 2
    assert load_scoring(campaign.at(seq - 1)).relevant_from == 1


def test_topics_are_scored_together_or_in_any_stretches(
    campaign: Campaign, judge: AppendJudgment, monkeypatch: pytest.MonkeyPatch
) -> None:
    judge(campaign, "1", "a", 1)
    judge(campaign, "3", "new", 1)
    scoring = load_scoring(campaign)
    measure = parse_measure("AP")
    whole = scoring.values_of([measure])[measure].tolist()
    assert whole == [[1 / 1, 1 / 2], [0, 0], [0, 0]]
    for size in (1, 2, 4, 100):
        monkeypatch.setattr(loading, "ENTRIES_AT_A_TIME", size)
        assert scoring.values_of([measure])[measure].tolist() == whole


def test_a_bound_goes_from_the_lowest_to_the_highest_grade_of_the_scale_or_of_those_given(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    measure = parse_measure("nDCG(bound=upper)@2")

    def possible() -> tuple[int, int]:
        settled = load_scoring(campaign).settled(measure)
        return settled.modifier("least_grade"), settled.modifier("top_grade")

    assert possible() == (0, 1)
    with campaign.write():
        settings.change(campaign.by("org"), {"grades": [[-1, "spam"], [0, "no"], [3, "yes"]]})
    assert possible() == (-1, 3)
    judge(campaign, "1", "a", 5)
    judge(campaign, "1", "b", -2)
    assert possible() == (-2, 5)
    in_part = load_scoring(campaign).settled(parse_measure("nDCG(bound=upper,top_grade=4)@2"))
    assert in_part == parse_measure("nDCG(bound=upper,top_grade=4,least_grade=-2)@2")
    said = parse_measure("nDCG(bound=upper,top_grade=4,least_grade=0)@2")
    assert load_scoring(campaign).settled(said) is said
    assert load_scoring(campaign).settled(parse_measure("AP(bound=upper)")) == parse_measure(
        "AP(bound=upper)"
    )


def test_an_empty_campaign_has_nothing_to_score(tmp_path: Path) -> None:
    with create_campaign(tmp_path / "empty.db") as campaign:
        scoring = load_scoring(campaign)
    assert scoring.shape == (0, 0)
    assert scoring.head.seq == 0


def test_what_was_judged_without_a_grade_is_distinguished_as_of_each_row(
    campaign: Campaign, judge: AppendJudgment
) -> None:
    first = judge(campaign, "1", "a", None, kind="can't tell")
    judge(campaign, "1", "b", 1)
    second = judge(campaign, "2", "d", None, kind="can't tell")
    judge(campaign, "1", "a", 2)
    assert load_scoring(campaign).without_grade == {("2", "d")}
    assert load_scoring(campaign.at(second)).without_grade == {("1", "a"), ("2", "d")}
    assert load_scoring(campaign.at(first)).without_grade == {("1", "a")}
