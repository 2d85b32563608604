"""A scale that turned out wrong: what was given is remapped in the log or asked again, and nothing is lost."""

from __future__ import annotations

import dataclasses
import json
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import NOW, judge_as, submission
from tests.sentences import refused, says
from workbench.analysis.adjudication.conflicts import conflicts
from workbench.analysis.adjudication.deciding import Decision, adjudicate, take_back
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.analysis.pairs.overruling import overrule
from workbench.campaign.assessing import judge, queue
from workbench.campaign.assessing.repeats import set_repeats
from workbench.campaign.assigning import close
from workbench.campaign.campaign_settings import SettingRefused
from workbench.campaign.changing_scale import Effect, NewScale, change_scale, given_grades, sentences_on
from workbench.campaign.changing_settings import SettingsConflict, change_settings
from workbench.campaign.label_rules import choose_rule
from workbench.campaign.training import change_pairs
from workbench.core.errors import JudgmentRefused
from workbench.core.records import REMAPPED, Grade, Judgment
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import save_bundle
from workbench.release.campaign_summary import summarise_campaign
from workbench.scoring.board import score_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import training
from workbench.storage.campaign.assigning.training import TrainingPair
from workbench.storage.campaign.counts.assessor_activity import grading_events
from workbench.storage.campaign.grades import adjudications, judgments, labels, off_record
from workbench.storage.campaign.grades.label_rules import LABEL_RULES
from workbench.storage.campaign.grades.scales import as_given, worded
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings

OLD = [[-2, "Junk", ""], [0, "No", ""], [1, "Key", ""], [2, "Yes", ""]]
NEW = (Grade(-2, "Junk"), Grade(0, "No"), Grade(1, "Partly"), Grade(2, "Highly"), Grade(3, "Perfect"))


@pytest.fixture
def wrong_scale(small: Campaign) -> Campaign:
    """The campaign `small` with the scale OLD, of which 1 is the better one, and judgments by Ann and Ben."""
    change_settings(small.by("Olga", NOW), {"grades": OLD})
    for who, topic_id, document_id, grade in (
        ("Ann", "1", "d1", 1),
        ("Ben", "1", "d1", 2),
        ("Ann", "1", "d2", 0),
        ("Ann", "1", "d4", 2),
        ("Ben", "2", "d2", 1),
        ("Ann", "2", "d5", -2),
    ):
        judge_as(small, who, topic_id, document_id, grade)
    return small


def swapped(**changes: Any) -> NewScale:
    """The scale NEW, where 1 becomes 3, and 2 becomes 1."""
    return NewScale(NEW, 1, {1: 3, 2: 1})._replace(**changes)


def replace(campaign: Campaign, new: NewScale, **more: Any) -> Effect:
    """Replace the scale as Olga."""
    return change_scale(campaign.by("Olga", NOW), new, **more)


def qrels_by_plain_python(campaign: Campaign) -> dict[tuple[str, str], int]:
    """The labels by the rule newest: the newest row with a grade of the pair among each person's newest ones."""
    newest: dict[tuple[str, str, str], Judgment] = {}
    for row in judgments.log(campaign):
        if row.kind in ("grade", "can't tell", "cleared", "import", "adjudication"):
            who = "" if row.kind == "adjudication" else row.assessor
            newest[row.topic_id, row.document_id, who] = row
    found: dict[tuple[str, str], int] = {}
    for row in sorted(newest.values(), key=lambda row: row.seq):
        if row.grade is not None:
            found[row.topic_id, row.document_id] = row.grade
    return found


def labels_of(campaign: Campaign) -> dict[tuple[str, str], int]:
    """The label of each pair."""
    return {label.pair: label.grade for label in labels.qrels(campaign)}


