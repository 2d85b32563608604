"""Worker processes as the server sees them: taken, held to their time, given back warm, or ended."""

from __future__ import annotations

import multiprocessing
import pickle  # nosec B403 - between the server and its own processes alone
import threading
import time
from collections.abc import Callable
from typing import Any

from workbench.jobs.processes import worker
from workbench.jobs.processes.work import (
    USUAL,
    Cancelled,
    Limits,
    MemoryExceeded,
    Step,
    TimeExceeded,
    Work,
    WorkerDied,
)

LOOK = 0.2
"""Seconds from one look at whether the work is still wanted to the next."""

IDLE = 300.0
"""Seconds after which a process that has nothing to do ends, and its memory is free."""

BEGINS_WITHIN = 60.0
"""Seconds after which a process that has not begun is given up: it is stopped, or its disk does not answer."""

ShouldContinue = Callable[[], bool]
OnReport = Callable[[Step], None]


class _Worker:
    """A process with its connection, used by one thread at a time; `is_fit` if it can take more work."""

    def __init__(self, idle: float) -> None:
        # A fork of a process with threads may inherit locks that are never released.
        context = multiprocessing.get_context("spawn")
        self.is_fit = True
        self._connection, theirs = context.Pipe()
        self._process = context.Process(target=worker.serve, args=(theirs, idle), daemon=True)
        try:
            self._process.start()
        except BaseException:
            self._connection.close()
            raise
        finally:
            theirs.close()

    def begins(self, message: bytes) -> bool:
        """Send work; False when the process has ended before, as one does that was idle for long, or does nothing."""
        self.is_fit = False
        try:
            self._connection.send_bytes(message)
            return self._connection.poll(BEGINS_WITHIN) and self._received() == (worker.BEGUN, None)
        except (EOFError, OSError):
            return False

    def result(self, limits: Limits, should_continue: ShouldContinue, on_report: OnReport) -> Any:
        """What the work that was begun gives; raises what it raised, or a JobFailed."""
        deadline = time.monotonic() + limits.seconds
        kind, value = self._next(deadline, limits, should_continue)
        while kind == worker.STEP:
            on_report(value)
            kind, value = self._next(deadline, limits, should_continue)
        self.is_fit = not isinstance(value, MemoryExceeded)
        if kind == worker.ERROR:
            raise value
        return value

    def _next(self, deadline: float, limits: Limits, should_continue: ShouldContinue) -> tuple[str, Any]:
        """The next message of the process, awaited until the deadline for as long as the work is wanted."""
        while True:
            has_come = self._connection.poll(max(0.0, min(LOOK, deadline - time.monotonic())))
            if not should_continue():
                raise Cancelled
            if has_come:
                break
            if time.monotonic() >= deadline:
                raise TimeExceeded(limits)
        try:
            return self._received()
        except (EOFError, OSError):
            self._process.join(1)
            raise WorkerDied(self._process.exitcode) from None

    def kill(self) -> None:
        """Kill the process, whatever it does; the thread that it belongs to finds out."""
        self._process.kill()

    def end(self) -> None:
        """Kill the process, whatever it does, and forget it."""
        self._connection.close()
        self._process.kill()
        self._process.join()
        self._process.close()

    def _received(self) -> tuple[str, Any]:
        kind, value = pickle.loads(self._connection.recv_bytes())  # noqa: S301  # nosec B301 - our own process
        return kind, value


class Workers:
    """A server's worker processes, kept warm: as many as threads call `run` at once, which `Jobs` bounds."""

    def __init__(self, idle: float = IDLE) -> None:
        self._idle = idle
        self._lock = threading.Lock()
        self._free: list[_Worker] = []
        self._busy: list[_Worker] = []
        self._is_closed = False

    def run(
        self,
        work: Work,
        limits: Limits = USUAL,
        *,
        should_continue: ShouldContinue = lambda: True,
        on_report: OnReport = lambda step: None,
    ) -> Any:
        """What the function of `work` returns in a worker process; raises what it raises there.

        Raises TimeExceeded or MemoryExceeded where it went beyond its limits, WorkerDied where its process was killed
        or crashed, and Cancelled where `should_continue` said so in between.
        """
        mine = self._begun(pickle.dumps((limits, work)))
        try:
            return mine.result(limits, should_continue, on_report)
        finally:
            self._take_back(mine)

    def close(self) -> None:
        """End all processes: those that are idle, and those at work, whose work is lost."""
        with self._lock:
            self._is_closed = True
            free, self._free = self._free, []
            for each in self._busy:
                each.kill()
        for each in free:
            each.end()

    def _begun(self, message: bytes) -> _Worker:
        while True:
            mine, was_free = self._taken()
            if mine.begins(message):
                return mine
            self._take_back(mine)
            if not was_free:
                raise WorkerDied(None)

    def _taken(self) -> tuple[_Worker, bool]:
        with self._lock:
            if self._is_closed:
                raise WorkerDied(None)
            was_free = bool(self._free)
            # The start of a process takes milliseconds; what it imports, it imports by itself.
            mine = self._free.pop() if was_free else _Worker(self._idle)
            self._busy.append(mine)
        return mine, was_free

    def _take_back(self, mine: _Worker) -> None:
        with self._lock:
            self._busy.remove(mine)
            if mine.is_fit and not self._is_closed:
                self._free.append(mine)
                return
        mine.end()
