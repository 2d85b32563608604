"""Accounts: proof of who somebody is, kept in `accounts.db` of the instance folder.

What a person may do stands in each campaign (`member`), under the name that this file proves. Passwords are
kept as werkzeug's scrypt hashes. Names are stored in Unicode's composed form, and two names that differ only
in case or in compatible forms of a letter are one name.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations
from werkzeug.security import check_password_hash, generate_password_hash

from workbench.errors import WorkbenchError
from workbench.instance import ACCOUNTS_FILE

SCHEMA_VERSION = 1  # the number of migrations below
BUSY_SECONDS = 10.0
LONGEST_NAME = 64
SHORTEST_PASSWORD = 8
LONGEST_PASSWORD = 1024
HIDDEN_CATEGORIES = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
COLUMNS = "name, password_hash, created_at, disabled"

migrations = Migrations("workbench-accounts")


class AccountError(WorkbenchError):
    """An account cannot be made, found or changed as asked; the message says why."""


class Account(NamedTuple):
    """One person's account. `mark` changes with the password, so that sessions can end with it."""

    name: str
    created_at: str
    disabled: bool
    mark: str


@dataclass
class Accounts:
    """The open file of accounts; one connection, for one thread at a time."""

    path: Path
    db: Database

    @contextmanager
    def write(self) -> Iterator[None]:
        """One transaction that may write from its first statement on; all or nothing."""
        connection = self.db.conn
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        """Close the connection."""
        self.db.close()

    def __enter__(self) -> Self:
        """The open file itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the connection."""
        self.close()


@migrations()
def m001_account(db: Database) -> None:
    """Names and password hashes; `name_key` is what makes two spellings one name."""
    db.execute(
        """CREATE TABLE account (
            name TEXT NOT NULL PRIMARY KEY,
            name_key TEXT NOT NULL UNIQUE,
            password_hash TEXT NOT NULL,
            created_at TEXT NOT NULL,
            disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1))
        ) STRICT"""
    )


def open_accounts(instance: Path) -> Accounts:
    """Open the accounts of an instance folder; the file is made, for its owner alone, when it is missing.

    Raises AccountError when the file is something else, or was written by a newer version.
    """
    path = instance / ACCOUNTS_FILE
    _make_private(path)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        accounts = Accounts(path, Database(connection, execute_plugins=False))
        _prepare(accounts)
    except sqlite3.DatabaseError as error:
        connection.close()
        message = f"{path}: not a file of accounts ({error})"
        raise AccountError(message) from error
    except BaseException:
        connection.close()
        raise
    return accounts


def clean_name(name: str) -> str:
    """A person's name as it is stored: composed (NFC), single blanks, nothing invisible in it.

    Raises AccountError for an empty name, one longer than 64 characters, and one with control characters.
    """
    clean = unicodedata.normalize("NFC", name.strip(" "))
    if not clean:
        message = "a name is needed"
        raise AccountError(message)
    if any(unicodedata.category(character) in HIDDEN_CATEGORIES for character in clean):
        message = f"{clean!a}: a name may not contain control characters or other invisible ones"
        raise AccountError(message)
    clean = " ".join(clean.split())
    if len(clean) > LONGEST_NAME:
        message = f"a name may have at most {LONGEST_NAME} characters, this one has {len(clean)}"
        raise AccountError(message)
    return clean


def name_key(name: str) -> str:
    """What two spellings of one name have in common: compatible letters, case and blanks are folded away."""
    folded = unicodedata.normalize("NFKC", name).casefold()
    key = " ".join(unicodedata.normalize("NFKC", folded).split())
    return key.encode("utf-8", "replace").decode()  # half a character cannot be asked for


def add_account(accounts: Accounts, name: str, password: str, *, now: datetime) -> Account:
    """Make an account; AccountError when the name is taken, in any spelling, or the password is too short."""
    clean = clean_name(name)
    password_hash = _hash(password)
    with accounts.write():
        if (taken := find_account(accounts, clean)) is not None:
            message = f"{clean}: there is an account of that name ({taken.name}); choose another"
            raise AccountError(message)
        accounts.db.execute(
            "INSERT INTO account (name, name_key, password_hash, created_at) VALUES (?, ?, ?, ?)",
            [clean, name_key(clean), password_hash, now.isoformat(timespec="seconds")],
        )
    return get_account(accounts, clean)


