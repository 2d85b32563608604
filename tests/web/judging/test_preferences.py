"""What an assessor may set, to the last number that is taken."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.storage.campaign.organising.settings import BINARY
from workbench.web.judging.preferences import PREFERENCES, Preferences, check

TAKEN: list[tuple[str, list[object]]] = [
    ("keys", [{}, {"undo": "z"}]),
    ("stay", [True, False]),
    ("size", [13, 24]),
    ("break_documents", [None, 0, 1000]),
    ("break_minutes", [None, 0, 240]),
]
REFUSED: list[tuple[str, list[object], str]] = [
    (
        "keys",
        [[], "z", {str(number): "z" for number in range(201)}],
        "an object that gives each changed action its key is expected",
    ),
    ("keys", [{"undo": 7}], "each key is a text"),
    ("keys", [{f"{number}": "z" for number in range(200)}], "there is no action '0'"),
    ("stay", [0, None, "true"], "true or false is expected"),
    ("size", [12, 25, True, 17.0, "17", None], "a whole number of pixels from 13 to 24 is expected"),
    (
        "break_documents",
        [-1, 1001, True, "5"],
        "a whole number from 0 (no break) to 1000, or null, is expected",
    ),
    ("break_minutes", [-1, 241, False, 2.5], "a whole number from 0 (no break) to 240, or null, is expected"),
    ("opening", ["middle", None], "one of "),
    ("face", ["comic", 7], "one of "),
    ("ahead", ["all", True], "one of "),
]


@pytest.mark.parametrize(("name", "values"), TAKEN)
def test_what_may_be_set_is_taken_as_it_is(name: str, values: list[Any]) -> None:
    for value in values:
        taken = check(name, value, BINARY)
        assert (taken, type(taken)) == (value, type(value))


@pytest.mark.parametrize(("name", "values", "words"), REFUSED)
def test_anything_else_is_refused_with_what_is_expected(name: str, values: list[Any], words: str) -> None:
    for value in values:
        with pytest.raises(ValueError) as refused:
            check(name, value, BINARY)
        assert str(refused.value).startswith(words)


@pytest.mark.parametrize("name", sorted(PREFERENCES))
def test_what_is_usual_can_be_set(name: str) -> None:
    usual = getattr(Preferences(), name)
    assert check(name, dict(usual) if name == "keys" else usual, BINARY) == usual
