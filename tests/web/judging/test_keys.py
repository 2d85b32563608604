"""Keys: each has one meaning, a digit is its grade, and what an assessor changes holds."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from tests.sentences import refused, says
from workbench.core.records import Grade
from workbench.storage.campaign.organising.settings import BINARY
from workbench.web.judging.keys import (
    ACTIONS,
    TAKEN_LETTERS,
    WrongKey,
    grade_keys,
    is_possible,
    keys_for,
    legend,
)

SPAM = Grade(-2, "Spam")
DONE = re.compile(r'(?:^ +|\{ )"?([a-z][a-z ]*)"?: (?:\(|within\(|panel)', re.MULTILINE)
"""Where a script says what an action does."""


def test_a_grade_has_its_own_digit() -> None:
    assert grade_keys(BINARY) == {0: "0", 1: "1"}
    assert grade_keys([Grade(1, "No"), Grade(2, "Yes")]) == {1: "1", 2: "2"}


def test_a_special_grade_has_the_first_free_letter_of_its_name() -> None:
    scale = [*BINARY, SPAM, Grade(-1, "Not judged"), Grade(-3, "Spam too")]
    assert grade_keys(scale) == {0: "0", 1: "1", -2: "p", -1: "o", -3: "a"}


def test_grades_above_nine_have_letters() -> None:
    assert grade_keys([Grade(grade, "Step") for grade in range(8, 13)]) == {
        8: "8",
        9: "9",
        10: "t",
        11: "e",
        12: "p",
    }


def test_a_name_in_another_script_has_some_free_letter() -> None:
    assert grade_keys([Grade(-1, "スパム"), Grade(-2, "Ж")]) == {-1: "a", -2: "b"}


def test_more_grades_than_letters_leave_some_without_a_key_and_none_with_two_meanings() -> None:
    many = [Grade(grade, "xucjk" * 3) for grade in range(-20, 40)]
    keys = [key for key in grade_keys(many).values() if key]
    assert len(keys) == len(set(keys)) == 10 + 26 - len(TAKEN_LETTERS)
    assert not set(keys) & TAKEN_LETTERS
    assert set(keys) <= set(keys_for({}, many))


def test_the_letters_that_no_grade_gets_are_those_of_the_actions() -> None:
    assert "".join(sorted(TAKEN_LETTERS)) == "cfghjklmnsuxy"


def test_every_usual_key_has_one_meaning_and_could_be_chosen() -> None:
    keys = [key for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys))
    assert all(map(is_possible, keys))


def test_without_changes_each_key_does_what_the_legend_says() -> None:
    keys = keys_for({}, [*BINARY, SPAM])
    assert keys["0"] == "grade 0"
    assert keys["p"] == "grade -2"
    assert keys["u"] == keys["Backspace"] == "undo"
    assert (keys["n"], keys["N"], keys["?"]) == ("next hit", "previous hit", "keys")
    assert {name for name in keys.values() if not name.startswith("grade ")} == {
        action.name for action in ACTIONS if action.keys
    }


def test_a_changed_key_replaces_the_first_and_leaves_the_others() -> None:
    keys = keys_for({"undo": "z"}, BINARY)
    assert keys["z"] == keys["Backspace"] == "undo"
    assert "u" not in keys


def test_a_further_key_goes_to_the_action_that_asks_for_it() -> None:
    keys = keys_for({"later": "Backspace"}, BINARY)
    assert keys["Backspace"] == "later"
    assert keys["u"] == "undo"
    assert "l" not in keys


def test_two_actions_can_swap_their_keys_and_one_can_go_without() -> None:
    keys = keys_for({"grade -2": "x", "cannot tell": "p", "clear": "l", "later": ""}, [*BINARY, SPAM])
    assert (keys["x"], keys["p"], keys["l"]) == ("grade -2", "cannot tell", "clear")
    assert "later" not in keys.values()


@pytest.mark.parametrize(
    "own",
    [
        {"later": "x"},
        {"later": "p"},
        {"later": "7"},
        {"later": "٣"},
        {"later": "X"},
        {"later": "Tab"},
        {"later": " "},
        {"later": "ab"},
        {"later": "\n"},
        {"grade 1": "z"},
        {"grade 7": "z"},
        {"dance": "z"},
    ],
)
def test_what_cannot_be_a_key_is_reported_and_so_is_the_action_that_has_it(own: dict[str, str]) -> None:
    with refused(WrongKey):
        keys_for(own, [*BINARY, SPAM])


@pytest.mark.parametrize("key", ["a", "ж", "é", "雪", "+", "/", "?", "N", "Enter", "ArrowUp"])
def test_signs_and_letters_of_every_script_can_be_keys(key: str) -> None:
    assert is_possible(key)


def test_the_legend_names_every_action_with_its_usual_keys() -> None:
    rows = {row["name"]: row for row in legend([*BINARY, SPAM])}
    assert rows["grade 1"]["fixed"]
    assert not rows["grade -2"]["fixed"]
    assert rows["undo"]["keys"] == ("u", "Backspace")
    assert rows["clear"]["keys"] == ()
    assert not any(row["unlisted"] for row in rows.values())


def test_the_legend_of_cards_lists_what_they_have_and_all_keep_their_keys() -> None:
    alone, cards = legend(BINARY), legend(BINARY, on_cards=True)
    assert [(row["name"], row["keys"]) for row in cards] == [(row["name"], row["keys"]) for row in alone]
    listed = {row["name"]: row["label"] for row in cards if not row["unlisted"]}
    assert says(listed["whole"])
    assert listed.keys() & {"grade 1", "later", "note", "find"} == {"grade 1", "later"}


@pytest.mark.parametrize(("page", "on_cards"), [(("judge", "reading"), False), (("cards",), True)])
def test_the_list_of_keys_has_what_its_page_does(page: tuple[str, ...], on_cards: bool) -> None:
    scripts = [ROOT / "static" / "judging" / f"{name}.js" for name in (*page, "judging_page", "input")]
    done = {name for script in scripts for name in DONE.findall(script.read_text(encoding="utf-8"))}
    listed = {row["name"] for row in legend([], on_cards=on_cards) if not row["unlisted"]}
    assert listed <= done
    assert {action.name for action in ACTIONS} - listed == {action.name for action in ACTIONS} - done
