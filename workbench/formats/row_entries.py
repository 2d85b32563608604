"""The entries of runs and qrels in other forms than lines of columns: tables, JSON, parquet, features, levels."""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from workbench.core.errors import InputError, Problem
from workbench.core.findings import NO_RUN
from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.text.column_names import (
    DOCUMENT_NAMES,
    GRADE_NAMES,
    RANK_NAMES,
    SCORE_NAMES,
    TAG_NAMES,
    TOPIC_NAMES,
    place_of,
)
from workbench.formats.text.content import BATCH_ROWS, Content, is_json, reading_parquet
from workbench.formats.text.files import STANDARD_STREAM, refused
from workbench.formats.text.json_values import AS_WRITTEN, LONGEST_OBJECT
from workbench.formats.text.lines import LONGEST_ID, STOP_AFTER, Row, identifier_problem, rows_of, shown

MOST_BYTES = 4 * 1024**3
"""Lines that one file may become: a small table can hold any number of equal rows."""

FEATURES = re.compile(rb"\S+\s+qid:\S+\s+[0-9]+:\S")
FEATURES_ROW = re.compile(rb"(\S+)\s+qid:(\S+)\s[^#]*#\s*(?:docid\s*=\s*)?(\S+)")
LEVEL = re.compile(rb"L[0-9]{1,4}")


class Kind(NamedTuple):
    """What the lines are: their values in a table, and how many columns they have."""

    value_names: tuple[str, ...]
    width: int


RUN, QRELS = Kind(SCORE_NAMES, 6), Kind(GRADE_NAMES, 4)


class Entry(NamedTuple):
    """One line to be: its number, and its values as text; rank and tag are '' where the file has none."""

    line: int
    topic_id: str
    document_id: str
    value: str
    rank: str = ""
    tag: str = ""


def entries_as_lines(content: Content, first: Row | None, *, is_run: bool) -> Content:
    """The content as lines of columns, or as it is where it has no form that is known. Without a first row: parquet."""
    kind = RUN if is_run else QRELS
    if first is None:
        return _lines_of(content, _parquet_entries(content, kind), kind, "parquet: line n is its row n")
    if is_json(content):
        return _lines_of(content, _json_entries(content, kind), kind, "JSON: line n is its n-th entry")
    if not is_run and FEATURES.match(first.text):
        said = "judgments with features (learning to rank): grade, qid and the document of the comment"
        return _lines_of(content, _feature_entries(content), kind, said)
    if not is_run and len(first.columns) in (3, 4) and LEVEL.fullmatch(first.columns[-1]):
        said = "grades L0, L1, ...: the number is the grade"
        return _lines_of(content, _level_entries(content), kind, said)
    names = _header(content, first.text, kind)
    if (places := _places(names, kind)) is None:
        return content
    said = f"a table: the columns {', '.join(names[place] for place in places if place is not None)}"
    return _lines_of(content, _table_entries(content, first.text, names, places), kind, said)


def _lines_of(content: Content, entries: Iterable[Entry], kind: Kind, said: str) -> Content:
    """The entries as lines; the ids that cannot be in a line are refused, all of them together."""
    lines, problems, at, has_ranks = bytearray(), [], 1, True
    tag = "run" if content.file == STANDARD_STREAM else stem_of(content.file)  # where the form has none
    for entry in entries:
        wrong = list(_wrong_ids(entry))
        problems += [Problem(content.file, entry.line, message, "identifier") for message in wrong]
        if len(problems) >= STOP_AFTER:
            break
        if wrong:
            continue
        lines += b"\n" * (entry.line - at)
        at = entry.line
        value = entry.value or "''"
        row = f"{entry.topic_id} 0 {entry.document_id} {value}"
        if kind is RUN:
            has_ranks = has_ranks and bool(entry.rank)
            row = f"{entry.topic_id} Q0 {entry.document_id} {entry.rank or 1} {value} {entry.tag or tag}"
        lines += row.encode(errors="replace")
        if len(lines) > MOST_BYTES:
            message = f"its rows would be more than {MOST_BYTES // 1024**3} GiB of lines; split the file"
            raise refused(content.file, message, entry.line)
    if problems:
        raise InputError(problems)
    return Content(content.file, bytes(lines), f"read as {said}", has_ranks)


