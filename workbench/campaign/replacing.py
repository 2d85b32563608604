"""Putting one file of SQLite in the place of another, so that neither is lost nor mixed with the other.

Made for campaigns; the accounts are put back by the same steps.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing, suppress
from pathlib import Path

from workbench.errors import CampaignError, CampaignUnavailable, NotThere


def copy_as_it_is(source: Path, target: Path) -> None:
    """A consistent copy of the database `source` at `target`, which nobody has yet, for its owner alone.

    `source` stays as it is: unlike `backup` this does not open it as a campaign, which would bring an older one up to
    date.

    Raises:
        NotThere: there is no file `source`.
        CampaignError: it is not a database, or one that cannot be read.
    """
    if not source.is_file():
        message = f"{source}: there is no such file"
        raise NotThere(message)
    os.close(os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    address = f"{source.absolute().as_uri()}?mode=ro"
    try:
        with closing(sqlite3.connect(address, uri=True)) as there, closing(sqlite3.connect(target)) as copy:
            there.backup(copy)
    except sqlite3.DatabaseError as error:
        message = f"{source}: cannot be copied as a database ({error})"
        raise CampaignError(message) from error


def fold(path: Path) -> bool:
    """Make a campaign nobody has open the one file it is without a write-ahead log; False for a damaged one.

    SQLite gives up a write-ahead log only when no other connection has the file open, so this also tells whether
    somebody has. It cannot tell it of a backup that was never written to: such a file is not locked by who reads it.

    Raises CampaignUnavailable when somebody has it open.
    """
    try:
        with closing(sqlite3.connect(path, timeout=0)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE").fetchone()
            connection.execute("BEGIN EXCLUSIVE")
            connection.execute("ROLLBACK")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF != sqlite3.SQLITE_BUSY:
            return False
        message = (
            f"{path}: somebody has this file open; stop the server that uses it (and other commands), "
            "then try again"
        )
        raise CampaignUnavailable(message) from error
    return True


def put_in_place(draft: Path, path: Path, aside: Path) -> bool:
    """Give `draft`, on the same disk, the name `path`; the file that has it now is from then on called `aside`.

    There is a whole campaign at `path` at every moment, also when the machine stops in between. Returns whether
    there was a file before. The draft gets its mode, and its owner where that is allowed.

    Raises CampaignError when there is something called `aside`.
    """
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    there = path.exists()
    if there:
        _keep_owner(path, draft)
        _name_too(path, aside)
        # A log that could not be folded belongs to the earlier file, and is played into whatever has its name.
        with suppress(FileNotFoundError):
            path.with_name(f"{path.name}-wal").rename(aside.with_name(f"{aside.name}-wal"))
        path.with_name(f"{path.name}-shm").unlink(missing_ok=True)
    draft.replace(path)
    _sync_folder(path.parent)
    return there


def _keep_owner(path: Path, draft: Path) -> None:
    shutil.copymode(path, draft)
    with suppress(OSError, AttributeError):  # only root may give a file away
        os.chown(draft, path.stat().st_uid, path.stat().st_gid)


def _name_too(path: Path, aside: Path) -> None:
    try:
        os.link(path, aside)
    except FileExistsError:
        message = f"{aside}: already exists; move it away first"
        raise CampaignError(message) from None
    except OSError:  # a file system without hard links: for a moment there is no file at `path`
        if aside.exists():
            message = f"{aside}: already exists; move it away first"
            raise CampaignError(message) from None
        path.rename(aside)


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
