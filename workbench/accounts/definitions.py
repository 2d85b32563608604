"""Which triggers and views a file of accounts may have: exactly those of the migrations that it has had."""

from __future__ import annotations

from functools import cache

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations


def foreign_code(db: Database, migrations: Migrations) -> list[str]:
    """The triggers and views, by name, that are not as the file's own migrations define them, or are missing.

    They run when the file is read or written, with the rights of who does that.
    """
    applied = frozenset(step.name for step in migrations.applied(db))
    found, ours = _code_in(db), _expected(migrations, applied)
    return sorted(name for name in found.keys() | ours.keys() if found.get(name) != ours.get(name))


@cache
def _expected(migrations: Migrations, applied: frozenset[str]) -> dict[str, str]:
    empty = Database(memory=True, execute_plugins=False)
    try:
        for step in migrations.pending(empty):
            if step.name in applied:
                step.fn(empty)
        return _code_in(empty)
    finally:
        empty.close()


def _code_in(db: Database) -> dict[str, str]:
    rows = db.execute("SELECT name, sql FROM sqlite_schema WHERE type IN ('trigger', 'view')").fetchall()
    return dict(rows)