def test_every_judgment_in_force_gets_its_new_grade_and_keeps_the_name_it_was_given_by(
    wrong_scale: Campaign,
) -> None:
    before = labels_of(wrong_scale)
    head = log.head(wrong_scale)
    effect = replace(wrong_scale, swapped())
    after = {-2: -2, 0: 0, 1: 3, 2: 1}
    assert labels_of(wrong_scale) == {pair: after[grade] for pair, grade in before.items()}
    assert labels_of(wrong_scale) == qrels_by_plain_python(wrong_scale)
    assert labels_of(wrong_scale.at(head.seq)) == before
    assert log.head(wrong_scale.at(head.seq)) == head
    assert (effect.remapped, effect.changed, effect.asked) == (4, 3, {})
    now = judgments.current(wrong_scale, "1", "d1", "Ann")
    assert now is not None
    assert (now.grade, now.source, now.active_seconds) == (3, REMAPPED, None)
    given = as_given(wrong_scale, [now.seq])[now.seq]
    assert (given.grade, given.name, given.now) == (1, "Key", 3)
    assert wrong(wrong_scale) == []


def test_what_is_counted_beforehand_is_what_becomes_of_it(wrong_scale: Campaign) -> None:
    told = replace(wrong_scale, swapped(), dry_run=True)
    head = log.head(wrong_scale)
    before = labels_of(wrong_scale)
    assert told.row == 0
    assert dataclasses.replace(replace(wrong_scale, swapped()), row=0) == told
    after = labels_of(wrong_scale)
    lines = [{pair: grade for pair, grade in each.items() if grade >= 0} for each in (before, after)]
    assert told.lines == (len(lines[0]), len(lines[1]))
    assert told.changed == len(set(lines[0].items()) ^ set(lines[1].items())) // 2
    assert told.relevant == tuple(sum(grade >= 1 for grade in each.values()) for each in lines)
    assert log.head(wrong_scale.at(head.seq)) == head
    assert says("\n".join(sentences_on(told)))


def test_a_large_change_says_for_how_many_seconds_judgments_wait() -> None:
    small, large = (" ".join(sentences_on(Effect(written=rows))) for rows in (20_000, 400_000))
    assert says(large, 40)
    assert len(sentences_on(Effect(written=20_000))) == len(sentences_on(Effect(written=400_000))) - 1
    assert small in large


def test_who_gave_which_grade_is_counted_before_anything_changes(wrong_scale: Campaign) -> None:
    given = {each.name: each for each in given_grades(wrong_scale)}
    assert {name: each.by for name, each in given.items()} == {
        "Junk": "Ann 1",
        "No": "Ann 1",
        "Key": "Ann 1, Ben 1",
        "Yes": "Ann 1, Ben 1",
    }
    assert [each.total for each in given.values()] == [1, 1, 2, 2]


@pytest.mark.parametrize("rule", [name for name in LABEL_RULES if name not in ("newest", "Dawid-Skene")])
def test_by_each_rule_the_same_judgment_counts_as_before(wrong_scale: Campaign, rule: str) -> None:
    judge_as(wrong_scale, "Cleo", "1", "d1", 2)
    judge_as(wrong_scale, "Ben", "1", "d2", 2)
    choose_rule(wrong_scale.by("Olga", NOW), rule)
    told = replace(wrong_scale, swapped(), dry_run=True)
    before = labels_of(wrong_scale)
    replace(wrong_scale, swapped())
    after = labels_of(wrong_scale)
    assert sum(before[pair] != after[pair] for pair in before) == told.changed
    if rule not in ("strictest", "most lenient", "median", "majority", "Dawid-Skene"):
        assert after == {pair: {-2: -2, 0: 0, 1: 3, 2: 1}[grade] for pair, grade in before.items()}
    assert wrong(wrong_scale) == []


def test_pairs_of_a_grade_that_is_asked_again_come_back_to_their_assessors(wrong_scale: Campaign) -> None:
    effect = replace(wrong_scale, NewScale(NEW, 1, {2: 2}, frozenset({1})))
    assert effect.asked == {"Ann": 1, "Ben": 1}
    assert {item.document_id: item.state for item in queue(wrong_scale, "1", "Ann")}["d1"] == "open"
    assert labels_of(wrong_scale)["1", "d1"] == 2  # Ben's stands
    assert ("2", "d2") not in labels_of(wrong_scale)
    judge_as(wrong_scale, "Ben", "2", "d2", 3)
    assert labels_of(wrong_scale)["2", "d2"] == 3
    assert labels_of(wrong_scale) == qrels_by_plain_python(wrong_scale)
    assert wrong(wrong_scale) == []


