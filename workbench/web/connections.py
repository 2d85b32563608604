"""The files a server works with: one connection per file and thread, closed when the server stops.

A connection belongs to the thread that opened it. Opening a campaign checks it (version, foreign triggers),
which is too much work for every request; keeping connections open also keeps SQLite from folding the
write-ahead log back into the file after each single request.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

from flask import current_app

from workbench.accounts import Accounts, open_accounts
from workbench.campaign import Campaign, open_campaign
from workbench.errors import CampaignError
from workbench.instance import ACCOUNTS_FILE, campaign_in, campaigns_in

PATIENCE = 2.0
"""How many seconds a request waits for somebody else who writes. Waiting requests hold the server's few threads,
and a page that is told to come back keeps its judgment meanwhile."""


class Opened(Protocol):
    """Something that holds an open database."""

    db: Any

    def close(self) -> None:
        """Close the database."""


T = TypeVar("T", bound=Opened)

Identity = tuple[int, int, int]


class Connections:
    """The accounts and campaigns of one server.

    `campaigns` are the files it offers; None offers whatever lies in the instance folder, also what is made
    while it runs.
    """

    def __init__(self, instance: Path, campaigns: Sequence[Path] | None) -> None:
        self._instance = instance
        self._offered = None if campaigns is None else _by_name(campaigns)
        self._mine = threading.local()
        self._all: list[Opened] = []
        self._lock = threading.Lock()
        self._troubles: dict[Path, int] = {}

    @property
    def folder(self) -> Path | None:
        """Where a new campaign is put to be offered here; None on a server that offers named files alone."""
        return self._instance if self._offered is None else None

    def paths(self) -> dict[str, Path]:
        """The campaigns on offer, by name."""
        return _by_name(campaigns_in(self._instance)) if self._offered is None else self._offered

    def files(self) -> list[Path]:
        """What a backup of this server needs: the campaigns on offer, and the accounts."""
        accounts = self._instance / ACCOUNTS_FILE
        return [*self.paths().values(), *([accounts] if accounts.is_file() else [])]

    def offers_all(self) -> bool:
        """Whether every campaign of the instance folder, whose accounts these are, is on offer."""
        offered = {path.resolve() for path in self.paths().values()}
        return all(path.resolve() in offered for path in campaigns_in(self._instance))

    def accounts(self) -> Accounts:
        """The accounts of the instance, for this thread."""
        return self._get(self._instance / ACCOUNTS_FILE, lambda: open_accounts(self._instance))

    def campaign(self, name: str) -> Campaign | None:
        """The campaign of that name, for this thread; None when there is none on offer."""
        path = campaign_in(self._instance, name) if self._offered is None else self._offered.get(name)
        if path is None or not path.is_file():
            return None
        return self._get(path, lambda: open_campaign(path, patience=PATIENCE))

    def reopen(self, path: Path) -> None:
        """Have every thread open a file anew: it was in trouble, and what its connections know may not hold."""
        with self._lock:
            self._troubles[path] = self._troubles.get(path, 0) + 1

    def settle(self) -> None:
        """Let go of what a failed request may have left in the middle."""
        for _, opened in self._held().values():
            if opened.db.conn.in_transaction:
                opened.db.conn.rollback()

    def close(self) -> None:
        """Close every connection of every thread; only when no thread works with them any more."""
        with self._lock:
            for opened in self._all:
                opened.close()
            self._all.clear()
            self._mine = threading.local()

    def _held(self) -> dict[Path, tuple[Identity, Opened]]:
        if not hasattr(self._mine, "held"):
            self._mine.held = {}
        return cast("dict[Path, tuple[Identity, Opened]]", self._mine.held)

    def _get(self, path: Path, open_it: Callable[[], T]) -> T:
        """The thread's connection, opened anew when another file has taken the place of the one it knew."""
        held, identity = self._held(), _identity(path, self._troubles.get(path, 0))
        known = held.get(path)
        if known is not None and known[0] == identity:
            return cast("T", known[1])
        if known is not None:
            self._forget(path, known[1])
        opened = open_it()
        held[path] = (_identity(path, identity[2]), opened)
        with self._lock:
            self._all.append(opened)
        return opened

    def _forget(self, path: Path, opened: Opened) -> None:
        del self._held()[path]
        with self._lock:
            self._all.remove(opened)
        opened.close()


def connections() -> Connections:
    """The connections of the server that answers this request."""
    return cast("Connections", current_app.extensions["workbench_connections"])


def _identity(path: Path, troubles: int) -> Identity:
    """The file that has this name now, by device and number on it, and how often it was in trouble."""
    try:
        stat = path.stat()
    except FileNotFoundError:
        return 0, 0, troubles
    return stat.st_dev, stat.st_ino, troubles


def _by_name(paths: Sequence[Path]) -> dict[str, Path]:
    named: dict[str, Path] = {}
    for path in paths:
        other = named.setdefault(path.stem, path)
        if other.resolve() != path.resolve():
            message = (
                f"{path}: a campaign of that name is served already ({other}); rename one of the two files"
            )
            raise CampaignError(message)
    return named
