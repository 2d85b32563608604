"""Work beside a block is repeated until the block ends, whatever goes wrong with it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator

import pytest

from tests.waiting import wait_until
from workbench.jobs import background
from workbench.jobs.background import in_background, running


@pytest.fixture(autouse=True)
def soon_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(background, "AFTER_FAILURE", 0.01)


def test_turns_follow_each_other_until_the_end_and_what_does_not_end_is_left_behind() -> None:
    turns: list[bool] = []
    with in_background("looking", lambda _: turns.append(True), pause=0.01, patience=60):
        wait_until(lambda: len(turns) > 2)
        assert [thread.name for thread in running()] == ["looking"]
    assert running() == ()
    assert "looking" not in [thread.name for thread in threading.enumerate()]
    free = threading.Event()
    with in_background("waiting", lambda _: free.wait(60), pause=0, patience=0.01):
        pass
    assert not free.is_set()
    free.set()


def test_a_turn_learns_that_it_is_to_end_and_a_process_does_not_wait_for_it() -> None:
    begun = threading.Event()
    said: list[bool] = []

    def turn(stop: threading.Event) -> None:
        begun.set()
        said.append(stop.wait(60))
        said.append(threading.current_thread().daemon)

    with in_background("waiting", turn, pause=0, patience=60):
        assert begun.wait(60)
    assert said == [True, True]


@pytest.mark.parametrize("error", [OSError("no descriptors"), MemoryError(), SystemExit(1), RecursionError()])
def test_no_failure_ends_it_and_each_is_said_once_with_its_end(
    error: BaseException, caplog: pytest.LogCaptureFixture
) -> None:
    said = str(error) or type(error).__name__
    outcomes: Iterator[BaseException | None] = iter([error, error, error, None])
    seen: list[str] = []

    def turn(_: threading.Event) -> None:
        (thread,) = running() or (None,)
        if thread is None:
            return
        seen.append(thread.failure)
        if (outcome := next(outcomes, None)) is not None:
            raise outcome

    with caplog.at_level(logging.WARNING), in_background("looking", turn, pause=0.01, patience=60):
        wait_until(lambda: len(seen) > 4)
    assert seen[:5] == ["", said, said, said, ""]
    assert caplog.messages == [f"looking: {said}", "looking: works again"]