def _wrong_ids(entry: Entry) -> Iterator[str]:
    for what, identifier in (("topic", entry.topic_id), ("document", entry.document_id)):
        if not identifier:
            yield f"there is no {what} id in it; complete it, or leave it out"
        elif (message := identifier_problem(what, identifier)) is not None:
            yield message
    if entry.topic_id.startswith("#"):
        yield f"the topic id {shown(entry.topic_id)} begins with '#', as comments do; rename the topic"
    if any(len(text) > LONGEST_ID or len(text.split()) > 1 for text in (entry.value, entry.rank, entry.tag)):
        yield "a score, grade, rank or tag in it is not a single word of at most 500 characters; correct it"


def stem_of(file: str) -> str:
    """A file's name without .gz and the like and one more suffix, in one word."""
    path = Path(file)
    if path.suffix in {".gz", ".xz", ".bz2", ".zst"}:
        path = path.with_suffix("")
    known = {".txt", ".run", ".trec", ".res", ".json", ".jsonl", ".csv", ".tsv", ".parquet"}
    return "_".join((path.stem if path.suffix in known else path.name).split())


def _feature_entries(content: Content) -> Iterator[Entry]:
    for row in rows_of(content.data):
        if (found := FEATURES_ROW.match(row.text)) is None:
            message = (
                "this looks like judgments with features (learning to rank), and the line names no document; "
                "write it behind the features, such as # d1"
            )
            raise refused(content.file, message, row.line)
        grade, topic_id, document_id = (value.decode(errors="backslashreplace") for value in found.groups())
        yield Entry(row.line, topic_id, document_id, grade)


def _level_entries(content: Content) -> Iterator[Entry]:
    for row in rows_of(content.data):
        columns = [value.decode(errors="backslashreplace") for value in row.columns]
        if len(columns) not in (3, 4):
            message = f"{len(columns)} columns, but the lines before have topic, document and grade; correct the line"
            raise refused(content.file, message, row.line)
        is_level = LEVEL.fullmatch(row.columns[-1]) is not None
        yield Entry(row.line, columns[0], columns[-2], columns[-1][1:] if is_level else columns[-1])


Places = Sequence[int | None]
"""Where a table has topic, document, value, rank and tag; None for what it lacks."""


def _entry(line: int, cells: Sequence[str], places: Places) -> Entry:
    """A row of a table."""
    return Entry(
        line, *(cells[place] if place is not None and place < len(cells) else "" for place in places)
    )


def _places(names: Sequence[str], kind: Kind) -> Places | None:
    """Where a table has what a line needs; None if it lacks some of it."""
    wanted = (TOPIC_NAMES, DOCUMENT_NAMES, kind.value_names, RANK_NAMES, TAG_NAMES)
    found = [place_of(each, names) for each in wanted]
    return None if None in found[:3] else found


def _header(content: Content, first: bytes, kind: Kind) -> list[str]:
    """The cells of the first line of what may be a table; none of all else."""
    is_usual = not _is_separated(first) and len(first.split()) == kind.width  # may name usual columns below
    if is_usual or not content.data.lstrip().startswith(first):
        return []
    try:
        return (
            next(table_rows(content._replace(data=first)))[1]
            if _is_separated(first)
            else first.decode().split()
        )
    except (InputError, UnicodeDecodeError):
        return []


def _is_separated(first: bytes) -> bool:
    return any(mark in first for mark in (b",", b";", b"\t"))


def _table_entries(content: Content, first: bytes, names: Sequence[str], places: Places) -> Iterator[Entry]:
    rows: Iterator[tuple[int, list[str]]] = (
        table_rows(content)
        if _is_separated(first)
        else ((row.line, row.text.decode(errors="backslashreplace").split()) for row in rows_of(content.data))
    )
    is_above = True
    for line, cells in rows:
        if is_above:  # the names, or a comment above them
            is_above = cells != names
        else:
            if len(cells) != len(names):
                message = (
                    f"{len(cells)} cells under {len(names)} column names; quote cells with separators in them"
                )
                raise refused(content.file, message, line)
            yield _entry(line, cells, places)


class _Pairs(tuple[tuple[str, Any], ...]):
    """A JSON object as its names and values, those of the same name too."""

    __slots__ = ()


