"""Opening, creating, closing and copying campaign files.

One connection belongs to one thread. Reading needs no ceremony; every change happens inside
`with campaign.write():`, which begins IMMEDIATE, so that a writer waits for its turn instead of failing with
"database is locked" half-way (a plain BEGIN that reads first and then writes fails at once when somebody
else wrote in between, whatever the timeout).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlite_utils import Database

from workbench.campaign import definitions, schema, turns
from workbench.campaign.failures import busy, in_words
from workbench.campaign.leftovers import let_write_beside, set_aside_foreign_log
from workbench.errors import CampaignError, CampaignUnavailable, NewerCampaign, NotACampaign, NotThere

BUSY_SECONDS = 30.0
"""How long a writer waits for another one, unless `open_campaign` is told otherwise."""

CACHE = "cache_size = -32000"
"""Up to 32 MB for the pages in use: an import of 100,000 judgments touches its indexes all over."""


@dataclass
class Campaign:
    """An open campaign file: where it is, and the connection that the functions of this package use.

    `patience` is how many seconds a writer waits for its turn.
    """

    path: Path
    db: Database
    patience: float = BUSY_SECONDS

    @cached_property
    def turns(self) -> turns.Turns:
        """The queue of those in this process who want to write to this file."""
        return turns.turns_of(self.path)

    @property
    def name(self) -> str:
        """The file's name without its suffix, as commands and addresses use it."""
        return self.path.stem

    @contextmanager
    def write(self, *, keep: bool = True) -> Iterator[None]:
        """One transaction that holds the right to write from its first statement on; all or nothing.

        Without `keep` it is a trial: what is written can be looked at inside the block, and is gone after it.

        Raises CampaignUnavailable when the file cannot be written now: somebody else writes for too long, the disk is
        full.
        """
        connection = self.db.conn
        with self._turn(), in_words(self.path):
            # A backup is a file of its own until it is first written to.
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                connection.execute("COMMIT" if keep else "ROLLBACK")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def _turn(self) -> Iterator[None]:
        """The right to be the one thread of this process that writes to the file."""
        if self.db.conn.in_transaction:  # SQLite says what is wrong with this; waiting for oneself would not
            yield
            return
        if not self.turns.take(self.patience):
            raise busy(self.path)
        try:
            yield
        finally:
            self.turns.give_back()

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
        """Close the campaign, whatever happened; what failed for the file is damaged is told in words."""
        from workbench.campaign.damage import SYMPTOMS, damage_in

        damage = damage_in(self) if isinstance(error, SYMPTOMS) else None
        self.close()
        if damage is not None:
            message = (
                f"{self.path}: damaged ({damage}); go back to a backup: workbench restore BACKUP {self.name}"
            )
            raise NotACampaign(message) from error


def create_campaign(path: Path | str) -> Campaign:
    """A new, empty campaign file at `path`; CampaignError when something is there already."""
    path = Path(path)
    _claim(path, "choose another name, or remove the file first")
    try:
        campaign = Campaign(path, _connect(path))
        try:
            campaign.db.execute(f"PRAGMA application_id = {schema.APPLICATION_ID}")
            with campaign.write():
                schema.migrations.apply(campaign.db)
        except BaseException:
            campaign.close()
            raise
    except BaseException:
        path.unlink()
        raise
    return campaign


def open_campaign(path: Path | str, *, patience: float | None = None) -> Campaign:
    """Open a campaign file, bringing an older one up to date after a copy was put beside it.

    `patience` is how many seconds a writer waits for another one, BUSY_SECONDS when it is None.

    Raises:
        NotThere: there is no such file.
        NotACampaign: the file is something else, or carries triggers or views that are not ours.
        NewerCampaign: a newer version of the workbench wrote it.
        CampaignUnavailable: it cannot be read at the moment, such as when the disk fails.
    """
    path = Path(path)
    if not path.is_file():
        message = f"{path}: there is no such campaign; make one with: workbench new {path}"
        raise NotThere(message)
    with in_words(path, opening=True):
        campaign = Campaign(path, _connect(path, patience), BUSY_SECONDS if patience is None else patience)
        try:
            _check_is_campaign(campaign)
            _bring_up_to_date(campaign)
        except BaseException:
            campaign.close()
            raise
    return campaign


