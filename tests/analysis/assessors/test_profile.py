"""Assessors of a campaign as its organiser sees them, and their reasons for can't tell."""

from __future__ import annotations

import math

import pytest

from tests.fixture_types import JudgeAs
from tests.sentences import refused, says
from workbench.analysis.assessors.against_peers import SharedPair
from workbench.analysis.assessors.profile import (
    ASSESSORS,
    _gaps,
    _quick,
    is_low,
    profile_of,
    reason_counts,
    remarks,
    summaries,
)
from workbench.analysis.assessors.speed import pace_of
from workbench.campaign.assessing import set_repeats
from workbench.campaign.campaign_settings import SETTINGS, SettingRefused
from workbench.campaign.changing_settings import change_settings
from workbench.core.errors import NotThere
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.counts.assessor_activity import GradingEvent
from workbench.storage.campaign.people import members


@pytest.fixture
def worked(small: Campaign, judging_as: JudgeAs) -> Campaign:
    """Ann and Ben have d1 and d2 of topic 1 in common, on which Ann is higher; Otto reads the board."""
    with small.write():
        members.put(small.by("Olga"), "Ann", "assessor")
        members.put(small.by("Olga"), "Otto", "observer")
        members.put(small.by("Olga"), "Zoe", "adjudicator")
    for assessor, topic_id, document_id, grade, seconds in (
        ("Ann", "1", "d1", 1, 4),
        ("Ann", "1", "d1", 2, 6),
        ("Ann", "1", "d2", 1, 10),
        ("Ann", "1", "d4", None, 8),
        ("Ann", "2", "d5", 0, 0.5),
        ("Ben", "1", "d1", 0, None),
        ("Ben", "1", "d2", 0, None),
    ):
        judging_as(small, assessor, topic_id, document_id, grade, active_seconds=seconds)
    return small


def test_everybody_who_judges_has_a_line(worked: Campaign) -> None:
    ann, ben, zoe = summaries(worked)
    assert (ann.assessor, ann.role, ann.pairs, ann.topics, ann.cannot_tell) == ("Ann", "assessor", 4, 2, 1)
    assert (ann.pace.timed, ann.pace.median, ann.relevant) == (5, 6.0, 2 / 3)
    assert ann.peers is not None and (ann.peers.higher, ann.peers.lower) == (2, 0)
    assert (ben.assessor, ben.role, ben.pace.timed, ben.relevant) == ("Ben", None, 0, 0.0)
    assert (zoe.assessor, zoe.pairs, zoe.peers, zoe.relevant) == ("Zoe", 0, None, None)
    assert [each.remarks for each in (ann, ben, zoe)] == [(), (), ()]


def test_one_assessor_is_looked_at_more_closely(worked: Campaign) -> None:
    profile = profile_of(worked, "Ann")
    assert profile.grades == ((-2, 0), (0, 1), (1, 1), (2, 1))
    assert profile.changed == 1
    assert [(part.first, part.last, part.shared) for part in profile.parts] == [(1, 5, 2)]
    # On the scale -2, 0, 1, 2 grade 2 is two steps above 0; grade 1 is one step, which is no great gap.
    assert [(pair.document_id, pair.above) for pair in profile.gaps] == [("d1", 2.0)]
    assert [made.document_id for made in profile.quick] == ["d5"]


@pytest.mark.parametrize(
    ("grades", "far"), [(4, [-2.0, 1.5, -1.5]), (3, [-2.0, 1.5, -1.5]), (2, [-2.0, 1.5, -1.5, 1.4, 0.5])]
)
def test_a_grade_stands_out_from_a_step_and_a_half_on_and_from_half_a_step_of_two_grades(
    grades: int, far: list[float]
) -> None:
    shared = [
        SharedPair("1", f"{above}", 1, 1, (("Ben", 1),), above) for above in (0.4, 1.5, 0.5, -2.0, 1.4, -1.5)
    ]
    assert [pair.above for pair in _gaps(shared, grades)] == far


