"""CSV that a spreadsheet opens without running anything."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence

from workbench.formats.tables.sheets import Sheet

FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
"""As OWASP lists them (CSV Injection), the full-width forms of the signs included."""


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
