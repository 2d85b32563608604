"""What a file of accounts may consist of: exactly what its schema has."""

from __future__ import annotations

from functools import cache

from sqlite_utils import Database

from workbench.people.accounts import schema


def foreign_code(db: Database) -> list[str]:
    """The triggers and views, by name, that are not as the schema defines them, or are missing.

    They run when the file is read or written, with the rights of who does that.
    """
    return _differing(db, ("trigger", "view"))


def foreign_tables(db: Database) -> list[str]:
    """The same of tables and indexes, which run nothing: an index can refuse rows, and tables are not checked
    otherwise.
    """
    return _differing(db, ("table", "index"))


def _differing(db: Database, kinds: tuple[str, ...]) -> list[str]:
    found, ours = _defined(db, kinds), _expected(kinds)
    return sorted(name for name in found.keys() | ours.keys() if found.get(name) != ours.get(name))


@cache
def _expected(kinds: tuple[str, ...]) -> dict[str, str]:
    empty = Database(memory=True, execute_plugins=False)
    try:
        schema.create(empty)
        return _defined(empty, kinds)
    finally:
        empty.close()


def _defined(db: Database, kinds: tuple[str, ...]) -> dict[str, str]:
    """Name -> SQL of what is not SQLite's own."""
    rows = db.execute(
        f"SELECT name, sql FROM sqlite_schema WHERE type IN ({', '.join('?' * len(kinds))}) "
        "AND sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~'",
        [*kinds],
    )
    return dict(rows.fetchall())
