"""Two things that are read from a large campaign at once, each by a thread and a connection of its own.

SQLite works without Python's lock, so that on two cores both take the time of the longer one. One of the two should be
SQLite's work nearly alone: two that go through rows wait for each other at every row.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import closing, contextmanager
from typing import TypeVar

from sqlite_utils import Database

from workbench.storage.campaign.file.connection import Campaign

LARGE = 32 << 20
"""Bytes: for a smaller file a second connection costs more than it saves."""

CACHE = "cache_size = -8000"
"""8 MB of pages: what is read once and in order needs no more."""

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
def _opened_again(campaign: Campaign) -> Iterator[Campaign | None]:
    """The same file for reading only; None if it is small, missing, or not open."""
    connection = _connection(campaign)
    if connection is None:
        yield None
        return
    with closing(connection):
        yield Campaign(campaign.path, Database(connection, recursive_triggers=False, execute_plugins=False))


def _connection(campaign: Campaign) -> sqlite3.Connection | None:
    try:
        if campaign.path.stat().st_size < LARGE:
            return None
        address = f"{campaign.path.resolve().as_uri()}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=campaign.patience, check_same_thread=False)
    except (OSError, sqlite3.Error):
        return None
    try:
        for pragma in ("trusted_schema = OFF", CACHE):
            connection.execute(f"PRAGMA {pragma}")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    except sqlite3.Error:
        connection.close()
        return None
    return connection
