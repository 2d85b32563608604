"""A lock for each key: work on one thing is done by one thread at a time, work on different things at the same time."""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock, RLock
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from _thread import RLock as ReentrantLock


class KeyedLocks:
    """The locks of any number of keys; a key that no thread holds or waits for takes no memory.

    A thread that asks again for a lock that it holds gets it: work that needs itself ends as a RecursionError, and does
    not hang.
    """

    def __init__(self) -> None:
        self._guard = Lock()
        self._locks: WeakValueDictionary[Hashable, ReentrantLock] = WeakValueDictionary()

    def __len__(self) -> int:
        """How many keys have a lock now."""
        return len(self._locks)

    def of(self, key: Hashable) -> ReentrantLock:
        """The lock of a key, for a `with` statement, which keeps it in memory for as long as it is needed."""
        with self._guard:
            return self._locks.setdefault(key, RLock())
