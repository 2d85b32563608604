"""A dictionary of bounded size forgets what was not used for longest."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from workbench.core.recently_used import KeyedLocks, RecentlyUsed, SizedCache


def test_what_was_not_used_for_longest_goes_first() -> None:
    known: RecentlyUsed[str, int] = RecentlyUsed(2)
    known.put("a", 1)
    known.put("b", 2)
    assert known.use("a", lambda: pytest.fail("made again")) == 1
    assert known.use("c", lambda: 3) == 3
    assert dict(known) == {"a": 1, "c": 3}


def test_an_error_leaves_everything_as_it_was() -> None:
    known: RecentlyUsed[str, int] = RecentlyUsed(1)
    known.put("a", 1)
    with pytest.raises(ZeroDivisionError):
        known.use("b", lambda: 1 // 0)
    assert dict(known) == {"a": 1}


def test_values_of_so_many_bytes_are_kept_and_those_used_last_longest() -> None:
    made: list[str] = []

    def use(key: str) -> None:
        cache.use(key, lambda: made.append(key) or key, len)  # type: ignore[func-returns-value]

    cache: SizedCache[str, str] = SizedCache(8)
    for key in ("four", "five", "four", "six", "five", "longer than nine", "six"):
        use(key)
    assert made == ["four", "five", "six", "five", "longer than nine", "six"]
    assert len(cache) == 1


def test_what_two_threads_want_at_once_is_made_once_and_something_else_meanwhile() -> None:
    cache: SizedCache[str, str] = SizedCache(9)
    together, made = threading.Barrier(2), []

    def use(_: int) -> str:
        together.wait(60)
        return cache.use("a", lambda: made.append(1) or "value", len)  # type: ignore[func-returns-value]

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(use, range(2))) == ["value", "value"]
    assert made == [1]
    with ThreadPoolExecutor(1) as other:
        assert cache.use("b", lambda: other.submit(cache.use, "c", str, len).result(60), len) == ""


def test_a_key_keeps_its_own_threads_waiting_and_no_others() -> None:
    locks, done = KeyedLocks(), {"a": threading.Event(), "b": threading.Event()}

    def work(key: str) -> None:
        with locks.of(key):
            done[key].set()

    with locks.of("a"):
        threads = [threading.Thread(target=work, args=(key,)) for key in done]
        for thread in threads:
            thread.start()
        assert done["b"].wait(30)
        assert not done["a"].is_set()
    for thread in threads:
        thread.join(30)
    assert done["a"].is_set()


def test_a_key_that_no_thread_holds_takes_no_memory() -> None:
    locks = KeyedLocks()
    for key in range(100):
        with locks.of(key), locks.of(key):  # a thread that holds a lock gets it again
            assert len(locks) == 1
    assert len(locks) == 0
