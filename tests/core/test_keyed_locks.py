"""Each key has a lock of its own, and only for as long as it is needed."""

from __future__ import annotations

from threading import Event, Thread

from workbench.core.recently_used import KeyedLocks

LONG = 30.0


def test_a_key_keeps_its_own_threads_waiting_and_no_others() -> None:
    locks, done = KeyedLocks(), {"a": Event(), "b": Event()}

    def work(key: str) -> None:
        with locks.of(key):
            done[key].set()

    with locks.of("a"):
        threads = [Thread(target=work, args=(key,)) for key in done]
        for thread in threads:
            thread.start()
        assert done["b"].wait(LONG)
        assert not done["a"].is_set()
    for thread in threads:
        thread.join(LONG)
    assert done["a"].is_set()


def test_a_key_that_no_thread_holds_takes_no_memory() -> None:
    locks = KeyedLocks()
    for key in range(100):
        with locks.of(key), locks.of(key):  # a thread that holds a lock gets it again
            assert len(locks) == 1
    assert len(locks) == 0