def test_what_took_less_than_a_fifth_of_the_median_and_still_stands_was_given_in_haste() -> None:
    given = [("d1", 1.9), ("d2", 2.0), ("d3", 0.5), ("d4", None)]
    given += [("d5", 0.1), ("d5", 30.0), ("d6", 30.0), ("d6", 0.2)]
    made = [
        GradingEvent(seq, "", "1", document_id, 1, seconds, seq in (6, 8))
        for seq, (document_id, seconds) in enumerate(given, start=1)
    ]
    assert [each.document_id for each in _quick(made, pace_of({"1": [10.0]}))] == ["d3", "d1"]
    assert _quick(made, pace_of({})) == ()


def test_self_agreement_is_told_where_pairs_came_again(worked: Campaign, judging_as: JudgeAs) -> None:
    set_repeats(worked.by("Olga"), 1.0, 1, 0)
    judging_as(worked, "Ann", "1", "d2", 0)
    ann = summaries(worked)[0]
    assert ann.again is not None and ann.again.pairs == 1
    assert ann.self_agreement == 0.0


@pytest.mark.parametrize(
    ("same", "topics", "low"),
    [
        ([False], 9, False),  # from ten repeats on
        ([False], 10, True),
        ([False] * 50, 3, False),  # three topics that are hard to judge make nobody inconsistent
        ([True, False], 10, False),
        ([True, False], 60, True),
        ([True, True, False], 60, False),
    ],
)
def test_self_agreement_is_low_where_too_many_topics_say_so(same: list[bool], topics: int, low: bool) -> None:
    assert is_low([same] * topics) == low


def test_who_neither_judges_nor_has_judged_has_no_page(worked: Campaign) -> None:
    for name in ("Otto", "nobody"):
        with refused(NotThere):
            profile_of(worked, name)


def test_summaries_are_kept_until_something_is_said(worked: Campaign, judging_as: JudgeAs) -> None:
    before = ASSESSORS.answer(worked, {})
    assert before.assessors == tuple(summaries(worked))
    assert ASSESSORS.answer(worked, {}) is before
    judging_as(worked, "Zoe", "2", "d1", 1)
    assert ASSESSORS.answer(worked, {}).assessors[2].pairs == 1
    assert ASSESSORS.answer(worked.at(before.seq), {}).assessors == before.assessors
    assert summaries(worked.at(before.seq)) == list(before.assessors)


@pytest.mark.parametrize(("stake", "remark"), [(math.log(101), "more lenient"), (math.log(99), "")])
def test_leaning_haste_and_changes_of_mind_are_remarked(worked: Campaign, stake: float, remark: str) -> None:
    peers = summaries(worked)[0].peers
    assert peers is not None
    said = remarks(peers._replace(stake=stake), "", False)
    assert said == ([f"{remark} than the others on the same pairs"] if remark else [])
    assert says("\n".join(remarks(None, "faster", True)))


def test_parts_of_judgments_in_force_are_counted_also_those_that_left_the_list(
    small: Campaign, judging_as: JudgeAs
) -> None:
    change_settings(small.by("Olga"), {"cannot-tell-reasons": "Language; Blurred"})
    judging_as(small, "Ann", "1", "d1", None, comment="Language\nIt is in Dutch.")
    judging_as(small, "Ann", "2", "d5", None, comment="Language")
    judging_as(small, "Ben", "1", "d1", None, comment="Blurred")
    judging_as(small, "Ann", "1", "d2", None, comment="Languages are hard")
    judging_as(small, "Ben", "1", "d2", None, comment="Blurred")
    judging_as(small, "Ben", "1", "d2", 1)
    judging_as(small, "Ben", "1", "d4", 1, comment="Language")
    change_settings(small.by("Olga"), {"cannot-tell-reasons": "Language"})
    assert [tuple(count) for count in reason_counts(small)] == [
        ("Language", 2, 2, 1),
        ("Blurred", 1, 1, 1),
        ("", 1, 1, 1),
    ]


def test_a_campaign_without_any_has_no_counts(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ann", "1", "d1", 1)
    assert reason_counts(small) == []


def test_a_list_has_nine_reasons_at_most_each_once() -> None:
    setting = SETTINGS["cannot-tell-reasons"]
    assert setting.value_of(" Language ;; Topic   unclear; Language ") == "Language; Topic unclear"
    assert setting.value_of("") == ""
    with pytest.raises(SettingRefused, match="10 reasons, at most 9"):
        setting.value_of(";".join("abcdefghij"))
