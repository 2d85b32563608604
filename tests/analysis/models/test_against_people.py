"""A judge against people."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.analysis.models.conftest import LabelAs
from tests.sentences import refused
from workbench.analysis.models.against_people import OF_PEOPLE, QUALITY, WORSE, JudgeQuality
from workbench.campaign.new_campaign import new_campaign
from workbench.core.errors import UnknownName
from workbench.core.model_answers import Judge, ModelAnswer
from workbench.methods.statistics.over_topics import HELD, HELD_OF_SHARES
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import near_duplicates
from workbench.storage.campaign.models import answers, judges


def against_people(campaign: Campaign, judge: str | None = None) -> JudgeQuality:
    found: JudgeQuality = QUALITY.answer(campaign, {"judge": judge})
    return found


def values(found: JudgeQuality, part: str, scope: str) -> dict[str, float | None]:
    return {name: each.value for name, each in found.scopes(part)[scope].items()}


def test_umbrela_against_people_on_10284_pairs(rag25: Campaign) -> None:
    found = against_people(rag25)
    assert (found.judge, found.judges, found.labels, found.people, found.pairs, found.topics) == (
        *("UMBRELA", ("UMBRELA",), 10_284, 10_284, 10_284, 22),
    )
    assert values(found, "all pairs", "by grade") == pytest.approx(
        {
            "same grade": 0.4412,
            "Cohen's kappa": 0.2333,
            "Cohen's kappa, linear": 0.3729,
            "Cohen's kappa, quadratic": 0.4918,
            "Krippendorff's alpha, ordinal": 0.4926,
            "Gwet's AC1": 0.3177,
        },
        abs=0.00005,
    )
    grading = values(found, "all pairs", "grading")
    assert grading == pytest.approx(
        {
            "graded above": 3420 / 10284,
            "graded below": 2327 / 10284,
            "mean difference": (4740 - 3065) / 10284,
        },
        abs=5e-5,
    )
    whole = found.scopes("all pairs")["by grade"]
    assert all(each.low is not None and each.topics == 22 for each in whole.values())
    assert {each.holds for each in found.figures if each.low is not None} == {HELD, HELD_OF_SHARES}
    assert {each.holds for each in found.figures if each.low is None} == {""}
    assert (found.held("all pairs"), found.held("grade"), found.held("repeats")) == (HELD, HELD_OF_SHARES, "")
    assert found.table[4].tolist() == [1, 8, 18, 42, 19]
    assert values(found, "grade", "4") == pytest.approx({"found": 19 / 88, "confirmed": 19 / 308})
    assert len(found.scopes("topic")) == 22
    assert found.scopes("assessor")["NIST"]["same grade"].value == pytest.approx(0.4412, abs=0.00005)


def test_only_pairs_of_both_count_and_people_are_not_models(
    on_five_grades: Campaign, label_as: LabelAs
) -> None:
    label_as(on_five_grades, "Ann", {"1": {"a": 2, "b": 0, "c": 1}}, "human")
    label_as(on_five_grades, "gpt", {"1": {"a": 3, "b": 0, "x": 4}, "2": {"a": 1}})
    label_as(on_five_grades, "tiny", {"1": {"a": 0}})
    found = against_people(on_five_grades)  # with most labels
    assert (found.judge, found.judges) == ("gpt", ("gpt", "tiny"))
    assert (found.labels, found.people, found.pairs, found.topics) == (4, 3, 2, 1)
    assert values(found, "all pairs", "grading") == {
        "graded above": 0.5,
        "graded below": 0.0,
        "mean difference": 0.5,
    }
    assert against_people(on_five_grades, "tiny").pairs == 1
    assert [each["same grade"].note for each in found.scopes("topic").values()] == [""]


def test_a_judge_worse_than_chance_has_values_without_intervals(
    on_five_grades: Campaign, label_as: LabelAs
) -> None:
    people = {str(topic): {f"d{number}": (number + topic) % 5 for number in range(9)} for topic in range(8)}
    turned = {
        topic: {each: 4 - grade if each != f"d{topic}" else grade for each, grade in of.items()}
        for topic, of in people.items()
    }
    label_as(on_five_grades, "Ann", people, "human")
    label_as(on_five_grades, "turned", turned)
    label_as(on_five_grades, "good", people | {"1": dict.fromkeys(people["1"], 2)})
    good, bad = (
        against_people(on_five_grades, name).scopes("all pairs")["by grade"] for name in ("good", "turned")
    )
    kappa = bad["Cohen's kappa, quadratic"]
    assert kappa.value is not None
    assert (kappa.value < 0, kappa.low, kappa.note) == (True, None, WORSE)
    assert {each.low for each in bad.values()} == {None}
    assert good["Cohen's kappa, quadratic"].note != WORSE


def test_two_grades_are_shown_once(tmp_path: Path, label_as: LabelAs) -> None:
    with new_campaign(tmp_path / "two.db", title="Two", actor="Olga") as campaign:
        label_as(campaign, "Ann", {"1": {"a": 1, "b": 0}}, "human")
        label_as(campaign, "gpt", {"1": {"a": 1, "b": 1}})
        assert set(against_people(campaign).scopes("all pairs")) == {"relevant or not", "grading"}


def test_a_judge_that_labelled_nothing_of_the_peoples_has_no_numbers(
    on_five_grades: Campaign, label_as: LabelAs
) -> None:
    assert (against_people(on_five_grades).judge, against_people(on_five_grades).judges) == ("", ())
    with refused(UnknownName, "gpt"):
        against_people(on_five_grades, "gpt")
    label_as(on_five_grades, "gpt", {"1": {"a": 3}})
    found = against_people(on_five_grades)
    assert (found.pairs, found.topics, found.table.sum()) == (0, 0, 0)
    assert {each.value for each in found.figures} == {None}
    with refused(UnknownName, "nobody", "gpt"):
        against_people(on_five_grades, "nobody")


def test_near_duplicates_show_whether_a_judge_contradicts_itself(
    on_five_grades: Campaign, label_as: LabelAs
) -> None:
    label_as(on_five_grades, "Ann", {"1": {"a": 2, "b": 2, "c": 1, "d": 1}}, "human")
    label_as(on_five_grades, "gpt", {"1": {"a": 2, "b": 0, "c": 1, "d": 1}})
    with on_five_grades.write():
        near_duplicates.put(on_five_grades, "1", [("a", "b", "c")], texts=4)
    found = against_people(on_five_grades).scopes("near duplicates")
    assert (found["the judge, twice"]["same grade"].value, found["people, twice"]["same grade"].value) == (
        0,
        1 / 3,
    )
    assert found[OF_PEOPLE]["same grade"].pairs == 3


def test_as_of_a_row_only_earlier_labels_count(on_five_grades: Campaign, label_as: LabelAs) -> None:
    label_as(on_five_grades, "Ann", {"1": {"a": 2}}, "human")
    label_as(on_five_grades, "gpt", {"1": {"a": 3}})
    then = against_people(on_five_grades).seq
    label_as(on_five_grades, "gpt", {"1": {"a": 2}})
    assert against_people(on_five_grades.at(then)).table[2].tolist() == [0, 0, 0, 1, 0]
    assert against_people(on_five_grades).table[2].tolist() == [0, 0, 1, 0, 0]


def answers_of(*samples: int | None, document: str = "a") -> list[ModelAnswer]:
    return [
        ModelAnswer("1", document, number, grade, "" if grade is not None else "unreadable")
        for number, grade in enumerate(samples)
    ]


def test_repeated_answers_show_self_agreement_and_failed_ones_are_counted(
    on_five_grades: Campaign, label_as: LabelAs
) -> None:
    label_as(on_five_grades, "Ann", {"1": {"a": 2, "b": 1}}, "human")
    by = on_five_grades.by("Olga")
    with by.write():
        judges.put_judge(by, Judge("gpt", family="gpt-4", scale=(0, 1, 2, 3, 4)))
        # Of the three pairs of answers about a one agrees; of those about b the only one does; c failed.
        given = [*answers_of(2, 2, 3), *answers_of(1, None, 1, document="b"), *answers_of(None, document="c")]
        answers.put_answers(by, "gpt", given)
    found = against_people(on_five_grades)
    assert (found.answers, found.failed, found.pairs) == (7, 2, 2)
    repeats = found.scopes("repeats")["with each other"]
    assert repeats["same grade"].value == pytest.approx((1 / 3 + 1) / 2)
    assert repeats["same grade"].pairs == 2
    assert values(found, "all pairs", "grading")["mean difference"] == 0


def test_a_judge_that_answered_once_has_no_repeats(rag25: Campaign) -> None:
    found = against_people(rag25)
    assert (found.answers, found.failed, found.scopes("repeats"), found.scopes("near duplicates")) == (
        10_284,
        0,
        {},
        {},
    )


def test_a_job_without_parameters_is_called_as_the_analysis() -> None:
    assert QUALITY.name_of({"judge": None}) == QUALITY.called
    assert QUALITY.name_of({"judge": "gpt"}) == f"{QUALITY.called}: judge gpt"
