"""What an assessor may set, to the last number that is taken."""

from __future__ import annotations

from typing import Any

import pytest

from workbench.storage.campaign.organising.settings import BINARY
from workbench.web.judging.preferences import PREFERENCES, Preferences, check

GIVEN: list[tuple[str, list[object], list[object], str]] = [
    (
        "keys",
        [{}, {"undo": "z"}],
        [[], "z", {str(number): "z" for number in range(201)}],
        "expected an object that gives",
    ),
    ("keys", [], [{"undo": 7}], "each key must be a string"),
    ("keys", [], [{f"{number}": "z" for number in range(200)}], "there is no action '0'"),
    ("stay", [True, False], [0, None, "true"], "true or false is expected"),
    (
        "size",
        [13, 24],
        [12, 25, True, 17.0, "17", None],
        "a whole number of pixels from 13 to 24 is expected",
    ),
    ("break_documents", [None, 0, 1000], [-1, 1001, True, "5"], "a whole number from 0 (no break) to 1000"),
    ("break_minutes", [None, 0, 240], [-1, 241, False, 2.5], "a whole number from 0 (no break) to 240"),
    ("opening", ["whole"], ["middle", None, ["whole"]], "one of "),
    ("face", ["serif"], ["comic", 7], "one of "),
    ("ahead", ["few"], ["all", True], "one of "),
]
"""What is taken and refused, with how the reason begins."""


@pytest.mark.parametrize(("name", "taken", "refused", "words"), GIVEN)
def test_what_may_be_set_is_taken_as_it_is_and_anything_else_refused_with_what_is_expected(
    name: str, taken: list[Any], refused: list[Any], words: str
) -> None:
    for value in taken:
        found = check(name, value, BINARY)
        assert (found, type(found)) == (value, type(value))
    for value in refused:
        with pytest.raises(ValueError) as told:
            check(name, value, BINARY)
        assert str(told.value).startswith(words)


def test_what_is_usual_can_be_set() -> None:
    for name in PREFERENCES:
        usual = getattr(Preferences(), name)
        assert check(name, dict(usual) if name == "keys" else usual, BINARY) == usual
