"""A scale of grades is read as an organiser writes it, or refused with the reason."""

from __future__ import annotations

import pytest

from tests.sentences import refused
from workbench.core.records import Grade
from workbench.formats.scale import ScaleError, parse_scale, scale_of, written_scale


@pytest.mark.parametrize(
    ("text", "relevant_from"),
    [
        ("", 1),
        ("x", 1),
        ("0:No,1:", 1),
        ("0=No,1=Yes", 1),
        ("0:No,1:Yes,2.5:Very", 1),
        ("0:No;1:Yes", 1),
        ("0:No", 1),
        ("0:No,0:Yes", 1),
        ("0:No,1:No", 1),
        ("0:No,1:Yes", 2),
        ("1:No,2:Yes", 1),
        ("-1:Spam,0:No,1:Yes", 0),
        ("0:No,1001:Yes", 1),
    ],
)
def test_a_scale_that_makes_no_sense_is_refused(text: str, relevant_from: int) -> None:
    with refused(ScaleError):
        parse_scale(text, relevant_from)


def test_rows_of_a_form_are_a_scale_without_the_empty_ones() -> None:
    rows = [
        (" 1 ", "Relevant,  in part", "Answers: some"),
        ("", "", "forgotten"),
        ("0", "No", ""),
        ("-2", "Spam", ""),
    ]
    assert scale_of(rows, 1) == (
        Grade(-2, "Spam"),
        Grade(0, "No"),
        Grade(1, "Relevant, in part", "Answers: some"),
    )


@pytest.mark.parametrize(
    ("row", "why"),
    [
        (("", "Relevant", ""), "':Relevant' is no grade"),
        (("1", "", ""), "'1:' is no grade"),
        (("1.5", "Relevant", ""), "is no grade"),
        (("1001", "Relevant", ""), "out of range"),
        (("0", "Relevant", ""), "stands twice"),
    ],
)
def test_a_row_that_is_no_grade_is_refused_with_the_reason(row: tuple[str, str, str], why: str) -> None:
    with pytest.raises(ScaleError, match=why) as error:
        scale_of([("0", "No", ""), ("2", "Yes", ""), row], 1)
    assert why in error.value.why


def test_grades_go_from_minus_a_thousand_to_a_thousand() -> None:
    assert [grade.grade for grade in parse_scale("-1000:No,+1000:Yes", 1000)] == [-1000, 1000]
    for beyond in ("-1001", "1001", "9" * 5000):
        with pytest.raises(ScaleError):
            parse_scale(f"0:No,1:Yes,{beyond}:Other", 1)


def test_a_scale_is_written_as_it_is_read() -> None:
    written = "-2:Spam, 0:No, not at all, 1:Yes|Answers it, or a part"
    grades = parse_scale(written, 1)
    assert written_scale(grades) == written
    assert parse_scale(written_scale(grades), 1) == grades
