"""A scale becomes buttons that can be told apart by key, by shape and by colour."""

from __future__ import annotations

import pytest

from workbench.core.records import Grade
from workbench.storage.campaign.organising.settings import BINARY
from workbench.web.judging.keys import grade_buttons


@pytest.mark.parametrize(
    ("grades", "relevant_from", "told"),
    [("0 1 2 3 4", 1, "0:0:none 1:25:1 2:50:2 3:75:3 4:100:4"), ("3 1 2", 2, "1:0:none 2:50:2 3:100:4")],
)
def test_the_disc_fills_from_the_lowest_grade_to_the_highest(
    grades: str, relevant_from: int, told: str
) -> None:
    buttons = grade_buttons([Grade(int(grade), grade) for grade in grades.split()], relevant_from)
    assert " ".join(f"{button.grade}:{button.fill}:{button.tone}" for button in buttons) == told


def test_special_grades_come_last_and_look_special() -> None:
    buttons = grade_buttons([Grade(-2, "Spam"), *BINARY, Grade(-1, "Broken")], 1)
    assert [button.grade for button in buttons] == [0, 1, -1, -2]
    assert [button.tone for button in buttons] == ["none", "4", "special", "special"]


def test_a_button_shows_the_key_that_its_assessor_chose() -> None:
    scale = [*BINARY, Grade(-2, "Spam")]
    assert [button.key for button in grade_buttons(scale, 1)] == ["0", "1", "p"]
    assert [button.key for button in grade_buttons(scale, 1, {"grade -2": "z"})] == ["0", "1", "z"]
