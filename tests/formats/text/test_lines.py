from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.core.errors import NOTE, InputError, Problem
from workbench.formats.text.content import Content
from workbench.formats.text.lines import (
    STOP_AFTER,
    Layout,
    Row,
    guessed,
    layout_of,
    not_utf8,
    problems_of,
    rows_of,
    shown,
)

WITH_A_CARRIAGE_RETURN = (
    "a carriage return inside the line; make line ends of them: tr '\\r' '\\n' < FILE > NEWFILE"
)


def content(data: bytes) -> Content:
    return Content("a.run", data)


def columns_of(line: str) -> list[str]:
    return [column.decode() for row in rows_of(line.encode()) for column in row.columns]


@pytest.mark.parametrize("line", ["1 Q0 a", "1\tQ0\ta", "  1 \t Q0\t\ta  ", "1 Q0 a\r", "1\vQ0\fa"])
def test_blanks_and_tabs_separate_in_any_mix(line: str) -> None:
    assert columns_of(line) == ["1", "Q0", "a"]


@pytest.mark.parametrize(
    "document_id", ["a\u00a0b", "a\u0085b", "a\u2028b", "a\u3000b", "a\x1cb", "a\x1fb", '"a', "文"]
)
def test_every_other_character_belongs_to_the_identifier(document_id: str) -> None:
    assert columns_of(f"1 Q0 {document_id}\n") == ["1", "Q0", document_id]


def test_rows_carry_the_number_of_their_line() -> None:
    data = b"# header\n\n1 a\n \t\n  # comment\n2 b"
    assert [row.line for row in rows_of(data)] == [3, 6]


def test_a_layout_knows_where_rows_stand_and_keeps_the_comments() -> None:
    layout = layout_of(b"# one:  x\r\n\n1 a\n\n  #two\n2 b\n3 c\n")
    assert [layout.line_of(row) for row in range(3)] == [3, 6, 7]
    assert layout.header == "# one:  x\n#two"
    assert [comment.line for comment in layout.comments] == [1, 5]
    assert Layout().line_of(4) == 5


def test_problems_come_in_the_order_of_the_lines() -> None:
    problems = problems_of(
        content(b"1 a\n# x\n2 b\n"), lambda row: iter([f"{row.line} is odd", "very"]), "a run"
    )
    assert [str(problem) for problem in problems] == [
        "a.run:1: 1 is odd",
        "a.run:1: very",
        "a.run:3: 3 is odd",
        "a.run:3: very",
    ]


def test_reading_stops_after_many_problems_and_says_so() -> None:
    data = b"1 a\n" * (STOP_AFTER + 10)
    problems = problems_of(content(data), lambda row: iter(["odd"]), "a run")
    assert len(problems) == STOP_AFTER + 1
    assert problems[-1] == Problem("a.run", STOP_AFTER, "reading stopped after 1000 problems", NOTE)
    assert str(InputError(problems)).splitlines()[-2:] == [
        "... and 975 more problems",
        "a.run:1000: reading stopped after 1000 problems",
    ]


@pytest.mark.parametrize("data", [b"\n\n", b"# only\n# comments\n", b" "])
def test_a_file_without_a_row_is_a_problem(data: bytes) -> None:
    problems = problems_of(content(data), lambda row: iter(()), "a run")
    assert problems == [Problem("a.run", None, "there is no line of a run in it, only blanks or comments")]


@pytest.mark.parametrize("data", [b"1 a\r2 b\n", b"1 a\r2 b\r3 c\r", b"# comment\r1 a\n"])
def test_lone_carriage_returns_are_refused_since_they_would_hide_rows(data: bytes) -> None:
    problems = problems_of(content(data), lambda row: iter(()), "a run")
    assert problems == [Problem("a.run", 1, WITH_A_CARRIAGE_RETURN)]


def test_a_second_byte_order_mark_is_refused_since_it_would_make_a_second_topic() -> None:
    problems = problems_of(content(b"1 a\n\xef\xbb\xbf1 b\n"), lambda row: iter(()), "a run")
    assert [problem.line for problem in problems] == [2]
    assert says(problems[0].message)


def test_the_column_that_is_not_utf8_is_named() -> None:
    row = Row(1, b"1 Q0 caf\xe9 \xff", [b"1", b"Q0", b"caf\xe9", b"\xff"])
    message = not_utf8(row, 4)
    assert message is not None
    assert message.startswith("column 3, 'caf\\xe9', is not UTF-8; convert the file")
    assert not_utf8(row, 2) is None


def test_a_guess_replaces_the_problems_only_when_the_first_row_is_wrong() -> None:
    at_first, later = [Problem("a.run", 1, "odd"), Problem("a.run", 2, "odd")], [Problem("a.run", 2, "odd")]
    file = content(b"1 a\n2 b\n")
    assert guessed(file, at_first, lambda data: "looks like x") == [Problem("a.run", 1, "looks like x")]
    assert guessed(file, later, lambda data: "looks like x") == later
    assert guessed(file, at_first, lambda data: None) == at_first
    assert guessed(file, [], lambda data: "looks like x") == []


def test_a_value_is_shown_short_and_harmless() -> None:
    assert shown("a\x1b[31m") == r"'a\x1b[31m'"
    assert shown(b"caf\xe9") == r"'caf\xe9'"
    assert shown("文書") == "'文書'"
    assert len(shown("x" * 500)) < 90
