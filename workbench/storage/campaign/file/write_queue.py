"""Writers of one process queue up: each file is written to by one thread at a time, in the order they came.

SQLite lets those who find a file being written to sleep and try again: slow under load, and some wait for seconds while
others pass. Other processes still wait in SQLite's way.

What many threads want to store at the same time is stored together: one of them does it for all, each piece on its
own inside one transaction, and no writer continues before that transaction is on the disk. One sync of the disk serves
all.
"""

from __future__ import annotations

import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar
from weakref import WeakValueDictionary

from sqlite_utils import Database


class Writable(Protocol):
    """What the queue knows of an open campaign."""

    db: Database

    @property
    def write_queue(self) -> WriteQueue:
        """The queue of its file."""

    def forget_readings(self) -> None:
        """Forget what was read before a piece was rolled back."""

    def write(self) -> AbstractContextManager[None]:
        """A transaction that holds the right to write."""


File = TypeVar("File", bound=Writable)
T = TypeVar("T")

_OF_ONE_STATEMENT = (sqlite3.IntegrityError, sqlite3.ProgrammingError, sqlite3.DataError)
"""What SQLite says of a statement that cannot be; everything else it says is about the file or the disk."""

LARGEST_GROUP = 100
"""How many pieces are stored together at most: what they wait for together stays short."""


class Waiting(Generic[File, T]):
    """A piece of work in the queue, and what came of it."""

    def __init__(self, work: Callable[[File], T]) -> None:
        self.work = work
        self.since = time.monotonic()
        self.is_done = False
        self.error: BaseException | None = None
        self._result: list[T] = []
        self._called = threading.Lock()
        self._called.acquire()

    def wait(self) -> None:
        """Sleep until the work is done, or it is this thread's turn to do it for all."""
        self._called.acquire()

    def call(self) -> None:
        """Wake the thread that waits."""
        self._called.release()

    def do(self, campaign: File, *, is_alone: bool = False) -> None:
        """Do the work on its own: what fails leaves nothing behind, and does not disturb the others.

        Raises what makes the whole transaction worthless: a failure of SQLite or of the disk, any error of one alone.
        """
        if is_alone:
            self._result = [self.work(campaign)]
            return
        execute = campaign.db.conn.execute
        execute("SAVEPOINT piece")
        try:
            self._result = [self.work(campaign)]
        except Exception as error:
            is_of_the_file = isinstance(error, sqlite3.DatabaseError) and not isinstance(
                error, _OF_ONE_STATEMENT
            )
            if is_of_the_file or not campaign.db.conn.in_transaction:
                raise
            execute("ROLLBACK TO piece")
            campaign.forget_readings()
            self.error = error
        execute("RELEASE piece")

    def result(self) -> T:
        """What the work gave; raises what it raised."""
        if self.error is not None:
            raise self.error
        return self._result[0]


class WriteQueue:
    """The queue of one file's writers."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._writing = False
        self._writers: deque[tuple[threading.Lock, float]] = deque()
        self._leading = False
        self._pieces: deque[Waiting[Any, Any]] = deque()

    def acquire(self, patience: float) -> bool:
        """Wait for the right to write, `patience` seconds at most; whether it came."""
        with self._guard:
            if not self._writing:
                self._writing = True
                return True
            mine = threading.Lock()
            mine.acquire()
            waiting = (mine, time.monotonic())
            self._writers.append(waiting)
        if mine.acquire(timeout=patience):
            return True
        with self._guard:
            if waiting in self._writers:
                self._writers.remove(waiting)
                return False
        return True  # it came at the last moment

    def release(self) -> None:
        """Hand the right to write to the one who has waited longest."""
        with self._guard:
            if self._writers:
                self._writers.popleft()[0].release()
            else:
                self._writing = False

    def waiting(self) -> tuple[int, float]:
        """How many wait to write, and for how many seconds the one who has waited longest."""
        with self._guard:
            since = [piece.since for piece in self._pieces] + [began for _, began in self._writers]
        return len(since), time.monotonic() - min(since) if since else 0.0

    def group_commit(self, campaign: File, work: Callable[[File], T]) -> T:
        """What `work` gives, once it is on the disk together with what other threads wanted to store meanwhile."""
        mine = Waiting(work)
        with self._guard:
            self._pieces.append(mine)
            leads, self._leading = not self._leading, True
        if not leads:
            mine.wait()
        if not mine.is_done:
            self._lead(campaign, mine)
        return mine.result()

    def _lead(self, campaign: Writable, mine: Waiting[Any, Any]) -> None:
        """Do all that waits, this thread's own piece too, then let the first of those who came since lead."""
        group: list[Waiting[Any, Any]] = []
        try:
            with campaign.write():
                group += self._group()
                for piece in group:
                    piece.do(campaign, is_alone=len(group) == 1)
        except BaseException as error:
            group = group or self._group()
            for piece in group:
                piece.error = error
            if not isinstance(error, Exception):
                raise
        finally:
            for piece in group:
                piece.is_done = True
            with self._guard:
                self._leading = bool(self._pieces)
                following = self._pieces[0] if self._pieces else None
            for piece in group:
                if piece is not mine:
                    piece.call()
            if following is not None:
                following.call()

    def _group(self) -> list[Waiting[Any, Any]]:
        with self._guard:
            return [self._pieces.popleft() for _ in range(min(len(self._pieces), LARGEST_GROUP))]


def write_queue_of(path: Path) -> WriteQueue:
    """The queue of a file, the same one for all callers in this process."""
    with _guard:
        return _write_queues.setdefault(str(path.absolute()), WriteQueue())


_guard = threading.Lock()
_write_queues: WeakValueDictionary[str, WriteQueue] = WeakValueDictionary()


def group_commit(campaign: File, work: Callable[[File], T]) -> T:
    """Do `work` inside a write transaction that it may share with others, and return once that is on the disk.

    `work` gets the campaign through a connection that need not be this thread's own. What it raises is raised here, and
    it has changed nothing then.

    Raises CampaignUnavailable when the file cannot be written now; nothing of the whole group is stored then.
    """
    return campaign.write_queue.group_commit(campaign, work)
