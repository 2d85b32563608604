"""An older file of accounts that comes back in the place of a newer one: whole, and without its open doors.

Links that were used or withdrawn since are open in it, sessions that have ended hold again, and recovery codes that
were used are good. What else it knows otherwise is a matter for people: who was shut, or has another password since.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from workbench.people.accounts import schema, security_log
from workbench.people.accounts.file import AccountError, Accounts
from workbench.people.accounts.security_log import log_event, stamp
from workbench.people.accounts.sessions import drop_sessions


class AccountDifferences(NamedTuple):
    """The accounts, by name, that were shut since an older file, may not make campaigns any more, have another
    password or did not exist yet, and those whose second factor or providers changed.
    """

    shut: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    other_password: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()
    second_factor: tuple[str, ...] = ()


class _Row(NamedTuple):
    name: str
    password_hash: str
    disabled: int
    makes_campaigns: int
    secret: str


def check_whole(path: Path, name: Path) -> None:
    """AccountError, under the name `name`, for what is no file of accounts or is damaged; the file is only read."""
    try:
        with closing(_only_read(path)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    except (sqlite3.DatabaseError, ValueError) as error:  # names of tables may be damaged
        raise AccountError(f"{name}: not a file of accounts ({error})") from error
    if ("account",) not in tables:
        raise AccountError(f"{name}: a database, but not a file of accounts")
    if found != "ok":
        raise AccountError(f"{name}: damaged ({found}); try an older backup")


def check_definitions(accounts: Accounts) -> None:
    """AccountError for tables and indexes that are not as the workbench made them, or not its own."""
    if foreign := schema.foreign(accounts.db, "table", "index"):
        raise AccountError(
            f"{accounts.path}: tables or indexes that are not the workbench's, are changed or are missing "
            f"({', '.join(map(ascii, foreign))}); find out who changed this file, or go back to a backup"
        )


def revoke_access(accounts: Accounts, detail: str) -> int:
    """Withdraw every unused link and recovery code, end sessions, revoke tokens, on record; how many links."""
    with accounts.write():
        withdrawn = accounts.db.execute(
            "UPDATE link SET withdrawn_at = ? WHERE used_at IS NULL AND withdrawn_at IS NULL",
            [stamp(accounts.now)],
        ).rowcount
        accounts.db.execute("DELETE FROM recovery_code")
        drop_sessions(accounts)
        log_event(accounts, security_log.ACCOUNTS_RESTORED, "", detail=detail)
    return int(withdrawn)


def compare(older: Path, newer: Path) -> AccountDifferences | None:
    """What an older file says otherwise than a newer one; None when one of them cannot be read."""
    try:
        before, since = _rows(older), _rows(newer)
    except sqlite3.DatabaseError:
        return None
    both = [(before[key], since[key]) for key in since if key in before]
    return AccountDifferences(
        shut=tuple(new.name for old, new in both if new.disabled > old.disabled),
        forbidden=tuple(new.name for old, new in both if new.makes_campaigns < old.makes_campaigns),
        other_password=tuple(new.name for old, new in both if new.password_hash != old.password_hash),
        newer=tuple(row.name for key, row in since.items() if key not in before),
        second_factor=tuple(new.name for old, new in both if new.secret != old.secret),
    )


def _rows(path: Path) -> dict[str, _Row]:
    with closing(_only_read(path)) as connection:
        rows = connection.execute(
            "SELECT name_key, name, password_hash, disabled, makes_campaigns, coalesce(secret, '') || coalesce("
            "(SELECT group_concat(issuer || ' ' || subject) FROM identity WHERE identity.name = account.name), '') "
            "FROM account LEFT JOIN second_factor USING (name) ORDER BY name_key"
        ).fetchall()
    return {key: _Row._make(row) for key, *row in rows}


def _only_read(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
