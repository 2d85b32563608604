"""The file `accounts.db`: how it is opened, and how it is written."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from copy import copy
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database

from workbench.core.atomic_files import drafting, name_new
from workbench.core.errors import CampaignBeingCreated, WorkbenchError
from workbench.people.accounts import schema
from workbench.storage.instance import ACCOUNTS_FILE

BUSY_SECONDS = 10.0
TERMINAL = "terminal"
"""The address of who works at the server's own terminal."""

LIKELY = "is the disk full, or the file or its folder read-only?"


class AccountError(WorkbenchError):
    """An account cannot be made, found or changed as asked; the message says why."""


class AccountsUnavailable(WorkbenchError):
    """The file of accounts cannot be read or written at the moment: another process writes, or the disk is full."""


@dataclass
class Accounts:
    """The open file of accounts; one connection, for one thread at a time.

    `actor` is who changes it, "" if unknown, and `address` the network address, or TERMINAL: `by` gives such a view.
    `moment` is when, None for the clock.
    """

    path: Path
    db: Database
    actor: str = ""
    address: str = TERMINAL
    moment: datetime | None = None

    def by(self, actor: str, address: str | None = None) -> Self:
        """The same accounts for someone who changes them, from an address or the one that they had."""
        view = copy(self)
        view.actor, view.address = actor, self.address if address is None else address
        return view

    def at(self, moment: datetime | None) -> Self:
        """The same accounts at a moment, None for now."""
        view = copy(self)
        view.moment = moment
        return view

    @property
    def now(self) -> datetime:
        """The moment that they are looked at or changed, in UTC."""
        return self.moment or datetime.now(UTC)

    @property
    def at_terminal(self) -> bool:
        """Whether `actor` is a user of the server's system, who is not the account of the same name."""
        return self.address == TERMINAL

    @contextmanager
    def write(self) -> Iterator[None]:
        """A transaction that may write at once, all or nothing; AccountsUnavailable if it cannot be written now."""
        connection = self.db.conn
        try:
            connection.execute("BEGIN IMMEDIATE")
            yield
            connection.execute("COMMIT")
        except sqlite3.OperationalError as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            message = f"{self.path}: cannot be written at the moment ({error}); {LIKELY}"
            raise AccountsUnavailable(message) from error
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


def open_accounts(instance: Path) -> Accounts:
    """Open the accounts of an instance folder; the file is made, for its owner alone, when it is missing.

    Raises AccountError when the file is something else, carries triggers or views that are not ours, was made by
    another version, or is a link to nothing; AccountsUnavailable when it cannot be read or written now.
    """
    path = instance / ACCOUNTS_FILE
    if not _make_private(path) and not path.exists():
        message = f"{path}: a link to a file that does not exist; remove the link, or put the accounts there"
        raise AccountError(message)
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        accounts = Accounts(path, Database(connection, execute_plugins=False))
        _prepare(accounts)
    except sqlite3.OperationalError as error:
        connection.close()
        raise AccountsUnavailable(f"{path}: cannot be opened at the moment ({error}); {LIKELY}") from error
    except (
        sqlite3.DatabaseError,
        ValueError,
        LookupError,
        TypeError,
    ) as error:  # a damaged schema raises any of them
        connection.close()
        way_out = "restore a backup: workbench user restore BACKUP"
        message = f"{path}: not a file of accounts, or a damaged one ({error}); {way_out}"
        raise AccountError(message) from error
    except BaseException:
        connection.close()
        raise
    return accounts


def hash_of(token: str) -> str:
    """What the file keeps of a token or a code: its SHA-256."""
    return sha256(token.encode("utf-8", "replace")).hexdigest()


def can_be_read(accounts: Accounts) -> bool:
    """Whether the file still gives what it holds."""
    try:
        accounts.db.execute("SELECT 1 FROM account LIMIT 1").fetchone()
    except sqlite3.Error:
        return False
    return True


def backup(accounts: Accounts, target: Path) -> None:
    """Copy all accounts into a new file for its owner alone, also while a server uses them.

    A plain copy would lose what is in the write-ahead log beside the file. Raises AccountError when the target is
    there already or cannot be written; nothing is left of it then.
    """
    try:
        with drafting(target) as draft:
            if os.path.lexists(target):
                raise FileExistsError(target)
            _copy(accounts, draft)
            name_new(draft, target)
    except FileExistsError:
        raise AccountError(f"{target}: is there already; choose another name") from None
    except CampaignBeingCreated as error:
        raise AccountError(str(error)) from error
    except OSError as error:
        raise AccountError(f"{target}: cannot be made ({error.strerror})") from error
    except sqlite3.Error as error:
        raise AccountError(f"{target}: the accounts cannot be copied there ({error}); {LIKELY}") from error


def _copy(accounts: Accounts, draft: Path) -> None:
    _make_private(draft)
    with closing(sqlite3.connect(draft)) as copy:
        accounts.db.conn.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it


def _make_private(path: Path) -> bool:
    """Make an empty file for its owner alone, as SQLite's beside it then are; False if the name is taken."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    except OSError as error:
        raise AccountError(f"{path}: cannot be made ({error.strerror})") from error
    return True


def _prepare(accounts: Accounts) -> None:
    connection = accounts.db.conn
    for pragma in ("trusted_schema = OFF", "foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")
    if _is_empty(accounts):
        accounts.db.enable_wal()
        with accounts.write():
            if _is_empty(accounts):  # else another process was first
                schema.create(accounts.db)
    _check_is_ours(accounts)
    accounts.db.enable_wal()  # a copy that was put in the place of the accounts has none


def _is_empty(accounts: Accounts) -> bool:
    return accounts.db.execute("SELECT 1 FROM sqlite_schema LIMIT 1").fetchone() is None


def _check_is_ours(accounts: Accounts) -> None:
    (version,) = accounts.db.execute("PRAGMA user_version").fetchone()
    if version != schema.VERSION:
        raise AccountError(
            f"{accounts.path}: another version of the workbench made it, or another program (its schema is number "
            f"{version}, and this version has number {schema.VERSION}); use the version that made it"
        )
    if foreign := schema.foreign(accounts.db, "trigger", "view"):
        raise AccountError(
            f"{accounts.path}: triggers or views that are not the workbench's, or are missing "
            f"({', '.join(foreign)}); do not trust this file, go back to a backup: workbench user restore BACKUP"
        )
