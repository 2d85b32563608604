"""Keys: each has one meaning, a digit is its grade, and what an assessor changes holds."""

from __future__ import annotations

import re

import pytest

from tests.conftest import ROOT
from tests.sentences import refused, says
from workbench.core.battles import PREFERENCES
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
    preference_buttons,
    settled_keys,
)

SPAM = Grade(-2, "Spam")
DONE = re.compile(r'(?:^ +|\{ )"?([a-z][a-z ]*)"?: (?:\(|within\(|panel)', re.MULTILINE)
"""Where a script says what an action does."""


@pytest.mark.parametrize(
    ("grades", "keys"),
    [
        ([*BINARY], {0: "0", 1: "1"}),
        ([Grade(1, "No"), Grade(2, "Yes")], {1: "1", 2: "2"}),
        (
            [*BINARY, SPAM, Grade(-1, "Not judged"), Grade(-3, "Spam too")],
            {0: "0", 1: "1", -2: "p", -1: "o", -3: "a"},
        ),
        ([Grade(grade, "Step") for grade in range(8, 13)], {8: "8", 9: "9", 10: "t", 11: "e", 12: "p"}),
        ([Grade(-1, "スパム"), Grade(-2, "Ж")], {-1: "a", -2: "b"}),
    ],
    ids=["from 0", "from 1", "special", "above nine", "another script"],
)
def test_a_grade_has_its_own_digit_or_the_first_free_letter_of_its_name(
    grades: list[Grade], keys: dict[int, str]
) -> None:
    assert grade_keys(grades) == keys


def test_more_grades_than_letters_leave_some_without_a_key_and_none_with_two_meanings() -> None:
    many = [Grade(grade, "xucjk" * 3) for grade in range(-20, 40)]
    keys = [key for key in grade_keys(many).values() if key]
    assert len(keys) == len(set(keys)) == 10 + 26 - len(TAKEN_LETTERS)
    assert not set(keys) & TAKEN_LETTERS
    assert set(keys) <= set(keys_for({}, many))


def test_every_usual_key_has_one_meaning_and_could_be_chosen_like_signs_and_letters_of_every_script() -> None:
    keys = [key for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys))
    assert all(map(is_possible, [*keys, *"ж é 雪 + / ? N Enter ArrowUp".split()]))


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ({"undo": "z"}, {"z": "undo", "Backspace": "undo", "u": None}),
        ({"later": "Backspace"}, {"Backspace": "later", "u": "undo", "l": None}),
        (
            {"grade -2": "x", "cannot tell": "p", "clear": "l", "later": ""},
            {"x": "grade -2", "p": "cannot tell", "l": "clear"},
        ),
    ],
    ids=["a free key", "a further key of another", "two that swap, and one without"],
)
def test_a_changed_key_replaces_the_first_and_leaves_the_others(
    own: dict[str, str], found: dict[str, str | None]
) -> None:
    keys = keys_for(own, [*BINARY, SPAM])
    assert {key: keys.get(key) for key in found} == found
    assert ("later" in keys.values()) == (own.get("later") != "")


@pytest.mark.parametrize("key", ["x", "p", "7", "٣", "X", "Tab", " ", "ab", "\n"])
def test_what_cannot_be_a_key_is_reported_and_so_is_the_action_that_has_it(key: str) -> None:
    with refused(WrongKey):
        keys_for({"later": key}, [*BINARY, SPAM])


@pytest.mark.parametrize(
    ("own", "found"),
    [
        ({"later": "q"}, {"q": "later", "l": None}),
        ({"later": "q", "undo": "z"}, {"q": "later", "z": "undo", "Backspace": "undo"}),
        ({"later": "q", "nugget": "b"}, {"q": "later", "b": "nugget"}),
        ({"later": "s", "same as before": "l"}, {"s": "later", "l": "same as before"}),
    ],
    ids=["a new action's usual key", "and another one", "one chosen since", "two that swap"],
)
def test_keys_that_were_chosen_stay_when_a_new_action_has_one_of_them(
    own: dict[str, str], found: dict[str, str | None]
) -> None:
    keys = keys_for(settled_keys(own), [*BINARY, SPAM])
    assert {key: keys.get(key) for key in found} == found
    assert ("nugget" in keys.values()) == (own.get("nugget") == "b" or "q" not in own.values())


@pytest.mark.parametrize("action", ["grade 1", "grade 7", "dance"])
def test_a_digit_is_its_grade_and_an_action_that_is_not_there_has_no_key(action: str) -> None:
    with refused(WrongKey):
        keys_for({action: "z"}, [*BINARY, SPAM])


def test_the_legend_names_every_action_with_its_usual_keys() -> None:
    rows = {row["name"]: row for row in legend([*BINARY, SPAM])}
    assert (rows["grade 1"]["fixed"], rows["grade -2"]["fixed"]) == (True, False)
    assert (rows["undo"]["keys"], rows["clear"]["keys"]) == (("u", "Backspace"), ())
    assert not any(row["unlisted"] for row in rows.values())
    keys = keys_for({}, [*BINARY, SPAM])
    assert keys == {key: name for name, row in rows.items() for key in row["keys"]}


@pytest.mark.parametrize(
    ("own", "keys"),
    [
        ({}, [("ArrowLeft", "1"), ("ArrowRight", "2"), ("t", "3"), ("b", "0")]),
        ({"prefer 1": "z", "later": "t"}, [("z", "1"), ("ArrowRight", "2"), ("", "3"), ("b", "0")]),
    ],
    ids=["by default", "changed, and taken by another action"],
)
def test_left_right_tie_and_both_bad_have_keys_that_can_be_changed(
    own: dict[str, str], keys: list[tuple[str, str]]
) -> None:
    assert keys_for(own, BINARY)["1"] == "grade 1"
    labels = [Grade(grade, name) for grade, name in PREFERENCES.items()]
    found = settled_keys(own)
    assert [button.key for button in preference_buttons(labels, found)] == [first for first, _ in keys]
    rows = [row for row in legend(labels, of_pairs=True) if row["name"].startswith("prefer")]
    assert [row["keys"][1] for row in rows] == [second for _, second in keys]
    assert not any(row["fixed"] or row["unlisted"] for row in rows)
    with refused(WrongKey, "z"):
        keys_for({"prefer 1": "z", "later": "z"}, BINARY)


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
