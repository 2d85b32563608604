"""The files a server works with: one connection per file and thread, closed when the server stops.

A connection belongs to the thread that opened it. Opening a campaign checks it (version, foreign triggers),
which is too much work for every request; keeping connections open also keeps SQLite from folding the
write-ahead log back into the file after each single request.

Each open file takes two descriptors of the process for each thread. When more than `most` are open, those that were
used least recently are closed, unless a thread is at work with them.

A file that was in trouble is reopened once no thread has it open from before: all connections of a process share the
index of a write-ahead log, and one that was opened while the file was read-only stays so until the last is closed.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple, TypeVar, cast

from flask import current_app, g, request

from workbench.core.errors import CampaignError
from workbench.core.records import PAGE
from workbench.people.accounts import Accounts, open_accounts
from workbench.people.accounts.file import TERMINAL
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.instance import ACCOUNTS_FILE, campaign_in, campaigns_in

MOST_OPEN = 256
"""Files that all threads together keep open, where the system allows enough descriptors."""

PATIENCE = 2.0
"""How many seconds a request waits for another writer. Waiting requests hold the server's few threads,
and a page that is asked to retry keeps its judgment meanwhile."""


T = TypeVar("T", Accounts, Campaign)


class Identity(NamedTuple):
    """The file that has a name now, by device and number on it, and how often it was in trouble."""

    device: int
    number: int
    troubles: int


@dataclass
class OpenFile:
    """An open file, the one it was when it was opened, and the number of its last use."""

    identity: Identity
    opened: Accounts | Campaign
    used: int


class Holder:
    """The files that one thread has open, and those that it is at work with: from asking for one until it settles."""

    def __init__(self) -> None:
        self.held: dict[Path, OpenFile] = {}
        self.in_use: set[Path] = set()

    def has_from_before(self, path: Path, troubles: int) -> bool:
        """Whether it has a file open since before its last trouble."""
        known = self.held.get(path)
        return known is not None and known.identity.troubles < troubles

    def let_go(self, path: Path) -> None:
        """Close a file, if it is open."""
        known = self.held.pop(path, None)
        if known is not None:
            known.opened.close()


class Connections:
    """The accounts and campaigns of one server.

    `campaigns` are the files it offers; None offers whatever lies in the instance folder, also what is made
    while it runs.
    """

    def __init__(self, instance: Path, campaigns: Sequence[Path] | None) -> None:
        self._instance = instance
        self._offered = None if campaigns is None else _by_name(campaigns)
        self._mine = threading.local()
        self._holders: list[Holder] = []
        self._lock = threading.Condition()
        self._troubles: dict[Path, int] = {}
        self._opened: dict[str, Path] = {}
        self._uses = count()
        self.most = MOST_OPEN

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

    def missing(self) -> dict[str, Path]:
        """The campaigns that this server has offered and whose file is gone, by name: deleted, moved, not mounted."""
        offered = self._opened if self._offered is None else self._offered
        return {name: path for name, path in sorted(offered.copy().items()) if not path.is_file()}

    def accounts(self) -> Accounts:
        """The accounts of the instance, for this thread."""
        return self._get(self._instance / ACCOUNTS_FILE, lambda: open_accounts(self._instance))

    def campaign(self, name: str) -> Campaign | None:
        """The campaign of that name, for this thread; None when there is none on offer."""
        path = campaign_in(self._instance, name) if self._offered is None else self._offered.get(name)
        if path is None or not path.is_file():
            return None
        campaign = self._get(path, lambda: _open(path))
        self._opened[name] = path
        return campaign

    def reopen(self, path: Path) -> None:
        """Have every thread reopen a file: it was in trouble, and what its connections know may not hold.

        Threads that are not at work with it let go of it now, the others when they settle.
        """
        with self._lock:
            self._troubles[path] = self._troubles.get(path, 0) + 1
            for holder in self._holders:
                if path not in holder.in_use:
                    holder.let_go(path)

    def reopen_accounts(self) -> None:
        """Have every thread reopen the accounts."""
        self.reopen(self._instance / ACCOUNTS_FILE)

    @contextmanager
    def visiting(self, name: str) -> Iterator[Campaign | None]:
        """A campaign for a block, after which this thread settles: for who goes through many."""
        try:
            yield self.campaign(name)
        finally:
            self.settle()

    def settle(self) -> None:
        """This thread's work is done: what a failed request may have left in the middle is let go of."""
        mine = self._holder()
        for path in mine.in_use:
            if path in mine.held and (connection := mine.held[path].opened.db.conn).in_transaction:
                connection.rollback()
        with self._lock:
            for path in mine.in_use:
                if mine.has_from_before(path, self._troubles.get(path, 0)):
                    mine.let_go(path)
            mine.in_use.clear()
            self._lock.notify_all()

    def close(self) -> None:
        """Close every connection of every thread; only when no thread works with them any more."""
        with self._lock:
            for holder in self._holders:
                for path in list(holder.held):
                    holder.let_go(path)
            self._holders.clear()
            self._mine = threading.local()

    def _holder(self) -> Holder:
        if not hasattr(self._mine, "holder"):
            self._mine.holder = Holder()
            with self._lock:
                self._holders.append(self._mine.holder)
        return cast("Holder", self._mine.holder)

    def _get(self, path: Path, open_it: Callable[[], T]) -> T:
        """The thread's connection, reopened when another file has taken the place of the one it knew."""
        mine = self._holder()
        with self._lock:
            mine.in_use.add(path)
            troubles = self._troubles.get(path, 0)
            known = mine.held.get(path)
        if known is not None and known.identity == _identity(path, troubles):
            known.used = next(self._uses)
            return cast("T", known.opened)
        with self._lock:
            mine.let_go(path)
            self._lock.notify_all()
            if troubles:
                self._lock.wait_for(
                    lambda: not any(holder.has_from_before(path, troubles) for holder in self._holders),
                    PATIENCE,
                )
            self._make_room()
        opened = open_it()
        with self._lock:
            mine.held[path] = OpenFile(_identity(path, troubles), opened, next(self._uses))
        return opened

    def _make_room(self) -> None:
        """Close what was used least recently, if another file would be one too many."""
        idle = [
            (file.used, holder, path)
            for holder in self._holders
            for path, file in holder.held.items()
            if path not in holder.in_use
        ]
        too_many = 1 + sum(len(holder.held) for holder in self._holders) - self.most
        for _, holder, path in sorted(idle, key=itemgetter(0))[: max(0, too_many)]:
            holder.let_go(path)