def find_account(accounts: Accounts, name: str) -> Account | None:
    """The account of that name in any spelling, disabled or not; None when there is none."""
    row = _row(accounts, name)
    return None if row is None else _account(row)


def get_account(accounts: Accounts, name: str) -> Account:
    """The account of that name; AccountError when there is none."""
    if (account := find_account(accounts, name)) is None:
        message = f"{name}: there is no such account; make it with: workbench user add {name}"
        raise AccountError(message)
    return account


def check_password(accounts: Accounts, name: str, password: str) -> Account | None:
    """The account, if the password is right and it is not disabled; else None, without saying which.

    An unknown name costs the same work as a known one: the time taken does not tell who has an account.
    """
    row = _row(accounts, name)
    nobody = _hash_of_nobody()
    right = check_password_hash(nobody if row is None else row[1], password[:LONGEST_PASSWORD])
    if row is None or not right or row[3]:
        return None
    return _account(row)


def list_accounts(accounts: Accounts) -> list[Account]:
    """All accounts by name."""
    rows = accounts.db.execute(f"SELECT {COLUMNS} FROM account ORDER BY name_key").fetchall()
    return [_account(row) for row in rows]


def has_accounts(accounts: Accounts) -> bool:
    """Whether anybody could sign in with a password."""
    return accounts.db.execute("SELECT 1 FROM account WHERE NOT disabled LIMIT 1").fetchone() is not None


def can_be_read(accounts: Accounts) -> bool:
    """Whether the file still gives what it holds."""
    try:
        has_accounts(accounts)
    except sqlite3.Error:
        return False
    return True


def set_password(accounts: Accounts, name: str, password: str) -> Account:
    """Replace a password, which ends the person's sessions everywhere; AccountError for an unknown name."""
    return _change(accounts, name, "password_hash", _hash(password))


def set_disabled(accounts: Accounts, name: str, *, disabled: bool) -> Account:
    """Shut an account, which ends its sessions, or open it again; never deleted, since judgments name it."""
    return _change(accounts, name, "disabled", int(disabled))


def _change(accounts: Accounts, name: str, column: str, value: str | int) -> Account:
    with accounts.write():
        account = get_account(accounts, name)
        accounts.db.execute(f"UPDATE account SET {column} = ? WHERE name = ?", [value, account.name])
    return get_account(accounts, account.name)


def _row(accounts: Accounts, name: str) -> tuple[str, str, str, int] | None:
    row: tuple[str, str, str, int] | None = accounts.db.execute(
        f"SELECT {COLUMNS} FROM account WHERE name_key = ?", [name_key(name)]
    ).fetchone()
    return row


def _account(row: tuple[str, str, str, int]) -> Account:
    name, password_hash, created_at, disabled = row
    mark = hashlib.sha256(password_hash.encode()).hexdigest()[:16]
    return Account(name, created_at, bool(disabled), mark)


def _hash(password: str) -> str:
    if not SHORTEST_PASSWORD <= len(password) <= LONGEST_PASSWORD:
        message = f"a password needs at least {SHORTEST_PASSWORD} characters, and at most {LONGEST_PASSWORD}"
        raise AccountError(message)
    return generate_password_hash(password, method="scrypt")


@cache
def _hash_of_nobody() -> str:
    return generate_password_hash("nobody", method="scrypt")


def _make_private(path: Path) -> None:
    """SQLite gives the files beside a database the mode of the database itself."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        message = f"{path}: cannot be made ({error.strerror})"
        raise AccountError(message) from error


def _prepare(accounts: Accounts) -> None:
    connection = accounts.db.conn
    for pragma in ("trusted_schema = OFF", "foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        message = f"{accounts.path}: written by a newer version of the workbench; update the workbench"
        raise AccountError(message)
    if version == SCHEMA_VERSION:
        return
    accounts.db.enable_wal()
    with accounts.write():
        migrations.apply(accounts.db)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
