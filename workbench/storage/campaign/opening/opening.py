"""Opening, creating, checking and copying campaign files."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from sqlite_utils import Database

from workbench.core.errors import CampaignError, CampaignUnavailable, NotACampaign, NotThere, OtherSchema
from workbench.jobs.observing import observed_steps
from workbench.storage.campaign.file import schema
from workbench.storage.campaign.file.connection import BUSY_SECONDS, Campaign, explain_failures
from workbench.storage.campaign.file.replacing import let_write_beside, set_aside_foreign_log, whole_file
from workbench.storage.campaign.opening.damage import damage_in, require_undamaged
from workbench.storage.instance import command_name

CACHE = "cache_size = -32000"
"""Up to 32 MB for the pages in use: an import of 100,000 judgments touches its indexes all over."""

MOST_OF_ALL = 64 << 20
"""Bytes that SQLite keeps in a process with many connections. Without pages, each takes 0.15 MB of them."""

PAGES_AT_ONCE = 1_000
"""How many pages a backup copies between two steps that an observer sees."""


def create_campaign(path: Path | str) -> Campaign:
    """A new, empty campaign file at `path`; CampaignError when something is there already.

    A process that is killed leaves a part of it: call this for a place inside `whole_file`, or in a temporary folder.
    """
    path = Path(path)
    _claim(path, "choose another name, or remove the file first")
    try:
        with explain_failures(path):
            campaign = Campaign(path, _connect(path), damage_in=damage_in)
            try:
                with campaign.write():
                    schema.create(campaign.db)
            except BaseException:
                campaign.close()
                raise
    except BaseException:
        path.unlink()
        raise
    return campaign


def open_campaign(path: Path | str, *, patience: float | None = None, compare: bool = True) -> Campaign:
    """Open a campaign file.

    `patience` is how many seconds a writer waits for another one, BUSY_SECONDS when it is None. With `compare` the log
    and what follows from it are compared with their hashes first, once per process (see `damage`).

    Raises:
        NotThere: there is no such file.
        NotACampaign: the file is something else, or carries triggers or views that are not ours.
        DamagedCampaign: what it holds is not what was written.
        OtherSchema: another version of the workbench made it.
        CampaignUnavailable: it cannot be read at the moment, such as when the disk fails.
    """
    path = Path(path)
    if not path.is_file():
        message = f"{path}: this campaign does not exist; create it with: workbench new {command_name(path)}"
        raise NotThere(message)
    with explain_failures(path, opening=True):
        wait = BUSY_SECONDS if patience is None else patience
        campaign = Campaign(path, _connect(path, wait), wait, damage_in)
        try:
            with campaign.snapshot():
                _check_is_ours(campaign)
                if compare:
                    require_undamaged(campaign)
        except BaseException:
            campaign.close()
            raise
    return campaign


def bound_pages() -> None:
    """Have all connections of this process together keep at most MOST_OF_ALL bytes, unless a statement needs more.

    Beyond them a connection uses its own pages again, and reads what it needs from the system's cache.
    """
    with closing(sqlite3.connect(":memory:")) as connection:
        connection.execute(f"PRAGMA soft_heap_limit = {MOST_OF_ALL}")


def backup(campaign: Campaign, target: Path | str) -> Path:
    """A consistent copy at `target`, also during writes, never over a file, as private as the campaign."""
    target = Path(target)
    with whole_file(target, "a backup never replaces a file, choose another name") as draft:
        _claim(draft, "")
        with suppress(OSError):  # a disk without modes
            draft.chmod(0o600 | campaign.path.stat().st_mode & 0o777)
        # From a connection of its own: SQLite copies nothing out of one that is in the middle of writing.
        with (
            explain_failures(target),
            closing(_connect(campaign.path)) as source,
            closing(sqlite3.connect(draft)) as copy,
        ):
            _copy(source.conn, copy)
            copy.execute("PRAGMA journal_mode = DELETE")
    return target


def _copy(source: sqlite3.Connection, copy: sqlite3.Connection) -> None:
    """Copy what the source holds now, some pages at a time."""
    # SQLite starts over when others write between two steps, unless a transaction keeps what it reads.
    source.execute("BEGIN")
    (pages,) = source.execute("PRAGMA page_count").fetchone()
    with observed_steps("Copying", pages) as advance:
        left = pages

        def copied(_: int, remaining: int, __: int) -> None:
            nonlocal left
            advance(left - remaining)
            left = remaining

        source.backup(copy, pages=PAGES_AT_ONCE, progress=copied)
    source.execute("ROLLBACK")


def _connect(path: Path, patience: float = BUSY_SECONDS) -> Database:
    _without_leftovers(path)
    connection = sqlite3.connect(path, timeout=patience, check_same_thread=False)
    try:
        # Plug-ins of sqlite-utils are third-party code; triggers here must not call themselves.
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
        raise CampaignUnavailable(f"{path}: cannot be opened: {error.strerror}") from error


def _claim(path: Path, way_out: str) -> None:
    """Make `path` an empty file for its owner alone, as SQLite's beside it then are, where there was nothing."""
    try:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    except FileExistsError:
        raise CampaignError(f"{path}: already exists; {way_out}") from None
    except FileNotFoundError:
        message = f"{path}: the folder {path.parent} does not exist; make it first: mkdir -p {path.parent}"
        raise NotThere(message) from None
    except OSError as error:
        raise CampaignError(f"{path}: cannot be created: {error.strerror}") from error


def _check_is_ours(campaign: Campaign) -> None:
    """Refuse what is no campaign, has another schema, or has code of others."""
    (application_id,) = campaign.db.execute("PRAGMA application_id").fetchone()
    found = schema.definitions_in(campaign.db)
    path, version = campaign.path, application_id & 0xFF
    if application_id >> 8 != schema.FAMILY or "event" not in found["table"]:
        empty = path.stat().st_size == 0
        what = "an empty file, not a campaign" if empty else "a database, but not a campaign of the workbench"
        raise NotACampaign(f"{path}: {what}")
    if version != schema.VERSION:
        raise OtherSchema(
            f"{path}: another version of the workbench made it (its schema is number {version}, and this version has "
            f"number {schema.VERSION}); use the version that made it"
        )
    _check_foreign_code(path, found, schema.ours())


def _check_foreign_code(path: Path, found: schema.Definitions, ours: schema.Definitions) -> None:
    """Triggers and views run when we read or write: only exactly those of the file's own version are trusted."""
    for kind in ("trigger", "view"):
        foreign = sorted(name for name, sql in found[kind].items() if ours[kind].get(name) != sql)
        missing = sorted(ours[kind].keys() - found[kind].keys())
        if foreign or missing:
            what = f"foreign: {', '.join(foreign)}" if foreign else f"missing: {', '.join(missing)}"
            raise NotACampaign(
                f"{path}: triggers or views that are not the workbench's ({what}); do not trust this file"
            )
