"""Which fields a file has, by which its form is known: of JSON its first record, of a table its first line."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from workbench.formats.tables.csv_cells import table_rows
from workbench.formats.text.content import START, Content, content_of, is_json, name_of, stream_of
from workbench.formats.text.json_values import JsonValue, json_objects


class Fields(NamedTuple):
    """The names of the fields, also those inside an object or the first of a list, as `nuggets.text`; the record."""

    names: frozenset[str]
    is_table: bool = False
    record: JsonValue = None

    @classmethod
    def of(cls, record: JsonValue) -> Fields:
        """Those of an object."""
        return cls(frozenset(_names(record)), record=record)

    def has(self, *names: str) -> bool:
        """Whether all of these are there."""
        return self.names.issuperset(names)


def fields_of(path: str | Path | Content) -> Fields:
    """The fields of a file. Raises InputError where it is empty, or neither JSON nor a table."""
    file = name_of(path)
    with stream_of(path) as stream:
        if is_json(stream):
            _, record = next(json_objects(stream, file), (0, None))
            return Fields.of(record)
        first = stream.readline(START)
    _, cells = next(table_rows(content_of(file, first)))
    return Fields(frozenset(cells), is_table=True)


def _names(record: JsonValue) -> set[str]:
    if not isinstance(record, dict):
        return set()
    found = set(record)
    for name, value in record.items():
        inner = value[0] if isinstance(value, list) and value else value
        found |= {f"{name}.{each}" for each in inner} if isinstance(inner, dict) else set()
    return found
