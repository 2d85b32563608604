"""What the file of accounts says about one person, without secrets and the names of others, and how that is erased."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from workbench.people.accounts import security_log
from workbench.people.accounts.file import TERMINAL, Accounts
from workbench.people.accounts.security_log import log_event

ANOTHER = "another person"
"""What is given in the place of another person's name, and of what is about them."""

Row = dict[str, Any]


class Naming(NamedTuple):
    """The columns in which a table names people: subjects, who a row is about, and actors, who caused it; more about
    either; secrets, or hashes of them, which are never given; and free text among the subjects, about those
    named in the other columns.

    `is_account` is a condition under which an actor is an account and not a user of the server's system.
    """

    subjects: tuple[str, ...]
    actors: tuple[str, ...] = ()
    about_subject: tuple[str, ...] = ()
    about_actor: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    is_account: str = "TRUE"


NAMED = {
    "account": Naming(("name",), ("invited_by",), secret=("name_key", "password_hash")),
    "session": Naming(("name",), secret=("token_hash",)),
    "token": Naming(("name",), secret=("token_hash",)),
    "identity": Naming(("name",)),
    "second_factor": Naming(("name",), secret=("secret", "last_step")),
    "recovery_code": Naming(("name",), secret=("code_hash",)),
    "link": Naming(
        ("used_by", "account", "name"),
        ("made_by",),
        secret=("token_hash",),
        notes=("name",),
        is_account="NOT at_terminal",
    ),
    "act": Naming(
        ("name",),
        ("actor",),
        about_subject=("detail",),
        about_actor=("address",),
        secret=("hash",),
        is_account=f"address <> '{TERMINAL}'",
    ),
}
"""Every table that names people. An invitation's `name` is a note on its recipient."""


def stored_about(accounts: Accounts, name: str) -> Iterator[tuple[str, Iterator[Row]]]:
    """The tables that name people, each with the rows about this account as they are read.

    Rows that it caused and that are about others are among them, without who that was. `account` has one row, or none.
    """
    for table, naming in NAMED.items():
        yield table, _rows(accounts, table, naming, name)


def _rows(accounts: Accounts, table: str, naming: Naming, name: str) -> Iterator[Row]:
    # Of the account itself the person who invited it is a detail; it is no row about that person.
    actors = () if table == "account" else naming.actors
    named = " OR ".join(f"{column} = ?1" for column in naming.subjects)
    caused = " OR ".join(f"({column} = ?1 AND {naming.is_account})" for column in actors)
    found = accounts.db.conn.execute(
        f"SELECT * FROM {table} WHERE {named}{f' OR {caused}' if caused else ''} ORDER BY 1", [name]
    )
    columns = [column for column, *_ in found.description]
    for values in found:
        row = dict(zip(columns, values, strict=True))
        yield {column: _given(naming, name, row, column) for column in columns if column not in naming.secret}


def _given(naming: Naming, name: str, row: Row, column: str) -> Any:
    value = row[column]
    is_subject = name in (row[each] for each in naming.subjects)
    caused_by_another = not {row[each] for each in naming.actors} <= {name, "", None}
    if column in (*naming.notes, *naming.about_subject):
        hidden = not is_subject
    elif column in naming.about_actor:
        hidden = caused_by_another and value != TERMINAL
    else:
        hidden = column in (*naming.subjects, *naming.actors) and value != name
    return ANOTHER if hidden and value else value


_THEIR_LINKS = "coalesce(account, '') = ?1 OR coalesce(used_by, '') = ?1 OR (kind = 'reset' AND name = ?1)"
"""Invitations that were for the person or were used by them, and links for a new password of theirs."""

OWN = ("account", "session", "token", "identity", "second_factor", "recovery_code")
"""The tables with rows of one account alone."""

_OPEN = (
    "made_by = ?1 AND NOT at_terminal AND used_at IS NULL AND withdrawn_at IS NULL AND declined_at IS NULL"
)


class StoredOfAccount(NamedTuple):
    """How many rows there are of each kind; `acts` are rows of the security log that name the person."""

    accounts: int
    sessions: int
    tokens: int
    identities: int
    second_factors: int
    recovery_codes: int
    links: int
    open_links: int
    acts: int


def stored_of(accounts: Accounts, name: str) -> StoredOfAccount:
    """What the file holds of an account, by its exact name: `open_links` are those that the person made."""
    queries = (
        *(f"SELECT count(*) FROM {table} WHERE name = ?1" for table in OWN),
        f"SELECT count(*) FROM link WHERE {_THEIR_LINKS}",
        f"SELECT count(*) FROM link WHERE {_OPEN}",
        "SELECT count(*) FROM act WHERE name = ?1 OR actor = ?1",
    )
    return StoredOfAccount(*(int(accounts.db.conn.execute(query, [name]).fetchone()[0]) for query in queries))


def erase_account(accounts: Accounts, name: str) -> None:
    """Erase an account with all that it signs in by, and its links; the security log keeps its rows.

    Links that the person made for others are withdrawn, and no longer say who made them. Erasing is an act, which
    does not name the account.
    """
    connection = accounts.db.conn
    connection.execute("PRAGMA secure_delete = ON")
    with accounts.write():
        connection.execute(f"DELETE FROM link WHERE {_THEIR_LINKS}", [name])
        connection.execute(
            f"UPDATE link SET withdrawn_at = ?2 WHERE {_OPEN}", [name, security_log.stamp(accounts.now)]
        )
        connection.execute("UPDATE link SET made_by = '' WHERE made_by = ?1 AND NOT at_terminal", [name])
        for table in OWN:
            connection.execute(f"DELETE FROM {table} WHERE name = ?", [name])
        connection.execute("UPDATE account SET invited_by = '' WHERE invited_by = ?", [name])
        log_event(accounts, security_log.ACCOUNT_ERASED, "")
    # Pages that were split once may hold copies of rows that SQLite takes for free: all of the file is written again.
    # Where the disk has no room for that, the rows are gone nevertheless.
    with suppress(sqlite3.OperationalError):
        connection.execute("VACUUM")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