@pytest.mark.parametrize(
    "changes",
    [
        {"mapped": {1: 3}},  # 2 is lost
        {"mapped": {1: 3, 2: 1, 7: 1}},  # there was no 7
        {"mapped": {1: 3, 2: 5}},  # there is no 5
        {"mapped": {1: 3, 2: 1, -2: 1}},  # special ones would become relevant
        {"mapped": {1: 3}, "asked_again": frozenset({9})},
        {"relevant_from": 4},
        {"grades": [Grade(0, "No"), Grade(0, "Yes")]},
    ],
)
def test_a_map_that_makes_no_sense_is_refused_and_nothing_is_done(
    wrong_scale: Campaign, changes: Mapping[str, Any]
) -> None:
    head = log.head(wrong_scale)
    with refused(SettingRefused):
        replace(wrong_scale, swapped(**changes))
    assert log.head(wrong_scale) == head
    assert settings.read(wrong_scale).grades[2] == Grade(1, "Key")


def test_special_grades_become_relevant_only_where_it_is_said(wrong_scale: Campaign) -> None:
    effect = replace(wrong_scale, swapped(mapped={1: 3, 2: 1, -2: 1}, special=True))
    assert labels_of(wrong_scale)["2", "d5"] == 1
    assert effect.lines == (4, 5)


def test_labels_that_no_assessor_can_be_asked_for_are_mapped_or_the_change_is_refused(
    wrong_scale: Campaign,
) -> None:
    close(wrong_scale.by("Olga", NOW), ["2"])
    again = NewScale(NEW, 1, {2: 2}, frozenset({1}))
    with refused(SettingRefused, "closed topics"):
        replace(wrong_scale, again)
    effect = replace(wrong_scale, again._replace(mapped={1: 3, 2: 2}))
    assert (effect.asked, effect.unasked) == ({"Ann": 1}, 1)
    assert labels_of(wrong_scale)["2", "d2"] == 3


def test_two_organisers_who_replace_the_scale_at_once_conflict(wrong_scale: Campaign) -> None:
    base = log.newest_seq(wrong_scale)
    replace(wrong_scale, swapped(), base=base)
    head = log.head(wrong_scale)
    with refused(SettingsConflict, "Olga"):
        change_scale(wrong_scale.by("Otto", NOW), NewScale(NEW[:3], 1, {2: 1}), base=base)
    assert log.head(wrong_scale) == head


def test_a_page_of_the_old_scale_stores_nothing_under_another_meaning(wrong_scale: Campaign) -> None:
    sent = {grade: submission(wrong_scale, "Cleo", "1", "d2", grade) for grade in (0, 1)}
    replace(wrong_scale, swapped())
    head = log.head(wrong_scale)
    with refused(JudgmentRefused, "“Key”") as error:
        judge(wrong_scale, sent[1], assessor="Cleo", now=NOW)
    assert error.value.reason == "text changed"
    assert log.head(wrong_scale) == head
    assert not judge(wrong_scale, sent[0], assessor="Cleo", now=NOW).repeated  # No is what it was


def test_a_grade_that_left_the_scale_before_another_took_its_number_is_refused(small: Campaign) -> None:
    change_settings(small.by("Olga", NOW), {"grades": OLD})
    sent = submission(small, "Cleo", "1", "d2", 2)
    judge_as(small, "Ann", "1", "d1", 1)
    replace(small, NewScale((Grade(0, "No"), Grade(1, "Key"), Grade(2, "Other")), 1, {}))
    with refused(JudgmentRefused, "“Yes”"):
        judge(small, sent, assessor="Cleo", now=NOW)


