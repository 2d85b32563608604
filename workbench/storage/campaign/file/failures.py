"""What SQLite says about a file as a whole, as a sentence for people."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from workbench.core import file_permissions
from workbench.core.errors import (
    CampaignBusy,
    CampaignReadOnly,
    CampaignUnavailable,
    DamagedCampaign,
    NotACampaign,
    UnusableCampaign,
)

FileFailure = sqlite3.DatabaseError
"""What SQLite raises when it cannot do something: with the file, or because the program asked for nonsense."""

PASSING = {
    sqlite3.SQLITE_AUTH,
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_PERM,
    sqlite3.SQLITE_READONLY,
}
"""What may go wrong with a file that is a good campaign nevertheless (primary result codes of SQLite)."""

SYMPTOMS = (
    *(sqlite3.Error, TypeError, ValueError, LookupError, AttributeError, ArithmeticError, MemoryError),
    *(AssertionError, RecursionError, zlib.error, DamagedCampaign),
)
"""What reading a value raises that is not what was written."""

NOT_WRITABLE = {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_READONLY_DIRECTORY}
"""What is said to a writer of a file that can be read (extended result codes)."""

DAMAGED = {sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT}


@contextmanager
def explain_failures(path: Path | str, *, opening: bool = False) -> Iterator[None]:
    """Turn what SQLite says about a file as a whole into a sentence for people; what is our mistake passes.

    While a file is opened nothing is asked of it that a campaign cannot answer: then it is never our mistake.
    """
    try:
        yield
    except FileFailure as error:
        said = words_for(path, error, opening=opening)
        if said is None:
            raise
        raise said from error
    except UnicodeDecodeError as error:
        if not opening:
            raise
        # SQLite's message repeats text of the file, which is UTF-8 in every file that we write.
        message = f"{path}: not a campaign of the workbench, or a damaged one (text that is not UTF-8)"
        raise NotACampaign(message) from error


def words_for(path: Path | str, error: FileFailure, *, opening: bool = False) -> UnusableCampaign | None:
    """What is wrong with the file, or None where the file is not to blame."""
    extended = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR)
    code = extended & 0xFF
    if code == sqlite3.SQLITE_BUSY:
        return busy(path)
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN} and (
        barrier := file_permissions.way_out(path)
    ):
        if extended in NOT_WRITABLE and not opening:
            return CampaignReadOnly(f"{path}: this user may read this campaign and not change it; {barrier}")
        return CampaignUnavailable(f"{path}: SQLite must be able to write there, also to read it; {barrier}")
    if code in PASSING:
        return CampaignUnavailable(f"{path}: {error}; is the disk full, or the file or its folder read-only?")
    if opening or code in DAMAGED:
        return NotACampaign(f"{path}: not a campaign of the workbench, or a damaged one ({error})")
    return None


def busy(path: Path | str) -> CampaignBusy:
    """The error of a writer whose wait timed out."""
    return CampaignBusy(f"{path}: another process has been writing for too long; try again later")
