"""The size of a value is close to what it takes, and is found without a look at all of it."""

from __future__ import annotations

import sys
import tracemalloc
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
import pytest

from workbench.core.recently_used import RecentlyUsed
from workbench.core.sizes import size_of


class Named(NamedTuple):
    """Three fields of a topic."""

    topic_id: str
    pooled: int
    share: float


@dataclass(slots=True)
class Slotted:
    """The same with slots."""

    topic_id: str
    numbers: list[int]


class Plain:
    """Attributes, one of which is a lock."""

    def __init__(self, number: int) -> None:
        self.lock, self.held, self.make = Lock(), [f"topic {number}", number * 1000], Plain


N = 20_000
VALUES: dict[str, Callable[[], Any]] = {
    "array": lambda: np.zeros(N),
    "view of an array": lambda: np.zeros((N, 4))[:, :1],
    "bytes as an array": lambda: np.frombuffer(bytes(N), np.int8),
    "numbers": lambda: list(range(1000, N + 1000)),
    "texts": lambda: tuple(f"topic {number}" for number in range(N)),
    "named": lambda: {f"{n}": Named(f"topic {n}", n + 1000, n / 7) for n in range(N)},
    "slots": lambda: [Slotted(f"{n}", [n + 1000, n + 2000]) for n in range(N)],
    "objects": lambda: [Plain(n) for n in range(N)],
    "dicts of dicts": lambda: {f"{n}": {f"d{n}-{k}": k + 1000 for k in range(9)} for n in range(N // 10)},
    "sets": lambda: [{(f"{n}", f"d{n}")} for n in range(N)],
    "set": lambda: frozenset((f"{n}", f"d{n}") for n in range(N)),
    "different arrays": lambda: {f"{n}": np.zeros(n % 50 + 1) for n in range(N)},
}


@pytest.mark.parametrize("name", VALUES)
def test_a_size_is_what_making_the_value_has_taken(name: str) -> None:
    VALUES[name]()
    tracemalloc.start()
    before = tracemalloc.get_traced_memory()[0]
    value = VALUES[name]()
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert size_of(value) == pytest.approx(taken, rel=0.25)


def test_objects_are_counted_once_and_code_is_not() -> None:
    shared = np.zeros(N)
    assert size_of([shared, shared[:5], {"again": shared}]) < size_of(shared) + 1000
    assert size_of([Plain, np, size_of, len]) == sys.getsizeof([0] * 4)
    circle: list[Any] = []
    circle.append(circle)
    assert size_of(circle) == sys.getsizeof(circle)
    assert size_of([Named("1", 1, 0.0), b"x" * N], apart=(bytes,)) < 1000, "what counts by itself is left out"


def test_a_dictionary_with_methods_of_its_own_is_not_asked_by_them() -> None:
    held: RecentlyUsed[str, bytes] = RecentlyUsed(N)
    for number in range(N):
        held.put(str(number), bytes(100))
    assert size_of(held) > N * 133
