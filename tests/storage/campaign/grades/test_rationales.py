"""Rationales in force are those of the newest judgment of each assessor, as of any point of the log."""

from __future__ import annotations

from tests.fixture_types import JudgeAs
from workbench.core.records import Rationale
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import rationales
from workbench.storage.campaign.grades.rationales import KeptRationale

THE, TEXT, TITLE = (
    Rationale("text", 0, 3, "The"),
    Rationale("text", 4, 8, "text"),
    Rationale("title", 0, 8, "Document"),
)


def test_a_changed_mind_takes_its_rationales_along(small: Campaign, judging_as: JudgeAs) -> None:
    first = judging_as(small, "Ann", "1", "d1", 1, rationales=(THE,)).judgment.seq
    second = judging_as(small, "Ann", "1", "d1", None, rationales=(TITLE, TEXT)).judgment.seq
    assert list(rationales.in_force(small)) == [
        KeptRationale("1", "d1", "Ann", None, "title", 0, 8, "Document", second),
        KeptRationale("1", "d1", "Ann", None, "text", 4, 8, "text", second),
    ]
    assert list(rationales.in_force(small.at(first))) == [
        KeptRationale("1", "d1", "Ann", 1, "text", 0, 3, "The", first)
    ]
    judging_as(small, "Ann", "1", "d1", None, kind="cleared")
    assert list(rationales.in_force(small)) == []


def test_each_assessor_has_their_own(small: Campaign, judging_as: JudgeAs) -> None:
    judging_as(small, "Ben", "1", "d1", 0, rationales=(TEXT,))
    judging_as(small, "Ann", "2", "d1", 1, rationales=(THE,))
    judging_as(small, "Ann", "1", "d1", 1, rationales=(THE,))
    found = [(kept.topic_id, kept.assessor, kept.text) for kept in rationales.in_force(small)]
    assert found == [("1", "Ann", "The"), ("1", "Ben", "text"), ("2", "Ann", "The")]
