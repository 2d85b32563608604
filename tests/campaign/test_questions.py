"""A campaign may ask more about its documents than relevance, on scales of their own."""

from __future__ import annotations

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused
from workbench.campaign import assigning
from workbench.campaign.assessing import progress_of_all, queue, topic_progress
from workbench.campaign.campaign_settings import SettingRefused
from workbench.campaign.changing_scale import NewScale, change_scale
from workbench.campaign.content_changes import correct_topic, restore_topics, withdraw_topics
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import declare, due
from workbench.core.errors import JudgmentRefused
from workbench.core.records import Grade, Question, Topic
from workbench.scoring.board import Board, score_campaign
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import topics
from workbench.storage.campaign.grades import labels
from workbench.storage.campaign.grades.scales import Scales
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

SCALE = (Grade(0, "Hard"), Grade(1, "Fair"), Grade(2, "Easy"), Grade(5, "Plain"))
READABLE = Question("readable", "Is it easy to read?", SCALE, relevant_from=2, asked_from=1)


@pytest.fixture
def asked(small: Campaign) -> Campaign:
    """The campaign `small`, with d1 relevant and d2 not for topic 1, and a question that is asked of relevant ones."""
    judge_as(small, "Ann", "1", "d1", 1)
    judge_as(small, "Ann", "1", "d2", 0)
    declare(small.by("Olga"), READABLE)
    return small


def seen(campaign: Campaign) -> Campaign:
    return campaign.asking("readable")


def test_it_is_asked_about_what_is_relevant_and_answered_on_its_own_scale(asked: Campaign) -> None:
    assert [item.document_id for item in queue(asked, "1!readable", "Ann")] == ["d1"]
    judge_as(asked, "Ann", "1!readable", "d1", 2)
    assert [label[1:] for label in labels.qrels(seen(asked))] == [("1!readable", "d1", 2)]
    assert [label[1:] for label in labels.qrels(asked)] == [("1", "d1", 1), ("1", "d2", 0)]
    with refused(JudgmentRefused, "5"):
        judge_as(asked, "Ann", "1", "d1", 5)
    judge_as(asked, "Ann", "1!readable", "d1", 5)
    assert wrong(asked) == []


def test_what_becomes_relevant_is_asked_about_next(asked: Campaign) -> None:
    assert topic_progress(seen(asked), "Ann")[0].pooled == 1
    judge_as(asked, "Ann", "1", "d2", 1)
    assert [item.document_id for item in queue(seen(asked), "1!readable", "Ann")] == ["d1", "d2"]
    assert wrong(asked) == []


def test_a_question_that_is_asked_of_every_document_is_asked_of_all_that_are_pooled(small: Campaign) -> None:
    declare(small.by("Olga"), READABLE._replace(asked_from=None))
    counts = [sum(row.pooled for row in topic_progress(one, "Ann")) for one in (small, seen(small))]
    assert counts == [7, 7]
    add_pool(small.by("Olga"), depth=3)
    assert due(small, "readable") == []
    assert wrong(small) == []


def test_relevance_and_its_numbers_stay_as_they_are(asked: Campaign) -> None:
    before = score_campaign(asked, ["AP", "P@2"]).rows, topic_progress(asked, "Ann"), topics.topic_ids(asked)
    judge_as(asked, "Ann", "1!readable", "d1", 2)
    assert before == (
        score_campaign(asked, ["AP", "P@2"]).rows,
        topic_progress(asked, "Ann"),
        topics.topic_ids(asked),
    )


def test_runs_are_scored_by_the_answers_to_a_question(asked: Campaign) -> None:
    """Of d1, at rank 1 of alpha and 3 of beta, it is said that it is easy to read."""
    board = Board()
    board.table(seen(asked))
    judge_as(asked, "Ann", "1!readable", "d1", 2)
    rows = score_campaign(seen(asked), ["RR"]).rows
    assert [(row.tag, row.values) for row in rows] == [("alpha", (1.0,)), ("beta", (1 / 3,))]
    assert board.table(seen(asked)) == score_campaign(seen(asked))


