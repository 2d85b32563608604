"""A scale becomes buttons that can be told apart by key, by shape and by colour."""

from __future__ import annotations

from workbench.campaign.settings import BINARY
from workbench.records import Grade
from workbench.web.grade_buttons import TAKEN_LETTERS, grade_buttons, grade_keys
from workbench.web.judge import KEYS


def test_a_grade_has_its_own_digit() -> None:
    assert grade_keys(BINARY) == {0: "0", 1: "1"}
    assert grade_keys([Grade(1, "No"), Grade(2, "Yes")]) == {1: "1", 2: "2"}


def test_a_special_grade_has_the_first_free_letter_of_its_name() -> None:
    scale = [*BINARY, Grade(-2, "Spam"), Grade(-1, "Not judged"), Grade(-3, "Spam too")]
    assert grade_keys(scale) == {0: "0", 1: "1", -2: "s", -1: "o", -3: "a"}


def test_grades_above_nine_have_letters() -> None:
    assert grade_keys([Grade(grade, "Step") for grade in range(8, 13)]) == {
        8: "8",
        9: "9",
        10: "s",
        11: "t",
        12: "e",
    }


def test_a_name_in_another_script_has_some_free_letter() -> None:
    assert grade_keys([Grade(-1, "スパム"), Grade(-2, "Ж")]) == {-1: "a", -2: "b"}


def test_no_key_has_two_meanings() -> None:
    many = [Grade(grade, "xucjk" * 3) for grade in range(-20, 40)]
    keys = [key for key in grade_keys(many).values() if key]
    assert len(keys) == len(set(keys))
    assert not set(keys) & {key for key in KEYS if len(key) == 1}
    assert {key for key in KEYS if len(key) == 1 and key.isalpha()} <= TAKEN_LETTERS


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
