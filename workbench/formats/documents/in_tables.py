"""Documents in tables: JSON, tab- and comma-separated lines, parquet. One row or batch is in memory at a time."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType

from workbench.core.records import Document
from workbench.core.wording import listed
from workbench.formats.documents.fields import (
    IDS,
    PLAIN,
    USUAL,
    FieldNames,
    FoundDocument,
    document_from,
    names_documents,
    not_there,
    plain_name,
)
from workbench.formats.documents.open_file import LONGEST_DOCUMENT, Reading
from workbench.formats.text.column_names import is_header, with_index
from workbench.formats.text.content import BATCH_ROWS, PARQUET_START, reading_parquet
from workbench.formats.text.encoding import well_formed
from workbench.formats.text.json_values import json_objects
from workbench.formats.text.lines import shown

DELIMITERS = "\t,;"
NOTICES = ({"delete"}, {"limit"}, {"scrub_geo"})
"""Lines of a stream of tweets that are messages about tweets."""

LIKELY_HEADER = (
    "{} is taken as the id of a document; is this a line of column names? Then name the columns id, title, text; a "
    "document that is none is deleted with workbench task withdraw CAMPAIGN --documents ID --delete"
)

WITH_TEXT_ALONE = 2
"""Columns: of an id and another one, this one is the text."""


def read_json(reading: Reading) -> Iterator[FoundDocument]:
    """JSON lines, objects one after another, or one array of objects."""
    wants = reading.wants if reading.wanted is None else reading.wanted.__contains__
    for line, value in json_objects(reading.stream, reading.file):
        if not isinstance(value, dict):
            raise reading.refuse("each document must be a JSON object with an id and a text", line)
        if len(value) == 1 and value.keys() in NOTICES:
            reading.warn("a notice that is not a document was skipped", line)
            continue
        yield document_from(value, line, wants, reading.choice)


def table_delimiter(first_line: str, choice: FieldNames = USUAL) -> str | None:
    """What separates the columns of a header that names an id or a chosen field; None if the line is no header."""
    for delimiter in DELIMITERS:
        if delimiter in first_line:
            cells = _cells(first_line, delimiter)
            is_chosen = not all(not_there([part], cells) for part in choice.chosen)
            if is_chosen or names_documents(with_index(cells, IDS), choice) or is_header(cells, IDS):
                return delimiter
    return None


def read_table(reading: Reading) -> Iterator[FoundDocument]:
    """A table with a header; cells are quoted as spreadsheets do it and may hold line breaks."""
    # Python's csv has one limit for the process, and its default is shorter than many documents.
    csv.field_size_limit(LONGEST_DOCUMENT)
    lines = _decoded_lines(reading)
    first = next(lines, "")
    choice = reading.choice
    delimiter = table_delimiter(first, choice) or max(",\t;", key=first.count)
    header = with_index(_cells(first, delimiter), IDS)
    reading.require(header)
    if not names_documents(header, choice):
        if not choice.asked:
            reading.warn(f"{listed(header)} are names of columns, and no document", 1)
        if len(header) == WITH_TEXT_ALONE:
            header = [name if plain_name(name) in choice.ids else "text" for name in header]
    rows = csv.reader(lines, delimiter=delimiter, strict=True)
    line = 2
    try:
        for row in rows:
            if len(row) > len(header):
                message = f"{len(row)} cells under {len(header)} column names; quote texts with separators"
                raise reading.refuse(message, line)
            if row:
                record = {name: cell for name, cell in zip(header, row, strict=False) if name}
                yield document_from(record, line, reading.wants, reading.choice)
            line = rows.line_num + 2
    except csv.Error as error:
        message = f"this row cannot be split into cells: {error}; check its quotation marks"
        raise reading.refuse(message, line) from error


def read_tabbed(reading: Reading) -> Iterator[FoundDocument]:
    """Tab-separated lines without a header: id, text; id, title, text; or id, address, title, text.

    Quotation marks are text, and every line is a document.
    """
    without_digit: list[tuple[int, str]] = []
    for line, text in enumerate(_decoded_lines(reading), start=1):
        if not text.strip():
            continue
        cells = text.rstrip("\r\n").split("\t")
        if len(cells) < 2:
            raise reading.refuse("no tab: write id TAB text, or start with a line of column names", line)
        document_id = cells[0].strip()
        if len(without_digit) < 2 and not any(map(str.isdigit, document_id)):
            without_digit.append((line, document_id))
        if not reading.wants(document_id):
            yield FoundDocument(line, Document(document_id))
            continue
        url = cells.pop(1).strip() if len(cells) > 3 and cells[1].startswith("http") else ""
        title = " ".join(cells.pop(1).split()) if len(cells) > 2 else ""
        fields = MappingProxyType({"url": url} if url else {})
        yield FoundDocument(line, Document(document_id, title, "\t".join(cells[1:]).strip(), PLAIN, fields))
    if len(without_digit) == 1 and without_digit[0][0] == 1 < line:
        reading.warn(LIKELY_HEADER.format(shown(without_digit[0][1])), 1)


def read_parquet(reading: Reading) -> Iterator[FoundDocument]:
    """The rows of a parquet file, a batch at a time; columns of numbers in lists (vectors) are not read."""
    import polars

    with reading_parquet(reading.file), _on_disk(reading) as path:
        frame = polars.scan_parquet(path, glob=False)
        columns = [name for name, kind in frame.collect_schema().items() if not _is_vector(kind)]
        row = 0
        for batch in frame.select(columns).collect_batches(chunk_size=BATCH_ROWS):
            for record in batch.iter_rows(named=True):
                row += 1
                yield document_from(record, row, reading.wants, reading.choice)


@contextmanager
def _on_disk(reading: Reading) -> Iterator[Path]:
    """Where a parquet file stands: its end is read first, so one of a stream goes to a temporary file."""
    if reading.path is not None:
        with reading.path.open("rb") as stream:
            is_plain = stream.read(len(PARQUET_START)) == PARQUET_START
        if is_plain:
            yield reading.path
            return
    with TemporaryDirectory() as folder:
        path = Path(folder, "copy.parquet")
        with path.open("wb") as copy:  # Windows lets nobody read what is open to write
            shutil.copyfileobj(reading.stream, copy)
        yield path


def _is_vector(kind: object) -> bool:
    import polars

    return isinstance(kind, polars.List | polars.Array) and not isinstance(
        kind.inner, polars.String | polars.Struct
    )


def _cells(line: str, delimiter: str) -> list[str]:
    """The cells of a header; none where it cannot be split (a carriage return inside it, a cell without end)."""
    try:
        return [cell.strip() for cell in next(csv.reader([line.strip("\r\n")], delimiter=delimiter), [])]
    except csv.Error:
        return []


def _decoded_lines(reading: Reading) -> Iterator[str]:
    line = 0
    while data := reading.stream.readline(LONGEST_DOCUMENT + 1):
        line += 1
        if len(data) > LONGEST_DOCUMENT:
            raise reading.too_long(line)
        text = reading.text(data, line=line)
        yield well_formed(text)