def test_progress_is_that_of_the_question(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!readable", "d1", 0)
    (row,) = topic_progress(seen(asked), "Ann")
    assert (row.topic_id, row.pooled, row.judged) == ("1!readable", 1, 1)


def test_assessors_agree_on_each_question_by_itself(asked: Campaign) -> None:
    for name, relevance, answer in (("Ann", 1, 2), ("Ben", 0, 2)):
        judge_as(asked, name, "1", "d1", relevance)
        judge_as(asked, name, "1!readable", "d1", answer)
    of = {one.question: labels.material(one).votes for one in (asked, seen(asked))}
    assert {
        name: [vote.grade for votes in found.values() for vote in votes] for name, found in of.items()
    } == {"": [1, 0], "readable": [2, 2]}


def test_a_topic_that_is_corrected_withdrawn_or_added_takes_its_questions_along(asked: Campaign) -> None:
    correct_topic(asked.by("Olga"), "1", {"title": "iron in spinach"})
    assert topics.titles(seen(asked))["1!readable"] == "iron in spinach"
    judge_as(asked, "Ann", "1!readable", "d1", 2)
    withdraw_topics(asked.by("Olga"), ["1"])
    assert labels.qrels(seen(asked)) == labels.qrels(asked) == []
    assert topic_progress(seen(asked), "Ann") == []
    restore_topics(asked.by("Olga"), ["1"])
    assert len(labels.qrels(seen(asked))) == 1
    with asked.write():
        topics.put(asked.by("Olga"), [Topic("9", "new")], files=[])
    assert topics.topic_ids(seen(asked))[-1] == "9!readable"
    assert wrong(asked) == []


def test_earlier_rows_have_the_questions_and_scales_of_their_time(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!readable", "d1", 1)
    row = log.newest_seq(asked)
    declare(asked.by("Olga"), READABLE._replace(relevant_from=1))
    assert [settings.read(seen(asked).at(seq)).relevant_from for seq in (row, None)] == [2, 1]


@pytest.mark.parametrize(
    "change",
    [
        {"name": "Readable now"},
        {"grades": (Grade(0, "Hard"),)},
        {"relevant_from": 6},
        {"asked_from": 7},
        {"grades": (Grade(0, "Hard"), Grade(2, "Easy"))},
    ],
    ids=lambda change: next(iter(change)),
)
def test_a_question_that_makes_no_sense_is_refused_and_nothing_changes(
    asked: Campaign, change: dict[str, object]
) -> None:
    judge_as(asked, "Ann", "1!readable", "d1", 1)
    before = log.newest_seq(asked)
    with refused(SettingRefused):
        declare(asked.by("Olga"), READABLE._replace(**change))
    assert log.newest_seq(asked) == before


def test_a_topic_that_would_hold_answers_is_never_one_of_its_own(small: Campaign) -> None:
    with small.write():
        topics.put(small.by("Olga"), [Topic("1!readable", "a topic of that name")], files=[])
    with refused(SettingRefused, "1!readable"):
        declare(small.by("Olga"), READABLE)


def test_history_names_a_grade_by_the_scale_of_its_question(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!readable", "d1", 2)
    rows = [row for row, _ in log.hashed_judgments(asked) if row.kind == "grade"]
    assert [Scales(asked).name_of(row) for row in rows] == ["Relevant", "Not relevant", "Easy"]


def test_who_judges_a_topic_answers_the_questions_about_it_until_it_is_closed(asked: Campaign) -> None:
    assigning.choose_who_judges(asked.by("Olga"), "assigned")
    assigning.assign(asked.by("Olga"), ["1"], ["Ben"])
    assert [row.topic_id for row in progress_of_all(asked, "Ben")] == ["1", "1!readable"]
    with refused(JudgmentRefused):
        judge_as(asked, "Ann", "1!readable", "d1", 2)
    judge_as(asked, "Ben", "1!readable", "d1", 2)
    assigning.close(asked.by("Olga"), ["1"])
    with refused(JudgmentRefused):
        judge_as(asked, "Ben", "1!readable", "d1", 1)


def test_where_the_scale_of_relevance_is_replaced_the_question_is_asked_from_what_its_grade_became(
    asked: Campaign,
) -> None:
    """Grade 1 becomes 3, from which on the question is asked then; d2, which was not relevant, becomes it too."""
    scale = tuple(Grade(number, f"Grade {number}") for number in (-2, 0, 3, 4))
    change_scale(asked.by("Olga"), NewScale(scale, 3, {-2: -2, 0: 4, 1: 3, 2: 4}))
    assert settings.read(asked).question("readable").asked_from == 3
    assert [item.document_id for item in queue(asked, "1!readable", "Ann")] == ["d1", "d2"]
    assert wrong(asked) == []