_DECODER = json.JSONDecoder(object_pairs_hook=_Pairs, **AS_WRITTEN)


def _json_entries(content: Content, kind: Kind) -> Iterator[Entry]:
    """The entries of {topic: {document: value}}, of a list of records, or of a record a line."""
    number = 0
    for value in _json_values(content):
        is_nested = isinstance(value, _Pairs) and all(isinstance(inner, _Pairs) for _, inner in value)
        for found in _nested(value) if is_nested else _of_records(value, content, kind):
            number += 1
            yield found._replace(line=number)


def _json_values(content: Content) -> Iterator[Any]:
    """The values of the lines where the first line is one, else that of the whole file."""
    line = 0
    lines = content.data.split(b"\n")
    try:
        for line, raw in enumerate(lines, start=1):
            if raw.strip():
                yield _DECODER.decode(_short(content, raw, line))
    except (json.JSONDecodeError, RecursionError, UnicodeDecodeError) as error:
        if any(map(bytes.strip, lines[: line - 1])):
            raise _no_json(content, line, error) from error
        try:
            yield _DECODER.decode(_short(content, content.data, 1))
        except (json.JSONDecodeError, RecursionError, UnicodeDecodeError) as whole:
            raise _no_json(content, getattr(whole, "lineno", 1), whole) from whole


def _short(content: Content, raw: bytes, line: int) -> str:
    if len(raw) > LONGEST_OBJECT:
        message = f"a JSON value is longer than {LONGEST_OBJECT // 1024**2} MiB: write one record a line"
        raise refused(content.file, message, line)
    return raw.decode()


def _no_json(content: Content, line: int, error: Exception) -> InputError:
    what = "nested too deeply" if isinstance(error, RecursionError) else str(error).split(":", 1)[0]
    message = f"this begins as JSON, and cannot be read as such: {what}; was the file written to the end?"
    return refused(content.file, message, line)


def _nested(value: _Pairs) -> Iterator[Entry]:
    for topic_id, documents in value:
        for document_id, number in documents:
            yield Entry(0, topic_id, document_id, _text(number))


def _of_records(value: Any, content: Content, kind: Kind) -> Iterator[Entry]:
    for record in value if isinstance(value, list) else [value]:
        names = [name for name, _ in record] if isinstance(record, _Pairs) else []
        places = _places(names, kind)
        if places is None:
            message = (
                "this looks like JSON, but neither {topic: {document: value}} nor records with query_id, doc_id and "
                f"{kind.value_names[0]}; it has: {shown(', '.join(names))}"
            )
            raise refused(content.file, message, 1, NO_RUN)
        yield _entry(0, [_text(inner) for _, inner in record], places)


def _text(value: object) -> str:
    """A value as a cell; of a number as it is written."""
    if value is None or isinstance(value, str):
        return value or ""
    return str(value) if isinstance(value, bool) else "…"  # a list or an object, of any depth


def _parquet_entries(content: Content, kind: Kind) -> Iterator[Entry]:
    import polars as pl

    row = 0
    with reading_parquet(content.file):
        frame = pl.scan_parquet(io.BytesIO(content.data))
        schema: Mapping[str, Any] = frame.collect_schema()
        names = [name for name, dtype in schema.items() if not dtype.is_nested()]
        places = _places(names, kind)
        if places is None:
            message = f"this parquet file has no columns such as query_id, doc_id and {kind.value_names[0]}"
            raise refused(content.file, f"{message}; it has: {', '.join(names)[:200]}")
        wanted = [names[place] for place in places if place is not None]
        for batch in frame.select(pl.col(wanted).cast(pl.String)).collect_batches(chunk_size=BATCH_ROWS):
            longest = max((batch[name].str.len_bytes().max() or 0 for name in batch.columns), default=0)
            if isinstance(longest, int) and longest > 4 * LONGEST_ID:
                message = (
                    f"a value in rows {row + 1} to {row + batch.height} has more than {LONGEST_ID} characters"
                )
                raise refused(content.file, f"{message}; shorten it", None, "identifier")
            for cells in batch.iter_rows(named=True):
                row += 1
                yield _entry(row, [cells.get(name) or "" for name in names], places)
