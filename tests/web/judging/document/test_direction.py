"""A text runs in the direction of its letters."""

from __future__ import annotations

import pytest

from workbench.web.judging.document.direction import direction_of, main_direction_of


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("ice", "ltr"),
        ("冰", "ltr"),
        ("น้ำแข็ง", "ltr"),
        ("جليد", "rtl"),
        ("קרח", "rtl"),
        ("ޔަޚް", "rtl"),
        ("1. (جليد) ice", "rtl"),
        ("٢٠ ice", "ltr"),
        ("12, 7 … _", None),
    ],
)
def test_a_text_runs_in_the_direction_of_its_first_letter(text: str, direction: str | None) -> None:
    assert direction_of(text) == direction


def test_a_document_runs_in_the_direction_of_most_of_its_letters() -> None:
    assert main_direction_of("BBC: الجليد على الأنهار") == "rtl"
    assert main_direction_of("قرأ is the Arabic for reading") == "ltr"
    assert main_direction_of("1929") == "ltr"
    assert [main_direction_of(text) for text in ("קר ice", "קר ic", "קרח ic")] == ["ltr", "ltr", "rtl"]