def on_each(held: Connections, do: Callable[[str], object]) -> None:
    """Do something with each campaign on offer, by name; what went wrong is raised at the end, as one CampaignError."""
    problems = []
    for name in sorted(held.paths()):
        try:
            do(name)
        except Exception as error:  # noqa: BLE001 - the other campaigns come next
            problems.append(f"{name}: {str(error) or type(error).__name__}")
    if problems:
        raise CampaignError("; ".join(problems))


def connections() -> Connections:
    """The connections of the server that answers this request."""
    return cast("Connections", current_app.extensions["workbench_connections"])


def accounts() -> Accounts:
    """The accounts of the server that answers this request, for its person and address, if these are known.

    A proxy may pass on any text as an address; none of them is the terminal, where nobody is asked for an account.
    """
    address = request.remote_addr or ""
    return connections().accounts().by(str(g.get("account") or ""), "" if address == TERMINAL else address)


def _open(path: Path) -> Campaign:
    return open_campaign(path, patience=PATIENCE).with_bare_name().by("", through=PAGE)


def _identity(path: Path, troubles: int) -> Identity:
    try:
        stat = path.stat()
    except FileNotFoundError:
        return Identity(0, 0, troubles)
    return Identity(stat.st_dev, stat.st_ino, troubles)


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
