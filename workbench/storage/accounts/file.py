"""The file `accounts.db`: its tables as numbered migrations, how it is opened, and how it is written."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database
from sqlite_utils.migrations import Migrations

from workbench.core.atomic_files import drafting, name_new
from workbench.core.errors import CampaignBeingCreated, WorkbenchError
from workbench.core.hash_chain import GENESIS, next_hash
from workbench.storage.accounts.definitions import foreign_code
from workbench.storage.instance import ACCOUNTS_FILE

SCHEMA_VERSION = 8  # the number of migrations below
BUSY_SECONDS = 10.0
LIKELY = "is the disk full, or the file or its folder read-only?"

migrations = Migrations("workbench-accounts")


class AccountError(WorkbenchError):
    """An account cannot be made, found or changed as asked; the message says why."""


class AccountsUnavailable(WorkbenchError):
    """The file of accounts cannot be read or written at the moment: another process writes, or the disk is full."""


@dataclass
class Accounts:
    """The open file of accounts; one connection, for one thread at a time."""

    path: Path
    db: Database

    @contextmanager
    def write(self) -> Iterator[None]:
        """One transaction that may write from its first statement on; all or nothing.

        Raises AccountsUnavailable when the file cannot be written now.
        """
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


@migrations()
def m002_links_and_acts(db: Database) -> None:
    """Single-use links, and the append-only security log; `epoch` counts sign-outs everywhere.

    Of a link's token only the SHA-256 is kept. The three triggers leave a plain INSERT with the next number as the
    only way to write into `act`.
    """
    for statement in (
        "ALTER TABLE account ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0",
        "ALTER TABLE account ADD COLUMN makes_campaigns INTEGER NOT NULL DEFAULT 0",
        """CREATE TABLE link (
            link INTEGER PRIMARY KEY,
            token_hash TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL CHECK (kind IN ('invitation', 'reset')),
            name TEXT NOT NULL,
            campaign TEXT NOT NULL,
            role TEXT NOT NULL,
            team TEXT NOT NULL,
            topics TEXT NOT NULL,
            made_by TEXT NOT NULL,
            made_at TEXT NOT NULL,
            expires_at TEXT NOT NULL,
            used_by TEXT,
            used_at TEXT,
            withdrawn_at TEXT
        ) STRICT""",
        """CREATE TABLE act (
            seq INTEGER PRIMARY KEY,
            at TEXT NOT NULL,
            act TEXT NOT NULL,
            name TEXT NOT NULL,
            actor TEXT NOT NULL,
            address TEXT NOT NULL,
            detail TEXT NOT NULL
        ) STRICT""",
        """CREATE TRIGGER act_stays BEFORE UPDATE ON act
            BEGIN SELECT RAISE(ABORT, 'the record of acts is append-only'); END""",
        """CREATE TRIGGER act_is_kept BEFORE DELETE ON act
            BEGIN SELECT RAISE(ABORT, 'the record of acts is append-only'); END""",
        """CREATE TRIGGER act_is_next BEFORE INSERT ON act
            WHEN NEW.seq IS NOT (SELECT 1 + coalesce(max(seq), 0) FROM act)
            BEGIN SELECT RAISE(ABORT, 'the record of acts is append-only'); END""",
    ):
        db.execute(statement)


@migrations()
def m003_links_into_one_log(db: Database) -> None:
    """Invitations are into one campaign, not into whichever has its name: `log` is the hash of its log's first row.

    This is unknown for links that are open already, so they are withdrawn.
    """
    db.execute("ALTER TABLE link ADD COLUMN log TEXT NOT NULL DEFAULT ''")
    db.execute(
        """UPDATE link SET withdrawn_at = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')
            WHERE kind = 'invitation' AND used_at IS NULL AND withdrawn_at IS NULL"""
    )


@migrations()
def m004_who_invited(db: Database) -> None:
    """By whose invitation an account came: `invited_by` is "" for one made, or invited, at the server's terminal.

    For what is there already the record says it: an account that its owner made at the moment in which an invitation
    was used under its name came by that invitation. Links for new passwords that organisers made are withdrawn: for
    those a role in one campaign was enough.
    """
    db.execute("ALTER TABLE account ADD COLUMN invited_by TEXT NOT NULL DEFAULT ''")
    db.execute("ALTER TABLE link ADD COLUMN at_terminal INTEGER NOT NULL DEFAULT 0")
    db.execute(
        """UPDATE link SET at_terminal = 1 WHERE EXISTS (
            SELECT 1 FROM act WHERE act.act IN ('invitation made', 'reset link made')
                AND act.address = 'terminal' AND act.actor = link.made_by AND act.at = link.made_at)"""
    )
    db.execute(
        """UPDATE account SET invited_by = coalesce((
            SELECT link.made_by FROM link WHERE link.kind = 'invitation' AND NOT link.at_terminal
                AND link.used_by = account.name AND link.used_at = account.created_at), '')
            WHERE EXISTS (
                SELECT 1 FROM act WHERE act.act = 'account made' AND act.name = account.name
                    AND act.actor = account.name AND act.address <> 'terminal')"""
    )
    db.execute(
        """UPDATE link SET withdrawn_at = strftime('%Y-%m-%dT%H:%M:%S+00:00', 'now')
            WHERE kind = 'reset' AND NOT at_terminal AND used_at IS NULL AND withdrawn_at IS NULL"""
    )


@migrations()
def m005_acts_in_a_chain(db: Database) -> None:
    """Each row of the record gets the hash of itself and the row before it; what is there already becomes a chain."""
    db.execute("ALTER TABLE act ADD COLUMN hash BLOB NOT NULL DEFAULT x''")
    (stays,) = db.execute("SELECT sql FROM sqlite_schema WHERE name = 'act_stays'").fetchone()
    db.execute("DROP TRIGGER act_stays")
    last = GENESIS
    for row in db.execute(
        "SELECT seq, at, act, name, actor, address, detail FROM act ORDER BY seq"
    ).fetchall():
        last = next_hash(last, "act", row)
        db.execute("UPDATE act SET hash = ? WHERE seq = ?", [last, row[0]])
    db.execute(stays)


@migrations()
def m006_roles_are_offered(db: Database) -> None:
    """An invitation can be for one account: `account` is its name, "" where no account had the name that was typed.

    NULL in it is an invitation by a link. `taken_names` counts the names tried with a link that were not free, and
    `taken_at` is the time of the last one.
    """
    for column in (
        "account TEXT",
        "declined_at TEXT",
        "taken_names INTEGER NOT NULL DEFAULT 0",
        "taken_at TEXT",
    ):
        db.execute(f"ALTER TABLE link ADD COLUMN {column}")


@migrations()
def m007_sessions(db: Database) -> None:
    """Sessions as rows, of whose token only the SHA-256 is kept: they can be listed, and end when their row goes.

    The marks that ended sessions before (`account.epoch`) are done with, and so are the sessions that carry one:
    all users sign in once more after this update.
    """
    db.execute(
        """CREATE TABLE session (
            session INTEGER PRIMARY KEY,
            token_hash TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            local TEXT NOT NULL,
            browser TEXT NOT NULL,
            address TEXT NOT NULL,
            started_at TEXT NOT NULL,
            used_at TEXT NOT NULL,
            confirmed_at TEXT NOT NULL
        ) STRICT"""
    )
    db.execute("CREATE INDEX session_of ON session (name)")
    db.execute("ALTER TABLE account DROP COLUMN epoch")


@migrations()
def m008_second_factor(db: Database) -> None:
    """The secret of who signs in with codes, the last step of time whose code was used, and hashed recovery codes."""
    db.execute(
        """CREATE TABLE second_factor (
            name TEXT NOT NULL PRIMARY KEY,
            secret TEXT NOT NULL,
            made_at TEXT NOT NULL,
            last_step INTEGER NOT NULL
        ) STRICT"""
    )
    db.execute(
        """CREATE TABLE recovery_code (
            name TEXT NOT NULL,
            code_hash TEXT NOT NULL,
            PRIMARY KEY (name, code_hash)
        ) STRICT"""
    )


def open_accounts(instance: Path) -> Accounts:
    """Open the accounts of an instance folder; the file is made, for its owner alone, when it is missing.

    Raises AccountError when the file is something else, carries triggers or views that are not ours, was written by a
    newer version, or is a link to nothing; AccountsUnavailable when it
    cannot be read or written now.
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
        message = f"{path}: cannot be opened at the moment ({error}); {LIKELY}"
        raise AccountsUnavailable(message) from error
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
        message = f"{target}: is there already; choose another name"
        raise AccountError(message) from None
    except CampaignBeingCreated as error:
        raise AccountError(str(error)) from error
    except OSError as error:
        message = f"{target}: cannot be made ({error.strerror})"
        raise AccountError(message) from error
    except sqlite3.Error as error:
        message = f"{target}: the accounts cannot be copied there ({error}); {LIKELY}"
        raise AccountError(message) from error


