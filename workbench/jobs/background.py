"""Work that is repeated in a thread of its own beside a block: no failure ends it, and `running` knows each thread."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

AFTER_FAILURE = 5.0
"""Seconds from a failure to the next try."""

logger = logging.getLogger("workbench.background")

Turn = Callable[[threading.Event], object]
"""Does what is due now, and returns soon after the event is set."""


class BackgroundThread:
    """A thread that takes turns until it is stopped; `failure` is what the last turn raised, also in the log."""

    def __init__(self, name: str, turn: Turn, pause: float) -> None:
        self.name, self.turn, self.failure = name, turn, ""
        self._pause, self._stop = pause, threading.Event()
        self._thread = threading.Thread(target=self._take_turns, name=name, daemon=True)

    def start(self) -> None:
        """Take the first turn."""
        self._thread.start()

    def stop(self, patience: float) -> None:
        """Take no other turn; wait at most so many seconds for the one that runs."""
        self._stop.set()
        self._thread.join(patience)

    def _take_turns(self) -> None:
        self._take_turn()
        while not self._stop.wait(AFTER_FAILURE if self.failure else self._pause):
            self._take_turn()

    def _take_turn(self) -> None:
        try:
            self.turn(self._stop)
            failure = ""
        except BaseException as error:  # noqa: BLE001 - nothing may end the thread, others depend on it
            failure = str(error) or type(error).__name__
        if failure and failure != self.failure:
            logger.error("%s: %s", self.name, failure)
        if self.failure and not failure:
            logger.warning("%s: works again", self.name)
        self.failure = failure


_running: list[BackgroundThread] = []


def running() -> tuple[BackgroundThread, ...]:
    """The background threads of this process, in the order in which they were started."""
    return tuple(_running)


@contextmanager
def in_background(name: str, turn: Turn, *, pause: float, patience: float) -> Iterator[None]:
    """Repeat `turn` in a thread for as long as the block runs; monitors and the log call it by `name`.

    From the end of a turn to the next one are `pause` seconds. The end of the block waits `patience` seconds for a
    turn, the end of the process not at all.
    """
    thread = BackgroundThread(name, turn, pause)
    thread.start()
    _running.append(thread)
    try:
        yield
    finally:
        _running.remove(thread)
        thread.stop(patience)
