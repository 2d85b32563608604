"""Work beside a block ends with it."""

from __future__ import annotations

import threading

from workbench.core.background import in_background


def test_it_goes_on_while_the_block_does_and_ends_with_it() -> None:
    begun, ended = threading.Event(), threading.Event()

    def run(stop: threading.Event) -> None:
        begun.set()
        stop.wait()
        ended.set()

    with in_background(run, patience=60):
        assert begun.wait(60)
        assert not ended.is_set()
    assert ended.is_set()


def test_what_does_not_end_is_left_behind() -> None:
    free = threading.Event()
    with in_background(lambda stop: free.wait(60), patience=0.01):
        pass
    assert not free.is_set()
    free.set()


def test_a_process_that_ends_does_not_wait_for_it() -> None:
    waited_for: list[bool] = []
    with in_background(lambda stop: waited_for.append(not threading.current_thread().daemon), patience=60):
        pass
    assert waited_for == [False]
