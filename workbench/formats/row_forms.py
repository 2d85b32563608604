"""Runs and qrels in other forms than lines of columns, made into such lines: one step before every reader.

Tables with names above their columns (CSV, TSV, parquet), JSON, judgments with features as learning to rank has them,
grades such as L2 (NTCIR), and a description in front of a run (SYSDESC). A file whose first line has the usual columns
is left alone. Lines keep their numbers; of JSON and parquet line n is the n-th entry.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.core.errors import Problem
from workbench.formats.text.addresses import without_secrets
from workbench.formats.text.content import PARQUET_START, Content, content_of
from workbench.formats.text.files import read_bytes
from workbench.formats.text.guesses import is_number
from workbench.formats.text.lines import Row, rows_of, shown
from workbench.formats.text.parse_mode import STRICT, ParseMode

if TYPE_CHECKING:
    from workbench.core.records import Source

SYSDESC = re.compile(rb"\s*<SYSDESC>(.*?)</SYSDESC>[ \t]*\r?(?=\n|\Z)", re.IGNORECASE | re.DOTALL)


def lines_of(path: str | Path | Content, parse_mode: ParseMode = STRICT, *, is_run: bool) -> Content:
    """The lines of a run or of qrels, whatever form they have.

    Raises `InputError` where the file cannot be read as any.
    """
    if isinstance(path, Content):  # loaded already, such as on another machine
        return _as_lines(path, is_run, parse_mode)
    return lines_of_bytes(path, read_bytes(path), is_run, parse_mode)


def lines_with_source(
    path: str | Path, parse_mode: ParseMode = STRICT, *, is_run: bool
) -> tuple[Content, Source]:
    """The same, and the file as it was stored, from one reading."""
    from workbench.formats.text.sources import read_with_source

    data, source = read_with_source(path)
    return lines_of_bytes(path, data, is_run, parse_mode), source


def form_notes(content: Content) -> list[Problem]:
    """What to say of a file that had another form than lines."""
    return [Problem(content.file, None, content.note, "form")] if content.note else []


def lines_of_bytes(path: str | Path, data: bytes, is_run: bool, parse_mode: ParseMode) -> Content:
    """The same of bytes without compression, which errors name `path`."""
    if data.startswith(PARQUET_START):
        from workbench.formats.row_entries import entries_as_lines

        return entries_as_lines(Content(without_secrets(path), data), None, is_run=is_run)
    return _as_lines(content_of(path, data, parse_mode.encoding), is_run, parse_mode)


def _as_lines(content: Content, is_run: bool, parse_mode: ParseMode) -> Content:
    """The content as lines of columns; as it is where it has them, or is no form that is known."""
    if is_run and (found := SYSDESC.match(content.data)) is not None:
        return _with_description(content, found, parse_mode)
    first = _first_row(content.data, parse_mode)
    if parse_mode.lenient or first is None or _is_usual(first.columns, is_run):
        return content
    from workbench.formats.row_entries import entries_as_lines

    return entries_as_lines(content, first, is_run=is_run)


def _first_row(data: bytes, parse_mode: ParseMode) -> Row | None:
    """The first row, without a look at the others: most files are of the usual form, and long."""
    start = 0
    while start < len(data):
        end = data.find(b"\n", start) + 1 or len(data)
        if (row := next(rows_of(data[start:end], comments=parse_mode.comments), None)) is not None:
            return row
        start = end
    return None


def _is_usual(columns: Sequence[bytes], is_run: bool) -> bool:
    """Whether a line has the usual columns, so that ids may look like anything."""
    if is_run:
        return len(columns) >= 6 and is_number(columns[4])
    return len(columns) == 4 and is_number(columns[3])


def _with_description(content: Content, found: re.Match[bytes], parse_mode: ParseMode) -> Content:
    """The same run with its description as comments above it."""
    text = b" ".join(found[1].split())
    above = found[0].count(b"\n") * b"\n"
    comment = above + b"# SYSDESC: " + text if parse_mode.comments else above
    said = f"its description is kept as a comment: {shown(text)}"
    return content._replace(data=comment + content.data[found.end() :], note=said)