def test_a_grade_that_is_sent_twice_is_stored_once_also_where_the_scale_changed_between(
    wrong_scale: Campaign,
) -> None:
    sent = submission(wrong_scale, "Cleo", "1", "d2", 1)
    judge(wrong_scale, sent, assessor="Cleo", now=NOW)
    replace(wrong_scale, swapped())
    head = log.head(wrong_scale)
    assert judge(wrong_scale, sent, assessor="Cleo", now=NOW).repeated
    assert log.head(wrong_scale) == head


def test_what_an_assessor_wrote_stays_with_the_judgment_that_is_in_force(small: Campaign) -> None:
    change_settings(small.by("Olga", NOW), {"grades": OLD})
    judge_as(small, "Ann", "1", "d1", 1, comment="names the river", active_seconds=9.0)
    replace(small, swapped())
    now = judgments.current(small, "1", "d1", "Ann")
    assert now is not None
    assert (now.grade, now.comment) == (3, "names the river")


def test_agreement_stays_what_it_was(wrong_scale: Campaign) -> None:
    for document_id, (ann, ben) in {"d2": (0, 0), "d4": (2, 2)}.items():
        judge_as(wrong_scale, "Ann", "1", document_id, ann)
        judge_as(wrong_scale, "Ben", "1", document_id, ben)
    before = agreement(wrong_scale).scopes[0].graded
    replace(wrong_scale, swapped())
    after = agreement(wrong_scale).scopes[0].graded
    names = ("percent agreement", "Cohen's kappa", "Krippendorff's alpha (nominal)")
    for one, other in zip(before, after, strict=True):
        if one.name in names:
            assert one == other


def test_an_adjudication_follows_and_goes_on_settling_its_pair(wrong_scale: Campaign) -> None:
    settle(wrong_scale, "1", "d1", 2)
    replace(wrong_scale, swapped())
    settled = adjudications.of_pair(wrong_scale, "1", "d1")
    assert settled is not None
    assert (settled.grade, labels_of(wrong_scale)["1", "d1"]) == (1, 1)
    assert labels_of(wrong_scale) == qrels_by_plain_python(wrong_scale)


def test_an_adjudication_is_taken_back_where_its_grade_is_asked_again(wrong_scale: Campaign) -> None:
    settle(wrong_scale, "1", "d1", 1)
    effect = replace(wrong_scale, NewScale(NEW, 1, {2: 2}, frozenset({1})))
    assert effect.reopened == 1
    assert adjudications.of_pair(wrong_scale, "1", "d1") is None


def test_an_overruled_grade_that_no_one_would_be_asked_for_needs_a_new_one(wrong_scale: Campaign) -> None:
    overrule(wrong_scale.by("Olga", NOW), "1", "d4", 1, reason="names it")
    again = NewScale(NEW, 1, {2: 2}, frozenset({1}))
    with refused(SettingRefused, "overruled"):
        replace(wrong_scale, again)
    replace(wrong_scale, again._replace(mapped={1: 3, 2: 2}))
    assert labels_of(wrong_scale)["1", "d4"] == 3


def settle(campaign: Campaign, topic_id: str, document_id: str, grade: int) -> None:
    """Adjudicate a conflict as Olga."""
    own = adjudications.own_judgments(campaign, topic_id, document_id)
    sent = submission(campaign, "Olga", topic_id, document_id, grade)
    adjudicate(campaign.by("Olga", NOW), Decision(sent, max(row.seq for row in own)))


def test_a_hidden_repeat_follows_and_agrees_with_itself_as_before(wrong_scale: Campaign) -> None:
    set_repeats(wrong_scale.by("Olga", NOW), 1.0, 1, 0)
    judge_as(wrong_scale, "Ann", "1", "d1", 1, replaces=None)
    before = off_record.repeated_judgments(wrong_scale)
    assert [(each.first, each.again) for each in before] == [(1, 1)]
    replace(wrong_scale, swapped())
    assert [(each.first, each.again) for each in off_record.repeated_judgments(wrong_scale)] == [(3, 3)]
    items = {item.document_id: item for item in queue(wrong_scale, "1", "Ann")}
    assert (items["d1"].state, items["d1"].grade) == ("mine", 3)


