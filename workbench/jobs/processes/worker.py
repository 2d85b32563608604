"""What runs inside a worker process: one piece of work after another, each under its limits, until its input ends.

The process ends by itself when it has had nothing to do for a while, and at once when the server is gone, however
the server ended. Under a full machine the system ends it before the server, and the server's own threads go first.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle  # nosec B403 - between the server and its own processes alone
import signal
import sys
import threading
import time
import traceback
from contextlib import suppress
from multiprocessing.connection import Connection
from pathlib import Path

from workbench.jobs.processes.work import MEGABYTE, USUAL, Limits, MemoryExceeded, Step

BEGUN, STEP, RESULT, ERROR = "begun", "step", "result", "error"
BETWEEN_STEPS = 0.1
"""Seconds from one report of a step to the next: a file is read in thousands of pieces."""
NICENESS = 5
FIRST_TO_END = "900"
"""For the system's choice of what to end when memory runs out, from -1000 (never) to 1000 (first)."""


def serve(connection: Connection, idle: float) -> None:
    """Do what comes through `connection`; end after `idle` seconds without work, or with the other side."""
    _stand_back()
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # A server that was killed leaves the end of a connection, or one that was reset.
    with suppress(EOFError, OSError):
        while connection.poll(idle):
            message = connection.recv_bytes()
            connection.send_bytes(pickle.dumps((BEGUN, None)))
            answer, goes_on = _answer(message, _Reporter(connection))
            connection.send_bytes(answer)
            if not goes_on:
                return


def _stand_back() -> None:
    """Let the server go first: for the processor, and when the system must end something for want of memory."""
    # Ctrl-C goes to all processes of a terminal: the server lets what is running end, and then ends this.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with suppress(OSError, AttributeError):  # not on Windows
        os.nice(NICENESS)
    if sys.platform == "linux":
        with suppress(OSError):
            Path("/proc/self/oom_score_adj").write_text(FIRST_TO_END, encoding="ascii")


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


class _Reporter:
    """Sends the steps of a piece of work to the server, not all of them where they come fast."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._lock = threading.Lock()  # work may report from several threads
        self._what, self._next = "", 0.0

    def __call__(self, done: int, total: int | None, what: str) -> None:
        with self._lock:
            now = time.monotonic()
            if what == self._what and now < self._next:
                return
            self._what, self._next = what, now + BETWEEN_STEPS
            self._connection.send_bytes(pickle.dumps((STEP, Step(done, total, what))))


def _answer(message: bytes, on_step: _Reporter) -> tuple[bytes, bool]:
    """What to send back, pickled, and whether this process is fit for more."""
    limits: Limits | None = None
    try:
        limits, work = pickle.loads(message)  # noqa: S301  # nosec B301 - from the server itself
        _hold_to(limits)
        return pickle.dumps((RESULT, work.do(on_step))), True
    except MemoryError:
        return pickle.dumps((ERROR, MemoryExceeded(limits or USUAL))), False
    except Exception as error:  # noqa: BLE001 - the one who asked decides what becomes of it
        return _pickled(error), True


def _pickled(error: Exception) -> bytes:
    """The error with its trace as a note; one that cannot be sent as what it says."""
    error.add_note("In a worker process:\n" + "".join(traceback.format_exception(error)))
    try:
        message = pickle.dumps((ERROR, error))
        pickle.loads(message)  # noqa: S301  # nosec B301 - our own
    except Exception:  # noqa: BLE001 - whatever it is that cannot be pickled
        said = RuntimeError(f"{type(error).__name__}: {error}")
        said.__notes__ = error.__notes__
        return pickle.dumps((ERROR, said))
    return message


def _hold_to(limits: Limits) -> None:
    """Bound memory and processor. The clock is the server's affair; this bounds a process that outlived it.

    RLIMIT_DATA and not RLIMIT_AS: it counts what can be written to, and not addresses that are only reserved, of which
    engines of JavaScript take gigabytes. Linux holds to it; other systems have no limit of memory that works.
    """
    try:
        import resource
    except ImportError:  # Windows
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    cores = os.cpu_count() or 1
    _lower(resource.RLIMIT_CPU, int(used.ru_utime + used.ru_stime + (limits.seconds + 1) * cores) + 1)
    _lower(resource.RLIMIT_DATA, limits.megabytes * MEGABYTE)
    _lower(resource.RLIMIT_CORE, 0)


def _lower(kind: int, soft: int) -> None:
    import resource

    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        soft = min(soft, hard)
    with suppress(OSError, ValueError):
        resource.setrlimit(kind, (soft, hard))