def _copy(accounts: Accounts, draft: Path) -> None:
    _make_private(draft)
    with closing(sqlite3.connect(draft)) as copy:
        accounts.db.conn.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")  # one file, with nothing beside it


def _make_private(path: Path) -> bool:
    """Make an empty file for its owner alone; False when something has this name, a link to nothing too.

    SQLite gives the files beside a database the mode of the database itself.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        return False
    except OSError as error:
        message = f"{path}: cannot be made ({error.strerror})"
        raise AccountError(message) from error
    return True


def _prepare(accounts: Accounts) -> None:
    connection = accounts.db.conn
    for pragma in ("trusted_schema = OFF", "foreign_keys = ON", "synchronous = FULL"):
        connection.execute(f"PRAGMA {pragma}")
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > SCHEMA_VERSION:
        message = f"{accounts.path}: written by a newer version of the workbench; update the workbench"
        raise AccountError(message)
    _check_foreign_code(accounts)
    accounts.db.enable_wal()  # a copy that was put in the place of the accounts has none
    if version == SCHEMA_VERSION:
        return
    with accounts.write():
        migrations.apply(accounts.db)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _check_foreign_code(accounts: Accounts) -> None:
    connection = accounts.db.conn
    connection.execute("BEGIN")  # one view of the file, which another process may be bringing up to date
    try:
        foreign = foreign_code(accounts.db, migrations)
    finally:
        connection.execute("ROLLBACK")
    if foreign:
        message = (
            f"{accounts.path}: triggers or views that are not the workbench's, or are missing "
            f"({', '.join(foreign)}); do not trust this file, go back to a backup: workbench user restore BACKUP"
        )
        raise AccountError(message)
