"""What migrations are made of: statements, and tables whose definition changes while their rows stay."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager

from sqlite_utils import Database

KEYS = {"event": "seq", "judgment": "seq"}
"""The columns that identify rows of tables which others refer to, where they have not the table's own name."""


def allow(db: Database, conditions: Mapping[str, str]) -> None:
    """Replace conditions of tables, by what they were, with wider ones."""
    with rewriting(db):
        for before, after in conditions.items():
            rows = db.execute(
                "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND instr(sql, ?)", [before]
            )
            for name, sql in rows.fetchall():
                redefine(db, name, sql.replace(before, after))


@contextmanager
def rewriting(db: Database) -> Iterator[None]:
    """Definitions may change to ones that hold for all rows there are (sqlite.org/lang_altertable.html)."""
    (version,) = db.execute("PRAGMA schema_version").fetchone()
    db.execute("PRAGMA writable_schema = ON")
    try:
        yield
        db.execute(f"PRAGMA schema_version = {version + 1}")
    finally:
        db.execute("PRAGMA writable_schema = RESET")


def redefine(db: Database, table: str, sql: str) -> None:
    """Give a table another definition, inside `rewriting`."""
    db.execute("UPDATE sqlite_master SET sql = ? WHERE type = 'table' AND name = ?", [sql, table])


def with_key(reference: re.Match[str]) -> str:
    """A reference with the column that it means."""
    table = reference[1]
    return f"REFERENCES {table} ({KEYS.get(table, table)})"


def run(db: Database, statements: Iterable[str]) -> None:
    """Run statements one after the other; empty ones are left out."""
    for statement in statements:
        if statement.strip():
            db.execute(statement)
