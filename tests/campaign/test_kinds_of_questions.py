"""A question may be answered by one label, by several labels, which count as a grade, or by a number."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.found_wrong import wrong
from tests.judged_pairs import judge_as
from tests.sentences import refused, says
from workbench.analysis.between_assessors.coefficients import agreement
from workbench.campaign.assessing import queue, topic_progress
from workbench.campaign.campaign_settings import SettingRefused
from workbench.campaign.pools.new_units import news_of
from workbench.campaign.questions import completed, declare, question_counts
from workbench.core.errors import JudgmentRefused
from workbench.core.records import LABEL, LABELS, WEIGHT, Grade, Question
from workbench.formats.answers.banks import Bank, Nugget
from workbench.formats.scale import parse_weights
from workbench.release.bundle.importing import import_bundle
from workbench.release.bundle.writing import save_bundle
from workbench.release.export import judgment_lines
from workbench.scoring.board import Board, score_campaign
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import nuggets
from workbench.storage.campaign.grades import adjudications, labels
from workbench.storage.campaign.log import log

RAG_2026 = ((0, 0), (1, 2), (2, 3), (4, 4))
CAUSES = tuple(Grade(number, name) for number, name in enumerate(("Cause", "Cost", "Cure", "Care"), start=1))
KIND = Question(
    "kind", "Of what kind?", (Grade(0, "Advert"), Grade(1, "News"), Grade(2, "Study")), answered=LABEL
)
PARTS = Question("parts", "Which parts?", (), answered=LABELS, counts=RAG_2026)
TOPICS = PARTS._replace(name="topics", labels=CAUSES)
WORTH = Question("worth", "How much?", tuple(parse_weights("0..10")), relevant_from=5, answered=WEIGHT)
AVOID = WORTH._replace(name="avoid", grades=tuple(parse_weights("-10..0")), relevant_from=1)


@pytest.fixture
def asked(small: Campaign) -> Campaign:
    """The campaign `small` with a question of each kind; topic 1 has a bank of two nuggets."""
    for question in (KIND, PARTS, TOPICS, WORTH, AVOID):
        declare(small.by("Olga"), question)
    bank(small, "Deep.", "Cold.")
    return small


def bank(campaign: Campaign, *texts: str) -> None:
    with campaign.write():
        nuggets.put(
            campaign.by("Olga"), Bank("1", tuple(Nugget(text, f"n{text}") for text in texts), "argue")
        )


def qrels(campaign: Campaign, question: str) -> list[tuple[str, int]]:
    return [(label.document_id, label.grade) for label in labels.qrels(campaign.asking(question))]


@pytest.mark.parametrize(
    ("chosen", "grade"), [(0b0, 0), (0b1, 2), (0b1000, 2), (0b11, 3), (0b1101, 3), (0b1111, 4)]
)
def test_so_many_parts_count_as_the_grades_of_rag_2026(asked: Campaign, chosen: int, grade: int) -> None:
    """None of the parts is 0, one is 2, two or three are 3, four and more are 4."""
    judge_as(asked, "Ann", "1!topics", "d1", grade, chosen=chosen)
    assert qrels(asked, "topics") == [("d1", grade)]
    for other in {0, 2, 3, 4} - {grade}:
        with refused(JudgmentRefused, grade):
            judge_as(asked, "Ann", "1!topics", "d2", other, chosen=chosen)
    assert wrong(asked) == []


def test_where_only_what_is_related_is_asked_about_none_is_related(small: Campaign) -> None:
    declare(small.by("Olga"), TOPICS._replace(counts=((0, 1), *RAG_2026[1:]), asked_from=1, relevant_from=2))
    judge_as(small, "Ann", "1", "d1", 1)
    judge_as(small, "Ann", "1!topics", "d1", 1, chosen=0)
    assert qrels(small, "topics") == [("d1", 1)]


@pytest.mark.parametrize(
    ("topic_id", "grade", "chosen"),
    [
        ("1!topics", 2, None),
        ("1!topics", 2, 0b10000),
        ("1!parts", 2, 0b100),
        ("1", 1, 0b1),
        ("1!worth", 2, 0b1),
        ("1!worth", 11, None),
        ("1!avoid", 1, None),
        ("1!topics", None, 0b1),
    ],
)
def test_an_answer_that_is_none_of_its_question_is_refused(
    asked: Campaign, topic_id: str, grade: int | None, chosen: int | None
) -> None:
    with refused(JudgmentRefused):
        judge_as(asked, "Ann", topic_id, "d1", grade, chosen=chosen)


def test_a_number_counts_as_itself(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!worth", "d1", 7)
    judge_as(asked, "Ann", "1!worth", "d2", 4)
    judge_as(asked, "Ann", "1!avoid", "d1", -3)
    assert qrels(asked, "worth") == [("d1", 7), ("d2", 4)]
    assert qrels(asked, "avoid") == [("d1", -3)]
    rows = score_campaign(asked.asking("worth"), ["num_rel"]).rows
    assert {row.values for row in rows} == {(1,)}


def test_without_counts_labels_count_as_their_number_and_grades_are_called_by_it(small: Campaign) -> None:
    found = completed(TOPICS._replace(counts=()))
    assert found.counts == ((0, 0), (1, 1), (2, 2), (3, 3), (4, 4))
    assert [grade[:2] for grade in completed(PARTS).grades] == [
        (0, "0 labels"),
        (2, "1 label"),
        (3, "2 to 3 labels"),
        (4, "4 or more labels"),
    ]


def test_assessors_who_chose_other_labels_of_the_same_number_do_not_disagree(asked: Campaign) -> None:
    for name, chosen in (("Ann", 0b11), ("Ben", 0b111)):
        judge_as(asked, name, "1!topics", "d1", 3, chosen=chosen)
    judge_as(asked, "Ann", "1!topics", "d2", 0, chosen=0)
    judge_as(asked, "Ben", "1!topics", "d2", 2, chosen=0b100)
    (dispute,) = adjudications.disputes(asked.asking("topics"))
    assert (dispute.document_id, dispute.grades) == ("d2", (0, 2))


def test_agreement_on_labels_without_order_knows_equal_and_other_alone(asked: Campaign) -> None:
    for name, grades in (("Ann", (0, 1, 2)), ("Ben", (0, 2, 2))):
        for pair, grade in zip((("1!kind", "d1"), ("1!kind", "d2"), ("2!kind", "d1")), grades, strict=True):
            judge_as(asked, name, *pair, grade)
    (scope,) = agreement(asked.asking("kind"), resamples=0).scopes
    values = {each.name: each.value for each in scope.graded}
    assert values["raw agreement"] == pytest.approx(2 / 3)
    assert values["Krippendorff's alpha, nominal"] == pytest.approx(6 / 11)
    assert {name for name, value in values.items() if value is None} == {
        *("Cohen's kappa, linear", "Cohen's kappa, quadratic", "Gwet's AC2, linear", "Gwet's AC2, quadratic"),
        *("Krippendorff's alpha, ordinal", "Krippendorff's alpha, interval"),
    }
    assert says(next(each.note for each in scope.graded if each.value is None))


def test_a_board_counts_good_labels_alike(asked: Campaign) -> None:
    """Of topic 1 d1 is label 2 and d2 label 1: by their numbers as gains nDCG would be another."""
    board, seen = Board(), asked.asking("kind")
    board.table(seen, ["nDCG@1"])
    judge_as(asked, "Ann", "1!kind", "d1", 2)
    judge_as(asked, "Ann", "1!kind", "d2", 1)
    table = score_campaign(seen, ["nDCG", "nDCG(gains={1:1,2:1})"])
    assert [row.values[0] for row in table.rows] == [row.values[1] for row in table.rows]
    for name in ("nDCG", "AP", "DCG(bound=upper)", "P@1"):
        assert board.table(seen, [name]).rows == score_campaign(seen, [name]).rows


def state(campaign: Campaign) -> list[tuple[str, str, int | None]]:
    return sorted((one.document_id, one.state, one.chosen) for one in queue(campaign, "1!parts", "Ann"))


def test_what_was_judged_before_a_nugget_came_is_open_again_and_holds_until_then(asked: Campaign) -> None:
    seen = asked.asking("parts")
    judge_as(asked, "Ann", "1!parts", "d1", 2, chosen=0b10)
    judge_as(asked, "Ann", "1!parts", "d2", 0, chosen=0)
    before = topic_progress(seen, "Ann")[0]
    bank(asked, "Wide.", "Cold.")  # Cold. stays number 2, Wide. is number 3
    assert state(asked)[:2] == [("d1", "open", 0b10), ("d2", "open", 0)]
    now = topic_progress(seen, "Ann")[0]
    assert (now.judged, now.mine) == (before.judged - 2, before.mine - 2)
    assert qrels(asked, "parts") == [("d1", 2), ("d2", 0)]
    assert says(news_of(seen).sentences[0], 2)
    judge_as(asked, "Ann", "1!parts", "d1", 3, chosen=0b110)
    assert state(asked)[:2] == [("d1", "mine", 0b110), ("d2", "open", 0)]
    assert news_of(seen).older == 1
    judge_as(asked, "Ann", "1!parts", "d2", None)  # can't tell, which is no grade from before
    assert news_of(seen).older == 0
    bank(asked, "Cold.")  # nothing came
    assert state(asked)[0] == ("d1", "mine", 0b110)
    assert wrong(asked) == []


def test_a_page_from_before_a_nugget_came_sends_an_answer_that_is_asked_again(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!parts", "d1", 2, chosen=0b1)
    shown = log.newest_seq(asked) - 1
    bank(asked, "Deep.", "Cold.", "Wide.")
    judge_as(asked, "Ann", "1!parts", "d2", 2, chosen=0b1, topic_version=shown)
    assert [item[1] for item in state(asked)[:2]] == ["open", "open"]
    with refused(JudgmentRefused):
        judge_as(asked, "Ann", "1!parts", "d2", 2, chosen=0b1, topic_version=shown - 1)


def test_proposed_nuggets_are_no_labels_and_a_topic_numbers_thirty(asked: Campaign) -> None:
    bank(asked, *(f"Nugget {number}" for number in range(40)))
    assert news_of(asked.asking("parts")).beyond == 12
    with refused(JudgmentRefused):
        judge_as(asked, "Ann", "1!parts", "d1", 2, chosen=1 << 30)
    judge_as(asked, "Ann", "1!parts", "d1", 2, chosen=1 << 29)


def test_an_export_names_the_labels_and_has_the_grade(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!parts", "d1", 3, chosen=0b11)
    judge_as(asked, "Ann", "1!worth", "d1", 7)
    rows = [json.loads(line) for line in judgment_lines(asked)]
    assert [(row["grade"], row["chosen"], row["chosen_names"]) for row in rows] == [
        (3, 0b11, ["Deep.", "Cold."]),
        (7, None, None),
    ]


def test_answers_of_all_kinds_come_out_of_a_bundle(asked: Campaign, tmp_path: Path) -> None:
    judge_as(asked, "Ann", "1!kind", "d1", 2)
    judge_as(asked, "Ann", "1!parts", "d1", 3, chosen=0b11)
    bank(asked, "Deep.", "Cold.", "Wide.")
    judge_as(asked, "Ann", "1!parts", "d2", 2, chosen=0b100)
    judge_as(asked, "Ann", "1!avoid", "d1", -10)
    path = save_bundle(asked, tmp_path / "small.zip").path
    import_bundle(path, tmp_path / "again.db", actor="Olga")
    with open_campaign(tmp_path / "again.db") as again:
        assert wrong(again) == []
        assert question_counts(again) == question_counts(asked)
        assert [qrels(again, name) for name in ("kind", "parts", "avoid")] == [
            [("d1", 2)],
            [("d1", 3), ("d2", 2)],
            [("d1", -10)],
        ]
        assert news_of(again.asking("parts")).older == news_of(asked.asking("parts")).older == 1


def test_the_audit_finds_labels_that_count_as_another_grade(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!parts", "d1", 3, chosen=0b11)
    row = next(iter(log.select_judgments(asked, "ORDER BY seq", [])))
    with asked.write():
        log.append_judgments(
            asked, [row._replace(uuid="0" * 8, chosen=0b1), row._replace(uuid="1" * 8, chosen=0b100)]
        )
        log.append_judgments(asked, [row._replace(uuid="2" * 8, topic_id="1", chosen=0b1)])
    ((_, found),) = [each for each in wrong(asked) if "labels" in each[0]]
    assert len(found) == 3


@pytest.mark.parametrize(
    "fields",
    [
        {"answered": "words"},
        {"labels": CAUSES},
        {"answered": WEIGHT, "grades": (Grade(0, "0"), Grade(2, "2"))},
        {"answered": WEIGHT, "grades": ()},
        {"answered": LABELS, "labels": (Grade(2, "One"), Grade(3, "Two"))},
        {"answered": LABELS, "labels": (Grade(1, "One"), Grade(2, "One"))},
        {"answered": LABELS, "labels": tuple(Grade(n, str(n)) for n in range(1, 32))},
        {"answered": LABELS, "labels": CAUSES, "counts": ((1, 1),)},
        {"answered": LABELS, "labels": CAUSES, "counts": ((0, 0), (2, 7))},
    ],
)
def test_a_kind_that_makes_no_sense_is_refused(small: Campaign, fields: dict[str, Any]) -> None:
    with refused(SettingRefused):
        declare(small.by("Olga"), KIND._replace(answered="scale")._replace(**fields))


def test_how_a_question_is_answered_stays_once_it_was(asked: Campaign) -> None:
    judge_as(asked, "Ann", "1!topics", "d1", 3, chosen=0b11)
    renamed = TOPICS._replace(labels=(CAUSES[0]._replace(name="Why"), *CAUSES[1:]))
    declare(asked.by("Olga"), renamed)
    for other in (renamed._replace(labels=CAUSES[:3]), TOPICS._replace(counts=((0, 0), (1, 3)))):
        with refused(SettingRefused, "1 answer"):
            declare(asked.by("Olga"), other)
