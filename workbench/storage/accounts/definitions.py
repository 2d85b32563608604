"""What a file of accounts may consist of: exactly what the migrations make that it has had."""

from __future__ import annotations

from functools import cache

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations


def foreign_code(db: Database, migrations: Migrations) -> list[str]:
    """The triggers and views, by name, that are not as the file's own migrations define them, or are missing.

    They run when the file is read or written, with the rights of who does that.
    """
    return _differing(db, migrations, ("trigger", "view"))


def foreign_tables(db: Database, migrations: Migrations) -> list[str]:
    """The same of tables and indexes, which run nothing: an index can refuse rows, and tables are not checked
    otherwise.
    """
    return _differing(db, migrations, ("table", "index"))


def _differing(db: Database, migrations: Migrations, kinds: tuple[str, ...]) -> list[str]:
    applied = frozenset(step.name for step in migrations.applied(db))
    found = _defined(db, kinds, besides=migrations.migrations_table)
    ours = _expected(migrations, applied, kinds)
    return sorted(name for name in found.keys() | ours.keys() if found.get(name) != ours.get(name))


@cache
def _expected(migrations: Migrations, applied: frozenset[str], kinds: tuple[str, ...]) -> dict[str, str]:
    empty = Database(memory=True, execute_plugins=False)
    try:
        for step in migrations.pending(empty):
            if step.name in applied:
                step.fn(empty)
        return _defined(empty, kinds)
    finally:
        empty.close()


def _defined(db: Database, kinds: tuple[str, ...], *, besides: str = "") -> dict[str, str]:
    """Name -> SQL of what is not SQLite's own, nor belongs to the table `besides`."""
    rows = db.execute(
        f"SELECT name, sql FROM sqlite_schema WHERE type IN ({', '.join('?' * len(kinds))}) "
        "AND sql IS NOT NULL AND name NOT LIKE 'sqlite~_%' ESCAPE '~' AND tbl_name <> ?",
        [*kinds, besides],
    )
    return dict(rows.fetchall())
