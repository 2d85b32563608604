"""Assessors say which of two documents, answers or lists of results is better."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.asked_answers import add_answers, add_texts
from tests.found_wrong import wrong
from tests.judged_pairs import judge_as, submission
from tests.made_answers import answer
from tests.sentences import refused
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.campaign.assessing import judge, queue, show
from workbench.campaign.battles import answered, battles
from workbench.campaign.campaign_settings import SettingRefused
from workbench.campaign.content_changes import restore_runs, withdraw_runs
from workbench.campaign.pools.choosing import choose_for
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare, question_counts
from workbench.core.about import ANSWER_PAIRS, DOCUMENT_PAIRS, LIST_PAIRS
from workbench.core.battles import BOTH_BAD, FIRST, LEFT, RIGHT, SECOND, TIE
from workbench.core.errors import CampaignError, JudgmentRefused
from workbench.core.records import Grade
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import BundleOptions, save_bundle
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import choices, documents, pairs, pools, units
from workbench.storage.campaign.grades import judgments

ANSWERS, LISTS, DOCUMENTS = USUAL[ANSWER_PAIRS], USUAL[LIST_PAIRS], USUAL[DOCUMENT_PAIRS]
TOPIC = f"1!{ANSWERS.name}"
LEFT_IS_BETTER, RIGHT_IS_BETTER, BOTH_ARE_BAD = 1, 2, 0


@pytest.fixture
def asked(small: Campaign) -> Campaign:
    """Four runs of answers to topic 1, of which `three` and `four` say the same; every two answers are compared."""
    for run, text in (("one", "Deep."), ("two", "Cold."), ("three", "Salty."), ("four", "Salty.")):
        add_answers(small, answer("1", (text, [0]), run=run))
    declare(small.by("Olga"), ANSWERS)
    add_pool(small.asking(ANSWERS.name).by("Olga"), strategy="all-pairs", viewing_seed=3)
    return small


def pair_of(campaign: Campaign, *texts: str) -> str:
    """The pair of the answers with these texts."""
    things = pairs.things_of_runs(campaign, TOPIC)
    sides = {each.thing_id for each in things.values() if each.text in texts}
    (found,) = (each for each in pairs.chosen(campaign, TOPIC) if {each.first, each.second} == sides)
    return found.unit_id


def text_on_left(campaign: Campaign, assessor: str, pair: str) -> str:
    shown, found = show(campaign, TOPIC, pair, assessor), pairs.by_id(campaign, TOPIC)[pair]
    thing = pairs.thing_of(campaign, TOPIC, found.first if shown.left == FIRST else found.second)
    assert thing is not None
    return thing.text


def test_identical_answers_are_one_thing_and_every_two_others_are_a_pair(asked: Campaign) -> None:
    assert len(pools.pooled_of_topic(asked, TOPIC)) == 3
    assert {each.probability for each in pairs.chosen(asked, TOPIC)} == {1.0}
    assert [each.pooled for each in question_counts(asked)] == [3]
    assert wrong(asked) == []


def test_a_pair_is_known_by_its_two_things_and_says_what_both_say(asked: Campaign) -> None:
    pair = pair_of(asked, "Deep.", "Cold.")
    unit, stored = units.find(asked, TOPIC, pair), documents.find(asked, pair)
    assert unit is not None and stored is not None and unit.sides is not None
    assert pair == pairs.pair_id(ANSWER_PAIRS, *sorted(unit.sides))
    assert set(stored.document.text.split("\n\n")) == {"Deep.", "Cold."}


def test_sides_stay_for_an_assessor_and_differ_between_assessors(asked: Campaign) -> None:
    pair = pair_of(asked, "Deep.", "Cold.")
    people = [f"assessor {number}" for number in range(40)]
    drawn = [show(asked, TOPIC, pair, each).left for each in people]
    assert drawn == [show(asked, TOPIC, pair, each).left for each in people]
    assert 10 <= drawn.count(FIRST) <= 30


def test_a_preference_is_stored_by_its_things_with_what_stood_left(asked: Campaign) -> None:
    pair = pair_of(asked, "Deep.", "Cold.")
    by_side = {show(asked, TOPIC, pair, f"a{number}").left: f"a{number}" for number in range(20)}
    for assessor in (by_side[FIRST], by_side[SECOND]):
        given = judge_as(asked, assessor, TOPIC, pair, LEFT_IS_BETTER).judgment
        assert given.grade == LEFT_IS_BETTER
        assert judge(asked, given, assessor=assessor).repeated
        mine = show(asked, TOPIC, pair, assessor).mine
        assert mine is not None and mine.grade == LEFT_IS_BETTER
        assert [each.grade for each in queue(asked, TOPIC, assessor) if each.document_id == pair] == [1]
    stored = judgments.current_of_topic(asked, TOPIC)
    assert [(row.grade, row.left) for row in stored] == [(1, FIRST), (2, SECOND)]
    assert [each.winner for each in battles(asked, ANSWERS.name)] == [LEFT, LEFT]


def test_a_page_that_claims_another_side_is_refused(asked: Campaign) -> None:
    pair = pair_of(asked, "Deep.", "Cold.")
    sent = submission(asked, "Ann", TOPIC, pair, LEFT_IS_BETTER)
    other = FIRST if sent.left == SECOND else SECOND
    for left in (other, None):
        with refused(JudgmentRefused, "left"):
            judge(asked, sent._replace(left=left), assessor="Ann")
    with refused(JudgmentRefused, "left"):
        judge_as(asked, "Ann", "1", "d1", 1, left=FIRST)


def test_a_preference_counts_for_every_run_that_has_the_answer(asked: Campaign) -> None:
    pair = pair_of(asked, "Deep.", "Salty.")
    judge_as(asked, "Ann", TOPIC, pair, LEFT_IS_BETTER, comment="longer", active_seconds=4.0)
    left = {"Deep.": ["one"], "Salty.": ["four", "three"]}
    here = left.pop(text_on_left(asked, "Ann", pair))
    (there,) = left.values()
    found = battles(asked, ANSWERS.name)
    assert sorted((each.left_run, each.right_run) for each in found) == sorted(
        (one, other) for one in here for other in there
    )
    assert {(each.topic_id, each.winner, each.reason, each.seconds, each.side_seed) for each in found} == {
        ("1", LEFT, "longer", 4.0, 3)
    }
    assert len({each.battle_id for each in found}) == 2


def test_battles_are_those_in_force_as_of_a_row(asked: Campaign) -> None:
    pair = pair_of(asked, "Deep.", "Cold.")
    first = judge_as(asked, "Ann", TOPIC, pair, RIGHT_IS_BETTER).judgment.seq
    assert [each.winner for each in battles(asked, ANSWERS.name)] == [RIGHT]
    second = judge_as(asked, "Ann", TOPIC, pair, BOTH_ARE_BAD).judgment.seq
    assert [each.winner for each in battles(asked, ANSWERS.name)] == [BOTH_BAD]
    judge_as(asked, "Ann", TOPIC, pair, None, kind="cleared")
    assert battles(asked, ANSWERS.name) == []
    assert [each.winner for each in battles(asked.at(second), ANSWERS.name)] == [BOTH_BAD]
    assert [each.winner for each in battles(asked.at(first), ANSWERS.name)] == [RIGHT]


def test_pairs_of_withdrawn_runs_are_out_until_they_are_restored(asked: Campaign) -> None:
    judge_as(asked, "Ann", TOPIC, pair_of(asked, "Deep.", "Cold."), LEFT_IS_BETTER)
    withdraw_runs(asked.by("Olga"), ["two", "four"])
    assert len(pools.pooled_of_topic(asked, TOPIC)) == 1
    assert battles(asked, ANSWERS.name) == []
    assert wrong(asked) == []
    restore_runs(asked.by("Olga"), ["two", "four"])
    assert len(pools.pooled_of_topic(asked, TOPIC)) == 3
    assert len(battles(asked, ANSWERS.name)) == 1


def test_answers_that_come_later_are_compared_with_all_others(asked: Campaign, tmp_path: Path) -> None:
    add_answers(asked, answer("1", ("Wide.", [0]), run="five"))
    assert choose_for(asked.path)
    assert not choose_for(asked.path)
    assert len(pools.pooled_of_topic(asked, TOPIC)) == 6
    assert wrong(asked) == []


def test_assessors_agree_on_things_whatever_sides_they_saw(asked: Campaign) -> None:
    for pair in pools.pooled_of_topic(asked, TOPIC):
        for number in range(4):
            better = (
                LEFT_IS_BETTER if show(asked, TOPIC, pair, f"a{number}").left == FIRST else RIGHT_IS_BETTER
            )
            judge_as(asked, f"a{number}", TOPIC, pair, better)
    scope = agreement(asked.asking(ANSWERS.name)).scopes[0]
    assert [each.value for each in scope.graded if each.name == "raw agreement"] == [1.0]


def test_a_bundle_brings_the_same_battles(asked: Campaign, tmp_path: Path) -> None:
    for pair, grade in zip(pools.pooled_of_topic(asked, TOPIC), (1, 2, 3), strict=True):
        judge_as(asked, "Ann", TOPIC, pair, grade, comment="better")
    whole = BundleOptions(runs=True, comments=True, names="names")
    save_bundle(asked, tmp_path / "small.zip", options=whole)
    assert import_bundle(tmp_path / "small.zip", tmp_path / "again.db", actor="Olga").same_scores
    with open_campaign(tmp_path / "again.db") as again:
        found, before = battles(again, ANSWERS.name), battles(asked, ANSWERS.name)
        assert found == before
        assert TIE in {each.winner for each in found}
        assert wrong(again) == []


def test_a_bundle_without_runs_has_battles_once_its_runs_are_added(asked: Campaign, tmp_path: Path) -> None:
    pair = pair_of(asked, "Deep.", "Cold.")
    judge_as(asked, "Ann", TOPIC, pair, LEFT_IS_BETTER)
    save_bundle(asked, tmp_path / "small.zip", options=BundleOptions(names="names"))
    import_bundle(tmp_path / "small.zip", tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert battles(again, ANSWERS.name) == wrong(again) == []
        assert documents.find(again, pair) is None
        for run, text in (("one", "Deep."), ("two", "Cold.")):
            add_answers(again, answer("1", (text, [0]), run=run))
        assert battles(again, ANSWERS.name) == battles(asked, ANSWERS.name)
        assert documents.find(again, pair) is not None
        assert wrong(again) == []


def test_runs_with_the_same_first_results_are_one_list(small: Campaign) -> None:
    declare(small.by("Olga"), LISTS._replace(depth=2))
    add_pool(small.asking(LISTS.name).by("Olga"), strategy="all-pairs")
    for topic_id in units.topics(small.asking(LISTS.name)):
        things = pairs.things_of_runs(small, topic_id)
        assert all(len(each.documents) <= 2 for each in things.values())
        assert len(pools.pooled_of_topic(small, topic_id)) == len(things) * (len(things) - 1) // 2
    assert wrong(small) == []
    with refused(SettingRefused, "2"):
        declare(small.by("Olga"), LISTS)


def test_pooled_documents_with_different_texts_are_compared(small: Campaign) -> None:
    judge_as(small, "Ann", "1", "d1", 1)
    declare(small.by("Olga"), DOCUMENTS)
    asking = small.asking(DOCUMENTS.name)
    add_pool(asking.by("Olga"), strategy="all-pairs")
    topic_id = f"1!{DOCUMENTS.name}"
    pooled = [each for each in pools.pooled_of_topic(small, "1") if documents.find(small, each)]
    found = pools.pooled_of_topic(small, topic_id)
    assert len(found) == len(pooled) * (len(pooled) - 1) // 2
    for pair in found:
        judge_as(small, "Ann", topic_id, pair, LEFT_IS_BETTER)
    said = answered(small.asking(DOCUMENTS.name), topic_id)
    assert {each.assessor for each in said} == {"Ann"}
    assert all(each.first < each.second and each.preference in (FIRST, SECOND) for each in said)
    with refused(CampaignError, "about"):
        battles(small, DOCUMENTS.name)
    assert wrong(small) == []


def test_a_changed_text_of_a_document_makes_another_text_of_its_pairs(small: Campaign) -> None:
    declare(small.by("Olga"), DOCUMENTS)
    add_pool(small.asking(DOCUMENTS.name).by("Olga"), strategy="all-pairs")
    topic_id = f"1!{DOCUMENTS.name}"
    first = pairs.chosen(small, topic_id)[0]
    sent = submission(small, "Ann", topic_id, first.unit_id, LEFT_IS_BETTER)
    add_texts(small, {first.first: "Another text."}, changed=True)
    with refused(JudgmentRefused, "text"):
        judge(small, sent, assessor="Ann")


def test_too_many_pairs_are_refused_and_nothing_is_pooled(asked: Campaign) -> None:
    asking = asked.asking(ANSWERS.name)
    with refused(CampaignError, "most"):
        add_pool(asking.by("Olga"), strategy="all-pairs", most=2)
    assert len(pools.in_force(asking)) == 1


def test_a_question_about_pairs_has_the_four_labels(small: Campaign) -> None:
    with refused(SettingRefused, "labels"):
        declare(small.by("Olga"), ANSWERS._replace(grades=(Grade(0, "No"), Grade(1, "Yes"))))


def test_every_choice_of_pairs_is_an_event_with_what_it_compares(asked: Campaign) -> None:
    (choice,) = choices.all_choices(asked)
    assert [pairs.pair_id(ANSWER_PAIRS, *each[:2]) for each in choice.compared] == [
        each[0] for each in choice.pairs
    ]


def test_a_criterion_is_asked_about_the_same_pairs_with_the_same_sides(asked: Campaign) -> None:
    declare(asked.by("Olga"), ANSWERS._replace(name="safer", title="Which is safer?"))
    add_pool(asked.asking("safer").by("Olga"), strategy="follow", question=ANSWERS.name)
    assert pools.pooled_of_topic(asked, "1!safer") == pools.pooled_of_topic(asked, TOPIC)
    pair = pair_of(asked, "Deep.", "Cold.")
    for number in range(8):
        ann = f"a{number}"
        assert show(asked, "1!safer", pair, ann).left == show(asked, TOPIC, pair, ann).left
    judge_as(asked, "Ann", TOPIC, pair, LEFT_IS_BETTER)
    judge_as(asked, "Ben", TOPIC, pair, LEFT_IS_BETTER)
    judge_as(asked, "Ann", "1!safer", pair, RIGHT_IS_BETTER)
    said = {each.assessor: dict(each.criteria) for each in battles(asked, ANSWERS.name)}
    assert said == {"Ann": {"safer": RIGHT}, "Ben": {}}
    add_answers(asked, answer("1", ("Wide.", [0]), run="five"))
    while choose_for(asked.path):
        pass
    assert len(pools.pooled_of_topic(asked, "1!safer")) == 6
    assert wrong(asked) == []


@pytest.mark.parametrize(
    ("strategy", "given", "number"),
    [
        ("sort", {}, (9, 17)),
        ("uncertain", {"batch": 4, "most": 14}, (14, 14)),
        ("random-pairs", {"count": 12, "seed": 4}, (12, 12)),
    ],
)
def test_strategies_choose_pairs_while_they_are_judged(
    small: Campaign, strategy: str, given: dict[str, int], number: tuple[int, int]
) -> None:
    for each in range(7):
        add_answers(small, answer("1", ("Deep. " * (each + 1), [0]), run=f"run{each}"))
    declare(small.by("Olga"), ANSWERS)
    asking = small.asking(ANSWERS.name)
    add_pool(asking.by("Olga"), strategy=strategy, **given)
    done = set[str]()
    while waiting := [each for each in pools.pooled_of_topic(small, TOPIC) if each not in done]:
        pair = pairs.by_id(small, TOPIC)[waiting[0]]
        assert pair is not None
        texts = [pairs.things_of_runs(small, TOPIC)[side].text for side in (pair.first, pair.second)]
        wanted = FIRST if len(texts[0]) > len(texts[1]) else SECOND
        on_left = show(small, TOPIC, pair.unit_id, "Ann").left
        judge_as(small, "Ann", TOPIC, pair.unit_id, LEFT_IS_BETTER if wanted == on_left else RIGHT_IS_BETTER)
        done.add(pair.unit_id)
        while choose_for(small.path):
            pass
    assert number[0] <= len(done) <= number[1]
    assert wrong(small) == []


def test_nothing_follows_a_question_that_compares_something_else(asked: Campaign) -> None:
    declare(asked.by("Olga"), LISTS)
    with refused(CampaignError, ANSWERS.name, LISTS.name):
        add_pool(asked.asking(LISTS.name).by("Olga"), strategy="follow", question=ANSWERS.name)