def test_a_repeated_pair_that_is_asked_again_is_judged_as_at_first(wrong_scale: Campaign) -> None:
    set_repeats(wrong_scale.by("Olga", NOW), 1.0, 1, 0)
    judge_as(wrong_scale, "Ann", "1", "d1", 1, replaces=None)
    set_repeats(wrong_scale.by("Olga", NOW), 0.0, 1, 0)
    replace(wrong_scale, NewScale(NEW, 1, {2: 2}, frozenset({1})))
    assert {item.document_id: item.state for item in queue(wrong_scale, "1", "Ann")}["d1"] == "open"
    judge_as(wrong_scale, "Ann", "1", "d1", 3)
    now = judgments.current(wrong_scale, "1", "d1", "Ann")
    assert now is not None
    assert (now.kind, now.grade) == ("grade", 3)
    assert {item.document_id: item.state for item in queue(wrong_scale, "1", "Ann")}["d1"] == "mine"


def test_examples_and_practice_pairs_get_their_new_grade(wrong_scale: Campaign) -> None:
    pair = TrainingPair("1", "d1", "practice", 1, "names the river")
    change_pairs(wrong_scale.by("Olga", NOW), [pair], [])
    replace(wrong_scale, swapped())
    assert training.pairs(wrong_scale, "practice") == [pair._replace(grade=3)]


def test_scores_as_of_earlier_rows_stay_what_they_were(wrong_scale: Campaign) -> None:
    published = log.newest_seq(wrong_scale)
    before = score_campaign(wrong_scale, ["nDCG@5", "AP"]).rows
    replace(wrong_scale, swapped(relevant_from=2))
    assert score_campaign(wrong_scale, ["nDCG@5", "AP"]).rows != before
    assert score_campaign(wrong_scale.at(published), ["nDCG@5", "AP"]).rows == before


def test_a_scale_that_is_replaced_twice_keeps_the_first_names(wrong_scale: Campaign) -> None:
    replace(wrong_scale, swapped())
    last = (Grade(-2, "Junk"), Grade(0, "No"), Grade(1, "Good"))
    replace(wrong_scale, NewScale(last, 1, {1: 1, 2: 1, 3: 1}))
    now = judgments.current(wrong_scale, "1", "d1", "Ann")
    assert now is not None
    assert now.grade == 1
    assert as_given(wrong_scale, [now.seq])[now.seq].name == "Key"
    assert labels_of(wrong_scale) == qrels_by_plain_python(wrong_scale)
    assert wrong(wrong_scale) == []


def test_undo_after_a_new_scale_leads_to_the_last_judgment_and_clears_it_alone(wrong_scale: Campaign) -> None:
    replace(wrong_scale, swapped())
    last = judgments.last_given(wrong_scale, "Ann", 100)
    assert [(each.topic_id, each.document_id) for each in last[:2]] == [("2", "d5"), ("1", "d4")]
    judge_as(wrong_scale, "Ann", "1", "d4", None, kind="cleared")
    assert ("1", "d4") not in labels_of(wrong_scale)
    assert labels_of(wrong_scale) == qrels_by_plain_python(wrong_scale)
    rows = [row.grade for row in judgments.rows_of_pair(wrong_scale, "1", "d4")]
    assert rows == [2, 1, None]


