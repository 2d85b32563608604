"""Holds a piece of work in this process to its time and memory: for libraries that read what strangers wrote."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

MEGABYTE = 1_000_000
LOOK = 0.1
"""Seconds of the processor from one look at what has been used to the next."""


class UsedUp(BaseException):
    """The work went beyond its limits; no `Exception`, so that what is ended does not catch it."""


@contextmanager
def held_to(seconds: float, megabytes: int, library: str) -> Iterator[None]:
    """Raise UsedUp in the block once it used this processor time, or the process holds this much more memory.

    It looks between steps of the library's Python code: what else runs at that moment may not be ended there. Only the
    main thread is held to it, which is that of commands and of worker processes, and only where the system has such a
    clock, which Windows has not.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    begun, held = time.process_time(), _most_memory()

    def look(_: int, frame: FrameType | None) -> None:
        if frame is None or frame.f_globals.get("__name__", "").partition(".")[0] != library:
            return
        if time.process_time() - begun > seconds:
            message = f"more than {seconds:g} seconds of the processor"
            raise UsedUp(message)
        if _most_memory() - held > megabytes * MEGABYTE:
            message = f"more than {megabytes:,} MB of memory"
            raise UsedUp(message)

    before = signal.signal(signal.SIGVTALRM, look)
    signal.setitimer(signal.ITIMER_VIRTUAL, LOOK, LOOK)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _most_memory() -> int:
    """The most memory that the process has held so far, in bytes."""
    import resource
    import sys

    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most if sys.platform == "darwin" else most * 1024
