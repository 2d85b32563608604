"""CSV that a spreadsheet opens without running anything, and the tables that people send."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from workbench.formats.tables.sheets import Sheet
from workbench.formats.text.content import Content
from workbench.formats.text.files import refused

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""As OWASP lists them (CSV Injection), the full-width forms of the signs included."""

LONGEST_CELL = 131_072
"""Characters: the limit that Python's csv begins with, and that readers of longer cells raise for the whole process."""


def as_csv(sheet: Sheet) -> Iterator[str]:
    """A sheet as CSV, one line a row, all digits."""
    return csv_lines([[column.name for column in sheet.columns], *sheet.rows])


def csv_lines(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Rows as lines of CSV (RFC 4180 quoting, lines ending in a line feed).

    Text that a spreadsheet would take for a formula gets an apostrophe in front, as OWASP advises; numbers
    stay as they are, floats with all the digits that tell them apart.
    """
    for row in rows:
        buffer = io.StringIO()
        # The writer quotes a carriage return only when its own lines end in one.
        csv.writer(buffer, lineterminator="\r\n").writerow([_cell(value) for value in row])
        yield buffer.getvalue().removesuffix("\r\n") + "\n"


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(FORMULA_STARTS):
        return "'" + value
    return repr(float(value)) if isinstance(value, float) else value


def table_rows(content: Content) -> Iterator[tuple[int, list[str]]]:
    """The rows of a table with the numbers of their last lines; blank rows are passed over, except at the start.

    It is separated by commas, semicolons or tabs, whichever its first line has most of. Cells are without blanks around
    them, and as they were before `csv_lines` kept spreadsheets from taking them for formulas. `InputError` where the
    table cannot be read.
    """
    reader = csv.reader(_text(content), delimiter=_delimiter(content.data))
    try:
        for row in reader:
            if any(len(cell) > LONGEST_CELL for cell in row):
                raise csv.Error(f"field larger than field limit ({LONGEST_CELL})")
            if reader.line_num == 1 or any(cell.strip() for cell in row):
                yield reader.line_num, [_without_apostrophe(cell.strip()) for cell in row]
    except csv.Error as error:
        raise refused(content.file, f"the table cannot be read: {error}", reader.line_num) from error


def _without_apostrophe(cell: str) -> str:
    return cell[1:] if cell.startswith("'") and cell[1:].startswith(FORMULA_STARTS) else cell


def _delimiter(data: bytes) -> str:
    first = data.lstrip().split(b"\n", 1)[0]
    return max(",;\t", key=lambda delimiter: first.count(delimiter.encode()))


def _text(content: Content) -> io.TextIOWrapper:
    """The text as a stream: as one string of characters it would take four times the memory of its bytes."""
    try:
        content.data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.data.count(b"\n", 0, error.start) + 1
        raise refused(content.file, "not UTF-8; convert the file", line) from error
    return io.TextIOWrapper(io.BytesIO(content.data), encoding="utf-8", newline="\n")
