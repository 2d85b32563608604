"""What was left beside a campaign: a write-ahead log of another file of its name, or files that are still read-only.

An administrator who restores a backup puts it in the place of a campaign. When that campaign was being served, or its
server was killed, its write-ahead log still lies there, and SQLite would play it into the backup: pages of two
files in one, and a log that does not hold (sqlite.org/howtocorrupt.html, section 1.4).
"""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from threading import Lock

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
    logger.warning("%s was put in the place of another file, whose write-ahead log is now %s", path, aside)
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
