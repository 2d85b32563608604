"""Places for the threads of a server that work for long, so that others are always free."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Hashable, Iterator
from contextlib import contextmanager

from workbench.jobs.processes.work import Cancelled, TooManyJobs
from workbench.jobs.processes.workers import LOOK, ShouldContinue


class Seats:
    """Places for `most` threads at a time, `of_one` of one owner; `waiting` more may wait for one.

    All others are refused at once, and one that waits after `patience` seconds.
    """

    def __init__(self, *, most: int, of_one: int, waiting: int, patience: float) -> None:
        self._most, self._of_one, self._queue, self._patience = most, of_one, waiting, patience
        self._free = threading.Condition()
        self._taken: Counter[Hashable] = Counter()
        self._waiting = 0

    @contextmanager
    def seat(self, owner: Hashable, should_continue: ShouldContinue = lambda: True) -> Iterator[None]:
        """A place for the block; raises TooManyJobs when there is none, and Cancelled when the client is gone."""
        with self._free:
            if not self._has_room(owner):
                self._wait(owner, should_continue)
            self._taken[owner] += 1
        try:
            yield
        finally:
            with self._free:
                self._taken -= Counter([owner])
                self._free.notify_all()

    def _has_room(self, owner: Hashable) -> bool:
        return self._taken.total() < self._most and self._taken[owner] < self._of_one

    def _wait(self, owner: Hashable, should_continue: ShouldContinue) -> None:
        if self._waiting >= self._queue:
            raise TooManyJobs
        deadline = time.monotonic() + self._patience
        self._waiting += 1
        try:
            while not self._free.wait_for(lambda: self._has_room(owner), LOOK):
                if not should_continue():
                    raise Cancelled
                if time.monotonic() > deadline:
                    raise TooManyJobs
        finally:
            self._waiting -= 1
