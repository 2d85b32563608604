"""A person's account erased, with all that lets them sign in; the security log keeps its rows."""

from __future__ import annotations

import sqlite3
from contextlib import suppress
from datetime import datetime
from typing import NamedTuple

from workbench.people.accounts import security_log
from workbench.people.accounts.file import Accounts
from workbench.people.accounts.security_log import By, log_event

_THEIR_LINKS = "coalesce(account, '') = ?1 OR coalesce(used_by, '') = ?1 OR (kind = 'reset' AND name = ?1)"
"""Invitations that were for the person or were used by them, and links for a new password of theirs."""

_OPEN = (
    "made_by = ?1 AND NOT at_terminal AND used_at IS NULL AND withdrawn_at IS NULL AND declined_at IS NULL"
)


class StoredOfAccount(NamedTuple):
    """How many rows there are of each kind; `acts` are rows of the security log that name the person."""

    accounts: int
    sessions: int
    second_factors: int
    recovery_codes: int
    links: int
    open_links: int
    acts: int


def stored_of(accounts: Accounts, name: str) -> StoredOfAccount:
    """What the file holds of an account, by its exact name: `open_links` are those that the person made."""
    queries = (
        "SELECT count(*) FROM account WHERE name = ?1",
        "SELECT count(*) FROM session WHERE name = ?1",
        "SELECT count(*) FROM second_factor WHERE name = ?1",
        "SELECT count(*) FROM recovery_code WHERE name = ?1",
        f"SELECT count(*) FROM link WHERE {_THEIR_LINKS}",
        f"SELECT count(*) FROM link WHERE {_OPEN}",
        "SELECT count(*) FROM act WHERE name = ?1 OR actor = ?1",
    )
    return StoredOfAccount(*(int(accounts.db.conn.execute(query, [name]).fetchone()[0]) for query in queries))


def erase_account(accounts: Accounts, name: str, *, by: By, now: datetime) -> StoredOfAccount:
    """Erase an account with its sessions, second factor, codes and links; returns what there was.

    Links that the person made for others are withdrawn, and no longer say by whom. Erasing is an act, which does not
    name the account.
    """
    connection = accounts.db.conn
    connection.execute("PRAGMA secure_delete = ON")
    with accounts.write():
        there = stored_of(accounts, name)
        connection.execute(f"DELETE FROM link WHERE {_THEIR_LINKS}", [name])
        connection.execute(
            f"UPDATE link SET withdrawn_at = ?2 WHERE {_OPEN}", [name, security_log.stamp(now)]
        )
        connection.execute("UPDATE link SET made_by = '' WHERE made_by = ?1 AND NOT at_terminal", [name])
        for table in ("session", "second_factor", "recovery_code", "account"):
            connection.execute(f"DELETE FROM {table} WHERE name = ?", [name])
        connection.execute("UPDATE account SET invited_by = '' WHERE invited_by = ?", [name])
        log_event(accounts, security_log.ACCOUNT_ERASED, "", by=by, now=now)
    # Pages that were split once may hold copies of rows that SQLite takes for free: all of the file is written again.
    # Where the disk has no room for that, the rows are gone nevertheless.
    with suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    return there
