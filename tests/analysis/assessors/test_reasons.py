"""The reasons for can't tell are counted for the organisers: those of the campaign's list, earlier ones too."""

from __future__ import annotations

import pytest

from tests.fixture_types import JudgeAs
from workbench.analysis.assessors.profile import reason_counts
from workbench.campaign.campaign_settings import SETTINGS, SettingRefused
from workbench.campaign.changing_settings import change_settings
from workbench.storage.campaign import Campaign


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