def test_a_bundle_has_the_new_grades_and_what_they_replaced(wrong_scale: Campaign, tmp_path: Path) -> None:
    replace(wrong_scale, NewScale(NEW, 1, {2: 1}, frozenset({1})))
    saved = save_bundle(wrong_scale, tmp_path / "small.zip")
    import_bundle(saved.path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert labels_of(again) == labels_of(wrong_scale)
        sources = [row.source == REMAPPED for row in judgments.log(again)]
        assert sources == [row.source == REMAPPED for row in judgments.log(wrong_scale)]
        assert wrong(again) == []
        # Rows before the change have the names of then, in the new campaign too.
        here, there = (
            worded(each, [row.seq for row in judgments.log(each)]) for each in (again, wrong_scale)
        )
        assert list(here.values()) == list(there.values())
        names = [[grade.name for grade in each.settings.grades] for each in summarise_campaign(again).scales]
        assert names[1:] == [[each[1] for each in scale] for scale in (OLD, NEW)]
    with zipfile.ZipFile(saved.path) as archive:
        texts = {Path(name).name: archive.read(name).decode() for name in archive.namelist()}
    told = json.loads(texts["settings.json"])["scales"]
    assert [[each["name"] for each in scale["grades"]] for scale in told] == names
    assert [scale["seq"] for scale in told][-1] == settings.read(wrong_scale).scale_version
    assert (told[-1]["remapped"], told[-1]["asked_again"]) == ([[-2, -2], [0, 0], [2, 1]], [1])
    assert says(texts["DATASHEET.md"], told[-1]["seq"])


def test_conflicts_have_the_grades_by_the_names_they_were_given_by(wrong_scale: Campaign) -> None:
    replace(wrong_scale, swapped())
    judge_as(wrong_scale, "Cleo", "1", "d1", 0)
    (conflict,) = conflicts(wrong_scale).open
    assert conflict.grades == (0, 1, 3)
    assert conflict.given == "0 No; 2 Yes, now 1 Partly; 1 Key, now 3 Perfect"


def test_undo_follows_the_order_in_which_judgments_were_given(wrong_scale: Campaign) -> None:
    judge_as(wrong_scale, "Ann", "1", "d2", 0)
    before = [(row.seq, row.document_id) for row in judgments.last_given(wrong_scale, "Ann", 100)]
    assert before[0][1] == "d2"
    replace(wrong_scale, swapped())  # d2 is as it was; d1 and d4 have newer rows
    assert [(row.seq, row.document_id) for row in judgments.last_given(wrong_scale, "Ann", 100)] == before
    items = [item for item in queue(wrong_scale, "1", "Ann") if item.seq is not None]
    ordered = sorted(items, key=lambda item: item.given or item.seq or 0)
    assert [item.document_id for item in ordered] == ["d1", "d4", "d2"]


@pytest.mark.parametrize("grade", [None, 0, 1, 2])
def test_a_page_that_undoes_a_judgment_of_the_old_scale_changes_nothing(
    wrong_scale: Campaign, grade: int | None
) -> None:
    kind = "cleared" if grade is None else "grade"
    sent = submission(wrong_scale, "Ann", "1", "d4", grade, kind=kind)  # it was 2
    replace(wrong_scale, swapped())
    head = log.head(wrong_scale)
    with refused(JudgmentRefused):
        judge(wrong_scale, sent, assessor="Ann", now=NOW)
    assert log.head(wrong_scale) == head
    assert labels_of(wrong_scale)["1", "d4"] == 1


def test_the_last_adjudication_is_found_and_undone_after_a_new_scale(wrong_scale: Campaign) -> None:
    settle(wrong_scale, "1", "d1", 0)
    replace(wrong_scale, swapped())
    overrule(wrong_scale.by("Olga", NOW), "1", "d4", 3, reason="names it")
    replace(wrong_scale, NewScale((*NEW[:2], Grade(1, "Partly"), Grade(2, "Highly")), 1, {3: 2}))
    last = adjudications.newest_by(wrong_scale, "Olga")
    assert last is not None
    assert (last.document_id, last.grade) == ("d4", 2)
    take_back(wrong_scale.by("Olga", NOW), last.seq, str(uuid4()))
    assert adjudications.of_pair(wrong_scale, "1", "d4") is None
    assert labels_of(wrong_scale) == qrels_by_plain_python(wrong_scale)


def test_quick_judgments_and_drift_are_of_the_scale_in_force(wrong_scale: Campaign) -> None:
    replace(wrong_scale, swapped())
    made = grading_events(wrong_scale, "Ann")
    assert [(each.document_id, each.grade) for each in made] == [("d1", 3), ("d2", 0), ("d4", 1), ("d5", -2)]
    replace(wrong_scale, NewScale(NEW[:3], 1, {}, frozenset({3})))
    assert [each.grade for each in grading_events(wrong_scale, "Ann")] == [None, 0, 1, -2]