def backup(campaign: Campaign, target: Path | str) -> Path:
    """A consistent copy of a campaign at `target`, also while others write to it; never over a file.

    Who may not read the campaign may not read the copy either.
    """
    target = Path(target)
    _claim(target, "a backup never replaces a file, choose another name")
    try:
        with suppress(OSError):  # a disk without modes
            target.chmod(0o600 | campaign.path.stat().st_mode & 0o777)
        # From a connection of its own: SQLite copies nothing out of one that is in the middle of writing.
        with (
            in_words(target),
            closing(_connect(campaign.path)) as source,
            closing(sqlite3.connect(target)) as copy,
        ):
            source.conn.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
    except BaseException:
        target.unlink()
        raise
    return target


def _connect(path: Path, patience: float | None = None) -> Database:
    _without_leftovers(path)
    wait = BUSY_SECONDS if patience is None else patience
    connection = sqlite3.connect(path, timeout=wait, check_same_thread=False)
    try:
        # Plug-ins of sqlite-utils are somebody else's code; triggers here must not call themselves.
        db = Database(connection, recursive_triggers=False, execute_plugins=False)
        for pragma in ("trusted_schema = OFF", "foreign_keys = ON", "synchronous = FULL", CACHE):
            db.execute(f"PRAGMA {pragma}")
    except BaseException:
        connection.close()
        raise
    return db


def _without_leftovers(path: Path) -> None:
    try:
        set_aside_foreign_log(path)
        let_write_beside(path)
    except OSError as error:
        message = f"{path}: cannot be opened: {error.strerror}"
        raise CampaignUnavailable(message) from error


def _claim(path: Path, way_out: str) -> None:
    """Make `path` an empty file for its owner alone, where there was nothing, not even a link.

    SQLite gives the files beside a database its mode, and nothing here changes the mode again.
    """
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        message = f"{path}: already exists; {way_out}"
        raise CampaignError(message) from None
    except FileNotFoundError:
        message = f"{path}: the folder {path.parent} does not exist; make it first: mkdir -p {path.parent}"
        raise NotThere(message) from None
    except OSError as error:
        message = f"{path}: cannot be made: {error.strerror}"
        raise CampaignError(message) from error


def _check_is_campaign(campaign: Campaign) -> None:
    (application_id,) = campaign.db.execute("PRAGMA application_id").fetchone()
    tables = definitions.definitions_in(campaign.db)["table"]
    if application_id != schema.APPLICATION_ID or schema.migrations.migrations_table not in tables:
        empty = campaign.path.stat().st_size == 0
        what = "an empty file, not a campaign" if empty else "a database, but not a campaign of the workbench"
        message = f"{campaign.path}: {what}"
        raise NotACampaign(message)


def _bring_up_to_date(campaign: Campaign) -> None:
    known, applied = definitions.known_migrations(), _applied_migrations(campaign.db)
    if applied - known:
        unknown = ", ".join(sorted(applied - known))
        message = (
            f"{campaign.path}: written by a newer version of the workbench ({unknown}); update the workbench"
        )
        raise NewerCampaign(message)
    _check_foreign_code(campaign, applied)
    if known - applied:
        _migrate(campaign, known)


def _migrate(campaign: Campaign, known: frozenset[str]) -> None:
    """Put a copy beside the file, then apply what is pending; only one of those who open it at once does so."""
    with campaign.write():
        pending = sorted(known - _applied_migrations(campaign.db))
        if pending:
            stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%SZ")
            path = campaign.path
            backup(campaign, path.with_name(f"{path.stem}.before-{pending[0]}.{stamp}{path.suffix}"))
            schema.migrations.apply(campaign.db)


def _applied_migrations(db: Database) -> frozenset[str]:
    rows = db.execute(
        f"SELECT name FROM {schema.migrations.migrations_table} WHERE migration_set = ?",
        [schema.migrations.name],
    )
    return frozenset(name for (name,) in rows.fetchall())


def _check_foreign_code(campaign: Campaign, applied: frozenset[str]) -> None:
    """Triggers and views run when we read or write: only exactly those of the file's own version are trusted."""
    found, ours = definitions.definitions_in(campaign.db), definitions.definitions(applied)
    for kind in ("trigger", "view"):
        foreign = sorted(name for name, sql in found[kind].items() if ours[kind].get(name) != sql)
        missing = sorted(ours[kind].keys() - found[kind].keys())
        if foreign or missing:
            what = f"foreign: {', '.join(foreign)}" if foreign else f"missing: {', '.join(missing)}"
            message = (
                f"{campaign.path}: triggers or views that are not the workbench's ({what}); "
                "do not trust this file"
            )
            raise NotACampaign(message)
