"""Files of records: JSON, or a table with the same names above its columns, which each kind of file declares once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.text.column_names import spelled_together
from workbench.formats.text.content import Content, content_of, is_json, name_of, stream_of
from workbench.formats.text.files import refused
from workbench.formats.text.json_values import Placed, json_objects
from workbench.formats.text.lines import shown


class Columns(NamedTuple):
    """The fields of a kind of file.

    Attributes:
        example: the first line of a table.
        names: the field by each of its names, as `spellings` makes it; other names stay as they are written.
        needed: sets of fields; a table has at least one of each.
        lists: fields with several values, in a cell with blanks between them.
        unnamed: the fields of a table whose first line lacks a needed one; without them that is refused.
        only: whether other names are refused.
        last: whether of several columns for one field the last counts; otherwise that is refused.
    """

    example: str = ""
    names: Mapping[str, str] = MappingProxyType({})
    needed: tuple[tuple[str, ...], ...] = ()
    lists: tuple[str, ...] = ()
    unnamed: tuple[str, ...] = ()
    only: bool = False
    last: bool = False

    def fields(self, names: Iterable[str]) -> list[str]:
        """The field of each name, "" for one that does not count."""
        found = [self.names.get(spelled_together(name), name) for name in names]
        return ["" if self.last and each in found[at:] else each for at, each in enumerate(found, start=1)]


def spellings(names: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """The field by each name of it, spelled together; `names` has them by field."""
    return {spelled_together(name): field for field, of in names.items() for name in of}


def records(path: str | Path | Content, columns: Columns) -> Iterator[Placed]:
    """The line of each record, and its fields: JSON as it is, whatever it is; of a table cells that are not empty.

    An empty cell of a list is one without values.

    Raises InputError: a table without a needed column, two columns for one field, a cell that no column is above.
    """
    file = name_of(path)
    with stream_of(path) as stream:
        if not is_json(stream):
            yield from _rows(content_of(file, stream.read()), columns)
            return
        for line, value in json_objects(stream, file):
            if isinstance(value, dict):
                fields = columns.fields(value)
                _check(file, columns, list(value), fields, line)
                value = dict(zip(fields, value.values(), strict=True))
            yield line, value


def _rows(content: Content, columns: Columns) -> Iterator[Placed]:
    rows, file = table_rows(content), content.file
    _, head = next(rows, (1, []))
    fields = columns.fields(head)
    if missing := [" or ".join(of) for of in columns.needed if not set(of) & set(fields)]:
        if not columns.unnamed:
            message = f"the first line names no column {', '.join(missing)}; write {columns.example} above"
            raise refused(file, message, 1)
        rows, fields = chain([(1, head)], rows), list(columns.unnamed)
    else:
        _check(file, columns, head, fields, 1)
    for line, cells in rows:
        if any(cells[len(fields) :]):
            message = (
                f"{len(cells)} cells under {len(fields)} column names; quote cells with separators in them"
            )
            raise refused(file, message, line)
        row = zip(fields, cells, strict=False)
        yield (
            line,
            {
                field: cell.split() if field in columns.lists else cell
                for field, cell in row
                if cell or field in columns.lists
            },
        )


def _check(file: str, columns: Columns, names: Sequence[str], fields: list[str], line: int) -> None:
    """InputError where two names are of one field, or one is not known and only those may be there."""
    if len(set(fields)) < len(fields):
        twice = next((each for each in fields if each and fields.count(each) > 1), "")
        same = [shown(name) for name, field in zip(names, fields, strict=True) if field == twice]
        if twice:
            raise refused(file, f"{' and '.join(same)} are one field, {twice}; leave one of them", line)
    if columns.only and (unknown := set(fields) - set(columns.names.values())):
        message = f"there is no column {shown(min(unknown))}; write {columns.example}"
        raise refused(file, message, line)
