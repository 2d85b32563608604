from __future__ import annotations

import pytest

from tests.sentences import says
from workbench.core.errors import NOTE, InputError, Problem
from workbench.formats.text.content import Content
from workbench.formats.text.lines import (
    STOP_AFTER,
    Layout,
    guessed,
    identifier_problem,
    layout_of,
    problems_of,
)


def content(data: bytes) -> Content:
    return Content("a.run", data)


def test_reading_stops_after_many_problems_and_says_so() -> None:
    data = b"1 a\n" * (STOP_AFTER + 10)
    problems = problems_of(content(data), lambda row: iter(["odd"]), "a run")
    assert len(problems) == STOP_AFTER + 1
    assert problems[-1] == Problem("a.run", STOP_AFTER, "reading stopped after 1000 problems", NOTE)
    assert str(InputError(problems)).splitlines()[-2:] == [
        "... and 975 more problems",
        "a.run:1000: reading stopped after 1000 problems",
    ]


def test_a_second_byte_order_mark_is_refused_since_it_would_make_a_second_topic() -> None:
    problems = problems_of(content(b"1 a\n\xef\xbb\xbf1 b\n"), lambda row: iter(()), "a run")
    assert [problem.line for problem in problems] == [2]
    assert says(problems[0].message)


def test_a_guess_replaces_the_problems_only_when_the_first_row_is_wrong() -> None:
    at_first, later = [Problem("a.run", 1, "odd"), Problem("a.run", 2, "odd")], [Problem("a.run", 2, "odd")]
    file = content(b"1 a\n2 b\n")
    assert guessed(file, at_first, lambda data: "looks like x") == [Problem("a.run", 1, "looks like x")]
    assert guessed(file, later, lambda data: "looks like x") == later
    assert guessed(file, at_first, lambda data: None) == at_first
    assert guessed(file, [], lambda data: "looks like x") == []


def test_a_layout_knows_where_rows_stand_and_keeps_the_comments() -> None:
    layout = layout_of(b"# one:  x\r\n\n1 a\n\n  #two\n2 b\n3 c\n")
    assert [layout.line_of(row) for row in range(3)] == [3, 6, 7]
    assert layout.header == "# one:  x\n#two"
    assert [comment.line for comment in layout.comments] == [1, 5]
    assert Layout().line_of(4) == 5


@pytest.mark.parametrize("identifier", ["a b", "a\tb", "a\nb", "a\rb", "a\x0bb", "a\0b", "a\ud800b"])
def test_ids_that_no_line_of_a_run_can_hold_are_named(identifier: str) -> None:
    problem = identifier_problem("document", identifier)
    assert problem is not None
    assert problem.startswith("the document id 'a")
    problem.encode()
