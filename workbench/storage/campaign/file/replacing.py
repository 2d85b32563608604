"""Making a file of SQLite whole or not at all, and putting it in the place of another without losing either.

Made for campaigns; the accounts are made and put back by the same steps.

First what was left beside a campaign is looked at: a write-ahead log of another file of its name, or files that are
still read-only. An administrator who restores a backup puts it in the place of a campaign. When that campaign was being
served, or its server was killed, its write-ahead log still lies there, and SQLite would play it into the backup: pages
of two files in one, and a log that does not hold (sqlite.org/howtocorrupt.html, section 1.4).
"""

from __future__ import annotations

import logging
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from datetime import UTC, datetime
from glob import escape
from pathlib import Path
from threading import Lock

from workbench.core.atomic_files import drafting, name_new, put_over, remove_abandoned, sync
from workbench.core.errors import (
    CampaignBeingCreated,
    CampaignError,
    CampaignUnavailable,
    NotThere,
    UnusableCampaign,
)

VERSIONS = slice(18, 20)
"""The two bytes of SQLite's header that say how the file is written (sqlite.org/fileformat.html, section 1.3.3)."""

WITHOUT_WAL = b"\x01\x01"

logger = logging.getLogger(__name__)
_one_at_a_time = Lock()
_known: set[tuple[int, int]] = set()
"""Files that this process has opened. Reading one of them here would take its connections' locks away: POSIX drops
all locks of a process on a file when any descriptor of it is closed (sqlite.org/howtocorrupt.html, section 2.2)."""


