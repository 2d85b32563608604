"""What SQLite and the schema say about a file: damage, dangling references, tables that are not ours."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from workbench.campaign import definitions
from workbench.campaign.connection import Campaign


def integrity_problems(campaign: Campaign) -> Iterator[str]:
    """What SQLite's integrity check reports, which for some damage is an error of the check itself."""
    try:
        for (message,) in campaign.db.conn.execute("PRAGMA integrity_check"):
            if message != "ok":
                yield f"integrity: {message}"
    except sqlite3.DatabaseError as error:
        yield f"integrity: {error}"


def foreign_key_problems(campaign: Campaign) -> Iterator[str]:
    """Rows that refer to rows that do not exist."""
    for table, row, parent, _ in campaign.db.conn.execute("PRAGMA foreign_key_check"):
        yield f"foreign keys: row {row} of {table} refers to a row of {parent} that does not exist"


def foreign_tables(campaign: Campaign) -> Iterator[str]:
    """Tables and indexes of ours that have another definition than we gave them, or are missing."""
    found = definitions.definitions_in(campaign.db)
    ours = definitions.definitions(definitions.known_migrations())
    for kind in ("table", "index"):
        for name, sql in ours[kind].items():
            if found[kind].get(name) != sql:
                yield f"schema: {name} is not defined as the workbench defines it"
