"""Tables that people send: read by rows with their lines, or refused with the line."""

from __future__ import annotations

import pytest

from workbench.core.errors import InputError
from workbench.formats.tables.csv_rows import table_rows
from workbench.formats.text.content import Content


def rows(data: bytes) -> list[tuple[int, list[str]]]:
    return list(table_rows(Content("people.csv", data)))


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_rows_are_read_with_the_numbers_of_their_lines_and_blank_ones_passed_over(delimiter: str) -> None:
    text = f'name{delimiter}team\n\n Zoë {delimiter}"a\nb"\n{delimiter}\nYan{delimiter}x,y;z\n'
    if delimiter != "\t":
        text = text.replace("x,y;z", "'=1")
    last = "x,y;z" if delimiter == "\t" else "=1"
    assert rows(text.encode()) == [(1, ["name", "team"]), (4, ["Zoë", "a\nb"]), (6, ["Yan", last])]


def test_a_blank_first_line_and_an_apostrophe_that_guards_nothing_stay() -> None:
    assert rows(b"\n'tis\n") == [(1, []), (2, ["'tis"])]


@pytest.mark.parametrize(
    ("data", "line", "why"),
    [
        (b"name\nx\ry\n", 2, "the table cannot be read: new-line character"),
        (b"name\nAnn\n" + b"x" * 131_073, 3, "the table cannot be read: field larger than field limit"),
        (b"name\nZo\xeb\n", 2, "not UTF-8; convert the file"),
    ],
)
def test_a_table_that_cannot_be_read_is_refused_with_its_line(data: bytes, line: int, why: str) -> None:
    with pytest.raises(InputError, match=why) as refused:
        rows(data)
    assert str(refused.value).startswith(f"people.csv:{line}: ")
