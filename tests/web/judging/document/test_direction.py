"""A text runs in the direction of its letters."""

from __future__ import annotations

from workbench.web.judging.document.direction import direction_of, main_direction_of


def test_a_text_runs_in_the_direction_of_its_first_letter() -> None:
    assert {direction_of(text) for text in ("ice", "冰", "น้ำแข็ง", "٢٠ ice")} == {"ltr"}
    assert {direction_of(text) for text in ("جليد", "קרח", "ޔަޚް", "1. (جليد) ice")} == {"rtl"}
    assert direction_of("12, 7 … _") is None


def test_a_document_runs_in_the_direction_of_most_of_its_letters() -> None:
    assert {main_direction_of(text) for text in ("BBC: الجليد على الأنهار", "קרח ic")} == {"rtl"}
    for text in ("قرأ is the Arabic for reading", "1929", "קר ice", "קר ic"):
        assert main_direction_of(text) == "ltr"
