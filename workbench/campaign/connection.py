"""Opening, creating, closing and copying campaign files.

One connection belongs to one thread. Reading needs no ceremony; every change happens inside
`with campaign.write():`, which begins IMMEDIATE, so that a writer waits for its turn instead of failing with
"database is locked" half-way (a plain BEGIN that reads first and then writes fails at once when somebody
else wrote in between, whatever the timeout).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database

from workbench.campaign import schema
from workbench.errors import CampaignError, NewerCampaign, NotACampaign, NotThere

BUSY_SECONDS = 30.0


@dataclass
class Campaign:
    """An open campaign file: where it is, and the connection that the functions of this package use."""

    path: Path
    db: Database

    @property
    def name(self) -> str:
        """The file's name without its suffix, as commands and addresses use it."""
        return self.path.stem

    @contextmanager
    def write(self) -> Iterator[None]:
        """One transaction that holds the right to write from its first statement on; all or nothing."""
        connection = self.db.conn
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise

    @contextmanager
    def snapshot(self) -> Iterator[None]:
        """One consistent view for several reads, whatever others write meanwhile."""
        connection = self.db.conn
        if connection.in_transaction:
            yield
            return
        connection.execute("BEGIN")
        try:
            yield
        finally:
            if connection.in_transaction:
                connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close the connection; the last one to close folds the write-ahead log into the one file."""
        self.db.close()

    def __enter__(self) -> Self:
        """The campaign itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the campaign, whatever happened."""
        self.close()


def create_campaign(path: Path | str) -> Campaign:
    """A new, empty campaign file at `path`; CampaignError when something is there already."""
    path = Path(path)
    if path.exists():
        message = f"{path}: already exists; choose another name, or remove the file first"
        raise CampaignError(message)
    if not path.parent.is_dir():
        message = f"{path}: the folder {path.parent} does not exist; make it first: mkdir -p {path.parent}"
        raise NotThere(message)
    campaign = Campaign(path, _connect(path))
    campaign.db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
    campaign.db.enable_wal()
    schema.migrations.apply(campaign.db)
    return campaign


def open_campaign(path: Path | str) -> Campaign:
    """Open a campaign file, bringing an older one up to date after a copy was put beside it.

    Raises:
        NotThere: there is no such file.
        NotACampaign: the file is something else, or carries triggers or views that are not ours.
        NewerCampaign: a newer version of the workbench wrote it.
    """
    path = Path(path)
    if not path.is_file():
        message = f"{path}: there is no such campaign; make one with: workbench new {path}"
        raise NotThere(message)
    db = _connect(path)
    try:
        _check_is_campaign(path, db)
        _bring_up_to_date(path, db)
        _check_foreign_code(path, db)
    except sqlite3.DatabaseError as error:
        db.close()
        message = f"{path}: not a campaign of the workbench ({error})"
        raise NotACampaign(message) from error
    except BaseException:
        db.close()
        raise
    return Campaign(path, db)


def backup(campaign: Campaign, target: Path | str) -> Path:
    """A consistent copy of a campaign at `target`, also while others write to it; never over a file."""
    target = Path(target)
    if target.exists():
        message = f"{target}: already exists; a backup never replaces a file, choose another name"
        raise CampaignError(message)
    copy = sqlite3.connect(target)
    try:
        campaign.db.conn.backup(copy)
        copy.execute("PRAGMA journal_mode = DELETE")
    finally:
        copy.close()
    return target


def _connect(path: Path) -> Database:
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, check_same_thread=False)
    try:
        # Plug-ins of sqlite-utils are somebody else's code; triggers here must not call themselves.
        db = Database(connection, recursive_triggers=False, execute_plugins=False)
        for pragma in ("trusted_schema = OFF", "foreign_keys = ON", "synchronous = FULL"):
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return db


def _check_is_campaign(path: Path, db: Database) -> None:
    (application_id,) = db.execute("PRAGMA application_id").fetchone()
    if application_id != schema.APPLICATION_ID:
        message = f"{path}: a database, but not a campaign of the workbench"
        raise NotACampaign(message)


def _bring_up_to_date(path: Path, db: Database) -> None:
    rows = db.execute(
        "SELECT name FROM _sqlite_migrations WHERE migration_set = ?", [schema.migrations.name]
    ).fetchall()
    applied, known = {name for (name,) in rows}, _known_migrations()
    if applied - known:
        unknown = ", ".join(sorted(applied - known))
        message = f"{path}: written by a newer version of the workbench ({unknown}); update the workbench"
        raise NewerCampaign(message)
    pending = sorted(known - applied)
    if pending:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
        backup(Campaign(path, db), path.with_name(f"{path.stem}.before-{pending[0]}.{stamp}{path.suffix}"))
        schema.migrations.apply(db)


@cache
def _known_migrations() -> frozenset[str]:
    empty = Database(memory=True, execute_plugins=False)
    try:
        return frozenset(migration.name for migration in schema.migrations.pending(empty))
    finally:
        empty.close()


def _check_foreign_code(path: Path, db: Database) -> None:
    """Triggers and views run when we read or write: only exactly our own are trusted."""
    ours = {**schema.TRIGGERS, **schema.VIEWS}
    rows = db.execute("SELECT name, sql FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchall()
    theirs = dict(rows)
    foreign = sorted(name for name, sql in theirs.items() if ours.get(name) != sql)
    missing = sorted(ours.keys() - theirs.keys())
    if foreign or missing:
        what = f"foreign: {', '.join(foreign)}" if foreign else f"missing: {', '.join(missing)}"
        message = f"{path}: triggers or views that are not the workbench's ({what}); do not trust this file"
        raise NotACampaign(message)
