"""A scale becomes buttons that can be told apart by key, by shape and by colour."""

from __future__ import annotations

from workbench.core.records import Grade
from workbench.storage.campaign.organising.settings import BINARY
from workbench.web.judging.keys import grade_buttons


def test_the_disc_fills_from_the_lowest_grade_to_the_highest() -> None:
    scale = [Grade(grade, str(grade)) for grade in range(5)]
    assert [(button.fill, button.tone) for button in grade_buttons(scale, 1)] == [
        (0, "none"),
        (25, "1"),
        (50, "2"),
        (75, "3"),
        (100, "4"),
    ]


def test_a_scale_that_starts_at_one_has_an_empty_disc_too() -> None:
    buttons = grade_buttons([Grade(3, "c"), Grade(1, "a"), Grade(2, "b")], 2)
    assert [(button.grade, button.fill, button.tone) for button in buttons] == [
        (1, 0, "none"),
        (2, 50, "2"),
        (3, 100, "4"),
    ]


def test_special_grades_come_last_and_look_special() -> None:
    buttons = grade_buttons([Grade(-2, "Spam"), *BINARY, Grade(-1, "Broken")], 1)
    assert [button.grade for button in buttons] == [0, 1, -1, -2]
    assert [button.tone for button in buttons] == ["none", "4", "special", "special"]


def test_a_button_shows_the_key_that_its_assessor_chose() -> None:
    scale = [*BINARY, Grade(-2, "Spam")]
    assert [button.key for button in grade_buttons(scale, 1)] == ["0", "1", "p"]
    assert [button.key for button in grade_buttons(scale, 1, {"grade -2": "z"})] == ["0", "1", "z"]
