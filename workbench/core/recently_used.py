"""Dictionaries of bounded size: what was not used for longest is forgotten first.

Their locks are by key: work on one thing is done by one thread at a time, on different things at the same time.
"""

from __future__ import annotations

from collections.abc import Hashable
from threading import Lock, RLock
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from _thread import RLock as ReentrantLock

from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar


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


Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class RecentlyUsed(OrderedDict[Key, Value]):
    """The `most` values used last, those used last at the end. Threads that share one need a lock."""

    def __init__(self, most: int) -> None:
        super().__init__()
        self.most = most

    def use(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value of a key, made by `make` where there is none; an error of `make` leaves all as it is."""
        return self.put(key, self[key] if key in self else make())

    def put(self, key: Key, value: Value) -> Value:
        """Set the value of a key, and give it back."""
        self[key] = value
        self.move_to_end(key)
        while len(self) > self.most:
            self.popitem(last=False)
        return value


class SizedCache(Generic[Key, Value]):
    """The values used last, of at most `most` bytes together; for several threads."""

    def __init__(self, most: int) -> None:
        self._most, self._size = most, 0
        self._held: OrderedDict[Key, tuple[Value, int]] = OrderedDict()
        self._lock, self._making = Lock(), KeyedLocks()

    def __len__(self) -> int:
        """How many values there are."""
        return len(self._held)

    def use(self, key: Key, make: Callable[[], Value], size_of: Callable[[Value], int]) -> Value:
        """The value of a key; where there is none, one thread calls `make`, and others that want it wait.

        `size_of` gives the bytes that a value takes, with its key.
        """
        with self._making.of(key):
            with self._lock:
                if key in self._held:
                    self._held.move_to_end(key)
                    return self._held[key][0]
            value = make()
            self._put(key, value, size_of(value))
            return value

    def _put(self, key: Key, value: Value, size: int) -> None:
        with self._lock:
            self._held[key] = value, size
            self._size += size
            while self._size > self._most:
                _, (_, gone) = self._held.popitem(last=False)
                self._size -= gone