def set_aside_foreign_log(path: Path) -> Path | None:
    """Rename the write-ahead log beside `path` when it cannot be that file's own; its new name, or None.

    A backup is written without one, and says so in its header until it is first written to as a campaign. To be
    called before a connection is opened, each time; a file is looked at once per process.
    """
    log = path.with_name(f"{path.name}-wal")
    with _one_at_a_time:
        file = _identity(path)
        if file is None or file in _known:
            return None
        _known.add(file)
        # In this order: a log that was there while the header still said "without" is none of this file's.
        seen = _identity(log)
        if (
            seen is None
            or log.stat().st_size == 0
            or _versions(path) != WITHOUT_WAL
            or _identity(log) != seen
        ):
            return None
        aside = log.with_name(f"{log.name}.replaced.{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
        # Its index is mapped into memory by processes that still have the earlier file open: never share it with a new
        # one.
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
        log.rename(aside)
    logger.warning("%s has replaced another file, whose write-ahead log is now %s", path, aside)
    return aside


def set_aside_orphans(path: Path) -> None:
    """Rename the write-ahead log and the journal beside `path` while there is no file of that name.

    They belong to a file that is gone, and SQLite would play them into the next one that gets its name.
    """
    if path.exists():
        return
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    for end in ("-wal", "-journal"):
        left = path.with_name(f"{path.name}{end}")
        if left.exists():
            aside = left.with_name(f"{left.name}.replaced.{datetime.now(UTC):%Y%m%dT%H%M%S%fZ}")
            left.rename(aside)
            logger.warning("%s belonged to a file that is gone, and is now %s", left, aside)


def let_write_beside(path: Path) -> None:
    """Give the log and its index the mode of the campaign where that may be written to and they may not.

    SQLite makes them with the mode that the file has then, and an administrator who makes a read-only campaign
    writable again may overlook them. Files of other owners are not changed.
    """
    for end in ("-wal", "-shm"):
        beside = path.with_name(f"{path.name}{end}")
        if beside.exists() and not os.access(beside, os.W_OK) and os.access(path, os.W_OK):
            with suppress(PermissionError, FileNotFoundError):
                beside.chmod(path.stat().st_mode & 0o777)


def _identity(path: Path) -> tuple[int, int] | None:
    """The file on the disk that has this name now; None when there is none."""
    try:
        found = path.stat()
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _versions(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(VERSIONS.stop)[VERSIONS]


BEFORE_RESTORE = ".before-restore."
"""What is in the name of a file that a backup has replaced."""


@contextmanager
def whole_file(path: Path, way_out: str) -> Iterator[Path]:
    """A place for a new database, which is called `path` when the block ends well; nothing is left otherwise.

    The block leaves it closed and without a write-ahead log (`fold`).

    Raises:
        NotThere: there is no such folder.
        CampaignError: something has the name already, at the end too, or it cannot be made; another process makes it.
    """
    with ExitStack() as stack:
        draft = _draft_for(path, stack, way_out)
        try:
            yield draft
        except (CampaignError, UnusableCampaign) as error:
            if str(draft) not in str(error):
                raise
            raise type(error)(str(error).replace(str(draft), str(path))) from error
        try:
            set_aside_orphans(path)
            name_new(draft, path)
        except FileExistsError:
            raise _taken(path, way_out) from None
        except OSError as error:
            raise CampaignError(f"{path}: cannot be created: {error.strerror}") from error


def _draft_for(path: Path, stack: ExitStack, way_out: str) -> Path:
    try:
        draft = stack.enter_context(drafting(path))
    except FileNotFoundError:
        message = f"{path}: the folder {path.parent} does not exist; make it first: mkdir -p {path.parent}"
        raise NotThere(message) from None
    except CampaignBeingCreated as error:
        raise CampaignUnavailable(str(error)) from error
    except OSError as error:
        raise CampaignError(f"{path}: cannot be created: {error.strerror}") from error
    if os.path.lexists(path):
        raise _taken(path, way_out)
    return draft


def _taken(path: Path, way_out: str) -> CampaignError:
    return CampaignError(f"{path}: already exists; {way_out}")


@contextmanager
def replacement(path: Path) -> Iterator[Path]:
    """A place to make ready what is to be `put_in_place` of `path`; what an earlier, killed attempt left is removed.

    Raises CampaignUnavailable when another process is doing the same, CampaignError when there can be no such place.
    """
    with ExitStack() as stack:
        try:
            draft = stack.enter_context(drafting(path))
            _remove_second_names(path)
        except CampaignBeingCreated as error:
            raise CampaignUnavailable(str(error)) from error
        except OSError as error:
            raise CampaignError(f"{path}: cannot be replaced: {error.strerror}") from error
        yield draft


def tidy(folder: Path) -> None:
    """Remove what killed processes left half made in a folder of campaigns; living ones are left alone."""
    remove_abandoned(folder)
    for aside in folder.glob(f"*{BEFORE_RESTORE}*"):
        path = aside.with_name(aside.name.partition(BEFORE_RESTORE)[0] + aside.suffix)
        with suppress(OSError, CampaignBeingCreated):
            if _is_second_name(aside, path):
                with drafting(path):
                    _remove_second_names(path)


def _remove_second_names(path: Path) -> None:
    """Undo what `put_in_place` began and a killed process did not end: `path` is still the earlier file."""
    for aside in path.parent.glob(f"{escape(path.stem)}{BEFORE_RESTORE}*{escape(path.suffix)}"):
        if not _is_second_name(aside, path):
            continue
        log, its_log = aside.with_name(f"{aside.name}-wal"), path.with_name(f"{path.name}-wal")
        if log.exists() and not its_log.exists():
            log.rename(its_log)
        aside.unlink()


def _is_second_name(aside: Path, path: Path) -> bool:
    return aside.is_file() and path.is_file() and aside.samefile(path)


def copy_as_it_is(source: Path, target: Path) -> None:
    """A consistent copy of the database `source` at `target`, which does not exist yet, readable by its owner only.

    `source` stays as it is: unlike `backup` this does not open it as a campaign, which would bring an older one up to
    date.

    Raises:
        NotThere: there is no file `source`.
        CampaignError: it is not a database, or one that cannot be read.
    """
    if not source.is_file():
        raise NotThere(f"{source}: this file does not exist; check the name")
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    address = f"{source.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as there, closing(sqlite3.connect(target)) as copy:
            there.backup(copy)
    except sqlite3.DatabaseError as error:
        message = f"{source}: cannot be copied as a database ({error}); is the disk full?"
        raise CampaignError(message) from error


def fold(path: Path) -> bool:
    """Turn a campaign that no process has open into one file without a write-ahead log; False if it is damaged.

    SQLite gives up a write-ahead log only when no other connection has the file open, so this also tells whether
    a process has. It cannot detect this for a backup that was never written to: readers do not lock such a file.

    Raises CampaignUnavailable if another process has it open.
    """
    try:
        with closing(sqlite3.connect(path, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF != sqlite3.SQLITE_BUSY:
            return False
        raise CampaignUnavailable(
            f"{path}: another process has this file open; stop the server that uses it (and other commands), "
            "then try again"
        ) from error
    return True


def put_in_place(draft: Path, path: Path, aside: Path) -> bool:
    """Give `draft`, on the same disk, the name `path`; the file that has it now is from then on called `aside`.

    There is a whole campaign at `path` at every moment, also when the machine stops in between. Returns whether
    there was a file before. The draft gets its mode, and its owner where that is allowed.

    Raises CampaignError when there is something called `aside`.
    """
    sync(draft)
    there = path.exists()
    if there:
        _keep_owner(path, draft)
        _name_too(path, aside)
        # A log that could not be folded belongs to the earlier file, and is played into whatever has its name.
        with suppress(FileNotFoundError):
            path.with_name(f"{path.name}-wal").rename(aside.with_name(f"{aside.name}-wal"))
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    put_over(draft, path)
    return there


def put_over_unused(draft: Path, path: Path) -> None:
    """Let `draft` replace the file `path`; CampaignUnavailable if a process has that open."""
    if path.exists() and not fold(path):
        for end in ("-wal", "-shm", "-journal"):  # of a damaged file: nothing that the new one may read
            path.with_name(f"{path.name}{end}").unlink(missing_ok=True)
    set_aside_orphans(path)
    put_over(draft, path)


def _keep_owner(path: Path, draft: Path) -> None:
    shutil.copymode(path, draft)
    with suppress(OSError, AttributeError):  # only root may give a file away
        os.chown(draft, path.stat().st_uid, path.stat().st_gid)


def _name_too(path: Path, aside: Path) -> None:
    try:
        os.link(path, aside)
    except FileExistsError:
        raise CampaignError(f"{aside}: already exists; move it away first") from None
    except OSError:  # a file system without hard links: for a moment there is no file at `path`
        if aside.exists():
            raise CampaignError(f"{aside}: already exists; move it away first") from None
        path.rename(aside)
