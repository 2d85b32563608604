"""Two things that are read from a large campaign at once, each with a connection of its own.

In two threads (`both`) one of the two should be SQLite's work nearly alone, which goes on without Python's lock: two
that go through rows wait for each other at every row. Such two need a process each (`in_a_process`).
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from sqlite_utils import Database

from workbench.jobs.processes import JobFailed, Limits, Work, Workers
from workbench.storage.campaign.file.connection import BUSY_SECONDS, Campaign

LARGE = 32 << 20
"""Bytes: for a smaller file a second connection costs more than it saves."""

CACHE = "cache_size = -8000"
"""8 MB of pages: what is read once and in order needs no more."""

LIMITS = Limits(seconds=1_000_000)
"""What is waited for takes as long as the file is large."""

Here = TypeVar("Here")
There = TypeVar("There")


def both(
    campaign: Campaign, here: Callable[[Campaign], Here], there: Callable[[Campaign], There]
) -> tuple[Here, There]:
    """What two functions that only read give: `here` with the campaign, `there` with the same file opened again.

    One after the other where the file is small, or cannot be opened again. An error of `here` comes first.
    """
    with _opened_again(campaign) as other:
        if other is None:
            return here(campaign), there(campaign)
        with ThreadPoolExecutor(1) as thread:
            later = thread.submit(there, other)
            try:
                return here(campaign), later.result()
            except BaseException:
                while not later.done():  # who ends the program does not wait for the other thread
                    other.db.conn.interrupt()
                    wait([later], timeout=0.05)
                raise


@contextmanager
def in_a_process(campaign: Campaign, function: Callable[[Campaign], There]) -> Iterator[Callable[[], There]]:
    """A function that waits for what `function` gives, which goes on during the block in a process of its own.

    That process opens the same file again; `function` can be pickled, and only reads. What goes through rows in Python
    takes as long there as alone. Where the file is small `function` is done with the campaign before the block, and
    after it where there can be no such process. What it has not given by the end of the block is not waited for.
    """
    if not _is_large(campaign.path):
        result = function(campaign)
        yield lambda: result
        return
    workers = Workers()
    with ThreadPoolExecutor(1) as thread:
        later = thread.submit(workers.run, Work(_of_the_file, (campaign.path.resolve(), function)), LIMITS)

        def outcome() -> There:
            try:
                found: There = later.result()
            except (JobFailed, OSError, RuntimeError):
                return function(campaign)
            return found

        try:
            yield outcome
        finally:
            workers.close()


def _of_the_file(path: Path, function: Callable[[Campaign], There]) -> There:
    """What a function gives of a file that another process has open."""
    with closing(_connection(path, BUSY_SECONDS)) as connection:
        return function(_campaign(path, connection))


@contextmanager
def _opened_again(campaign: Campaign) -> Iterator[Campaign | None]:
    """The same file for reading only; None if it is small, missing, or not open."""
    if not _is_large(campaign.path):
        yield None
        return
    try:
        connection = _connection(campaign.path, campaign.patience)
    except (OSError, sqlite3.Error):
        yield None
        return
    with closing(connection):
        yield _campaign(campaign.path, connection)


def _is_large(path: Path) -> bool:
    try:
        return path.stat().st_size >= LARGE
    except OSError:
        return False


def _campaign(path: Path, connection: sqlite3.Connection) -> Campaign:
    return Campaign(path, Database(connection, recursive_triggers=False, execute_plugins=False))


def _connection(path: Path, patience: float) -> sqlite3.Connection:
    address = f"{path.resolve().as_uri()}?mode=ro"
    connection = sqlite3.connect(address, uri=True, timeout=patience, check_same_thread=False)
    try:
        for pragma in ("trusted_schema = OFF", CACHE):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection
