"""Words in the place of people's names, and the lines of a log that have them."""

from __future__ import annotations

import pytest

from workbench.people.personal_data import lines_of, pseudonym

WORD = pseudonym(b"key", "anna")
OURS = f'{{"account": "{WORD}", "path": "/"}}'


def test_a_pseudonym_is_the_same_with_the_same_key_alone() -> None:
    assert WORD == pseudonym(b"key", "anna") == "01c00fed7b53"
    assert len({WORD, pseudonym(b"other", "anna"), pseudonym(b"key", "ben")}) == 3


@pytest.mark.parametrize(
    "line",
    [
        "",
        "started",
        f'"{WORD}"',
        f'["{WORD}"]',
        f'{{"account": "{WORD}"',
        f'{{"account": "ben", "path": "{WORD}"}}',
        f'{{"path": "{WORD}"}}',
        f'[{{"account": "{WORD}"}}]',
        f'"{WORD}" 7',
    ],
)
def test_lines_of_other_kinds_and_accounts_are_passed_over(line: str) -> None:
    found = list(lines_of([line, f"Mar 02 host workbench[7]: {OURS}", OURS], WORD))
    assert found == [{"account": WORD, "path": "/"}] * 2
