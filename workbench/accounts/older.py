"""An older file of accounts that comes back in the place of a newer one: whole, and without its open doors.

Links that were used or withdrawn since are open in it, and sessions that have ended hold again. What else it knows
otherwise is a matter for people: who was shut, or has another password since.
"""

from __future__ import annotations

import secrets
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from workbench.accounts import acts
from workbench.accounts.acts import By, put_act, stamp
from workbench.accounts.file import AccountError, Accounts

EPOCHS = 2**62


class Otherwise(NamedTuple):
    """Of whom an older file says something else than a newer one, by name.

    Accounts that were shut since, may not make campaigns any more, have another password, or did not exist yet.
    """

    shut: tuple[str, ...] = ()
    forbidden: tuple[str, ...] = ()
    other_password: tuple[str, ...] = ()
    newer: tuple[str, ...] = ()


class _Row(NamedTuple):
    name: str
    password_hash: str
    disabled: int
    makes_campaigns: int


def check_whole(path: Path, name: Path) -> None:
    """AccountError, under the name `name`, for what is no file of accounts or is damaged; the file is only read."""
    try:
        with closing(_only_read(path)) as connection:
            (found,) = connection.execute("PRAGMA integrity_check(1)").fetchone()
            tables = connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'").fetchall()
    except sqlite3.DatabaseError as error:
        message = f"{name}: not a file of accounts ({error})"
        raise AccountError(message) from error
    if ("account",) not in tables:
        message = f"{name}: a database, but not a file of accounts"
        raise AccountError(message)
    if found != "ok":
        message = f"{name}: damaged ({found}); try an older backup"
        raise AccountError(message)


def check_record(accounts: Accounts) -> None:
    """AccountError for a record of acts that is not what was written."""
    if broken := acts.broken_rows(accounts):
        message = (
            f"{accounts.path}: the record of acts does not hold from row {broken[0]} on; somebody changed this file, "
            "go back to an older backup"
        )
        raise AccountError(message)


def shut_doors(accounts: Accounts, detail: str, *, by: By, now: datetime) -> int:
    """Withdraw every link that nobody has used and end every session, in the record of acts; how many links.

    Each account gets an epoch that no file had before, so that no session of any time holds.
    """
    with accounts.write():
        withdrawn = accounts.db.execute(
            "UPDATE link SET withdrawn_at = ? WHERE used_at IS NULL AND withdrawn_at IS NULL", [stamp(now)]
        ).rowcount
        accounts.db.execute("UPDATE account SET epoch = ?", [1 + secrets.randbelow(EPOCHS)])
        put_act(accounts, acts.ACCOUNTS_RESTORED, "", by=by, detail=detail, now=now)
    return int(withdrawn)


def compare(older: Path, newer: Path) -> Otherwise | None:
    """What an older file says otherwise than a newer one; None when one of them cannot be read."""
    try:
        before, since = _rows(older), _rows(newer)
    except sqlite3.DatabaseError:
        return None
    both = [(before[key], since[key]) for key in since if key in before]
    return Otherwise(
        shut=tuple(new.name for old, new in both if new.disabled > old.disabled),
        forbidden=tuple(new.name for old, new in both if new.makes_campaigns < old.makes_campaigns),
        other_password=tuple(new.name for old, new in both if new.password_hash != old.password_hash),
        newer=tuple(row.name for key, row in since.items() if key not in before),
    )


def _rows(path: Path) -> dict[str, _Row]:
    with closing(_only_read(path)) as connection:
        rows = connection.execute(
            "SELECT name_key, name, password_hash, disabled, makes_campaigns FROM account ORDER BY name_key"
        ).fetchall()
    return {key: _Row._make(row) for key, *row in rows}


def _only_read(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)
