"""A dictionary of bounded size: what was not used for longest is forgotten first."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import TypeVar

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
