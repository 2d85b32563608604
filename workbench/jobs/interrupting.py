"""Ctrl-C while something is done that has to be done whole, such as to start processes."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import resource_tracker


@contextmanager
def postponed() -> Iterator[None]:
    """Ctrl-C comes when the block has ended; so the block is short.

    Python lets it come between any two steps, also of a library that is not prepared for it.
    """
    if threading.current_thread() is not threading.main_thread():  # which alone is interrupted
        yield
        return
    came: list[int] = []
    usual = signal.signal(signal.SIGINT, lambda number, _: came.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if came:
            signal.raise_signal(signal.SIGINT)


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Ctrl-C comes when the block has ended, and never to the processes that are started in it.

    A terminal sends it to all of them: they would end one by one, each with a traceback, while others are started. And
    what starts them does not end those that there are already when it is interrupted itself.
    """
    with postponed():
        if not hasattr(signal, "pthread_sigmask"):  # Windows
            yield
            return
        resource_tracker.ensure_running()  # Python starts it with the first process, and unblocks Ctrl-C then
        # What is started in the block has it blocked too; no process would take over a handler.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            yield
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
