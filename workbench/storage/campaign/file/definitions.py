"""What a campaign file consists of, and what one of our schema does."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from sqlite_utils import Database

from workbench.storage.campaign.file import schema

Definitions = dict[str, dict[str, str]]


def ours() -> Definitions:
    """What a campaign file of our schema consists of: type -> name -> SQL, as SQLite keeps them."""
    return definitions_made_by(schema.create)


@cache
def definitions_made_by(create: Callable[[Database], object]) -> Definitions:
    """What a database consists of in which a function made a schema."""
    empty = Database(memory=True, execute_plugins=False)
    try:
        create(empty)
        return definitions_in(empty)
    finally:
        empty.close()


def definitions_in(db: Database) -> Definitions:
    """What a database consists of: type (table, index, trigger, view) -> name -> SQL; not what SQLite adds itself.

    In a damaged file a name may be no text: it stands here as Python writes it.
    """
    found: dict[str, dict[str, str]] = {"table": {}, "index": {}, "trigger": {}, "view": {}}
    rows = db.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    for kind, name, sql in rows:
        key = name if isinstance(name, str) else repr(name)
        found.setdefault(kind, {})[key] = sql  # of other types there is none, unless the file is damaged
    return found
