"""How many relevant documents a topic can still have, by an even sample of it."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from tests.analysis.trust.conftest import GiveGrades, Made
from tests.fixture_types import JudgeAs
from tests.sentences import says
from workbench.analysis.trust.found import TopicFound, _unsure, found_of
from workbench.analysis.trust.sentences import found_summary
from workbench.campaign.pools.making import add_pool
from workbench.methods.statistics.intervals import most_in_population
from workbench.scoring.board import load_scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools

LONG = {"one": {"1": " ".join(f"d{number:02}" for number in range(40)), "2": "e1 e2 e3"}}


def pooled(campaign: Campaign, topic_id: str) -> list[str]:
    return [pair.pooled.document_id for pair in pools.each_pair(campaign) if pair.pooled.topic_id == topic_id]


def test_a_topic_has_a_limit_when_all_that_was_drawn_of_it_is_judged(
    made: Made, give_grades: GiveGrades
) -> None:
    campaign = made(LONG)
    add_pool(campaign.by("Olga"), strategy="uniform", depth=40, whole=10, budget=25, per_topic=True)
    drawn = pooled(campaign, "1")
    tops, rest = [each for each in drawn if each < "d10"], [each for each in drawn if each >= "d10"]
    assert (len(tops), len(rest)) == (10, 15)
    give_grades(campaign, {("1", each): int(each < "d05") for each in drawn[:-1]})
    assert found_of(campaign, alpha=0.05) == [TopicFound("1", 5, 15, 30, 1, None)]
    give_grades(campaign, {("1", drawn[-1]): 1})
    missing = most_in_population(30, 15, 1, 0.05) - 1
    (found,) = found_of(campaign, alpha=0.05) or []
    assert found == TopicFound("1", 6, 15, 30, 0, missing)
    assert found.recall == 6 / (6 + missing)


def test_topics_that_were_judged_whole_are_not_in_question(made: Made, give_grades: GiveGrades) -> None:
    campaign = made(LONG)
    add_pool(campaign.by("Olga"), strategy="uniform", depth=40, budget=25, per_topic=True)
    assert [each.topic_id for each in found_of(campaign, alpha=0.05) or []] == ["1"]


def test_what_nobody_could_judge_may_be_relevant(
    made: Made, give_grades: GiveGrades, judging_as: JudgeAs
) -> None:
    campaign = made(LONG)
    add_pool(campaign.by("Olga"), strategy="uniform", depth=40, budget=20, per_topic=True)
    drawn = pooled(campaign, "1")
    give_grades(campaign, {("1", each): 0 for each in drawn[1:]})
    judging_as(campaign, "Ann", "1", drawn[0], None)
    (found,) = found_of(campaign, alpha=0.05) or []
    assert (found.found, found.waiting) == (0, 0)
    assert found.missing == most_in_population(40, 20, 1, 0.05)
    assert found.recall == 0


def test_no_sample_has_no_limit(made: Made) -> None:
    campaign = made(LONG)
    add_pool(campaign.by("Olga"), depth=5)
    assert found_of(campaign, alpha=0.05) is None


@pytest.mark.parametrize("relevant", [0, 1, 2, 4, 6])
def test_over_all_that_could_have_been_drawn_a_limit_is_wrong_no_more_often_than_it_says(
    relevant: int,
) -> None:
    population, drawn, alpha = 6, 3, 0.3
    wrong, number = 0, 0
    for sample in combinations(range(population), drawn):
        seen = sum(member < relevant for member in sample)
        wrong += most_in_population(population, drawn, seen, alpha) < relevant
        number += 1
    assert wrong <= alpha * number


def test_topics_of_which_nine_tenths_are_found_are_counted() -> None:
    topics = [
        TopicFound("1", 9, 20, 40, 0, 1),  # just 90 %
        TopicFound("2", 89, 20, 400, 0, 11),
        TopicFound("3", 0, 20, 40, 0, 0),  # where there may be nothing, no share is found
        TopicFound("4", 5, 20, 40, 3, None),
    ]
    assert [topic.recall for topic in topics] == [0.9, 0.89, None, None]
    for some, alpha in ((topics, 0.05), (topics[:1], 0.1), (topics[3:] * 2, 0.05)):
        assert says(found_summary(some, alpha))


def test_who_could_not_tell_counts_of_documents_that_are_there_alone(made: Made) -> None:
    scoring = load_scoring(made({"one": {"1": "a b c"}, "two": {"2": "a"}}))
    without = {("1", "b"), ("1", "c"), ("1", "nowhere"), ("2", "a")}
    unsure = replace(scoring, numbers={"1": {"a": 0, "b": 1, "c": 2}}, without_grade=without)
    topic = scoring.topic_ids.index("1")
    assert _unsure(unsure, topic, 3).tolist() == [False, True, True]
    assert _unsure(unsure, topic, 2).tolist() == [False, True]
