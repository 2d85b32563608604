"""Who uses the worker processes, and the server's threads for long work: a few at a time, fewer for one owner.

A job runs in a thread of its own, which hands its work to worker processes. It goes on until it ends or is cancelled,
whether or not the request that began it is still there.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Any

from workbench.jobs.processes.work import USUAL, Cancelled, Limits, Step, TooManyJobs, Work
from workbench.jobs.processes.workers import LOOK, ShouldContinue, Workers

AT_ONCE = 2
"""How many jobs run at the same time, for all owners together: the server needs the processor too."""

WAITING, WAITING_OF_ONE = 12, 4
"""How many jobs may wait for their turn, and how many of one owner; more are refused at once."""

Run = Callable[[Work], Any]
"""Does a piece of work in a worker process, and returns what it gives; raises JobFailed when it was ended."""

Body = Callable[[Run], Any]
"""What a job does: it is called with a Run, and gives the job's result."""


class Job:
    """Something long that is being done: `step` is what it reported last, `is_running` says that it has had its turn,
    and `result` or `error` is what came of it, once it has ended.
    """

    def __init__(
        self, body: Body, limits: Limits, owner: Hashable, afterwards: Callable[[Job], None]
    ) -> None:
        self.body, self.limits, self.owner, self.afterwards = body, limits, owner, afterwards
        self.step = Step()
        self.is_running = self.is_cancelled = False
        self.result: Any = None
        self.error: BaseException | None = None
        self.done = threading.Event()

    def cancel(self) -> None:
        """End it: it is not begun, or its process is ended within LOOK seconds."""
        self.is_cancelled = True

    def wait(self, seconds: float | None = None) -> bool:
        """Wait for its end, at most this long; whether it came."""
        return self.done.wait(seconds)

    def outcome(self) -> Any:
        """The result of a job that has ended; raises the error that ended it."""
        if self.error is not None:
            raise self.error
        return self.result

    def report(self, step: Step) -> None:
        """Take note of how far it is."""
        self.step = step


class Jobs:
    """The jobs of one server: `at_once` run at the same time, `waiting` may wait for their turn, of one owner
    `waiting_of_one`.

    Without `workers` their work is done in the thread that begins a job, which then has ended.
    """

    def __init__(
        self,
        workers: Workers | None,
        *,
        at_once: int = AT_ONCE,
        waiting: int = WAITING,
        waiting_of_one: int = WAITING_OF_ONE,
    ) -> None:
        self._workers = workers
        self._at_once, self._most, self._most_of_one = at_once, at_once + waiting, 1 + waiting_of_one
        self._turn = threading.Condition()
        self._jobs: list[Job] = []

    def begin(
        self,
        body: Body,
        *,
        owner: Hashable,
        limits: Limits = USUAL,
        afterwards: Callable[[Job], None] = lambda job: None,
    ) -> Job:
        """Begin a job; returns at once, or raises TooManyJobs.

        Of the jobs of one owner one runs at a time, in the order in which they were begun. `limits` are for all of its
        work, from when it begins to run. `afterwards` is called once it has its result or its error, before those who
        wait for it go on.
        """
        job = Job(body, limits, owner, afterwards)
        self.start(job)
        return job

    def start(self, job: Job) -> None:
        """Begin a job that was made, see `begin`."""
        if self._workers is None:
            self._run(job)
            return
        with self._turn:
            of_owner = sum(other.owner == job.owner for other in self._jobs)
            if len(self._jobs) >= self._most or of_owner >= self._most_of_one:
                raise TooManyJobs
            # Where there can be no more threads this raises, and the job is none.
            threading.Thread(target=self._run, args=(job,), daemon=True).start()
            self._jobs.append(job)

    def result(
        self,
        work: Work,
        *,
        owner: Hashable,
        limits: Limits = USUAL,
        should_continue: ShouldContinue = lambda: True,
    ) -> Any:
        """Wait for the result of `work` in a worker; raises what it raises, Cancelled, TooManyJobs or JobFailed."""
        if not should_continue():
            raise Cancelled
        job = self.begin(lambda run: run(work), owner=owner, limits=limits)
        while not job.wait(LOOK):
            if not should_continue():
                job.cancel()
                raise Cancelled
        return job.outcome()

    def running(self) -> list[Hashable]:
        """The owners of the jobs that run now."""
        with self._turn:
            return [job.owner for job in self._jobs if job.is_running]

    def close(self) -> None:
        """End all worker processes."""
        if self._workers is not None:
            self._workers.close()

    def _run(self, job: Job) -> None:
        try:
            try:
                self._wait_for_turn(job)
                job.result = job.body(self._runner(job))
            except BaseException as error:  # noqa: BLE001 - those who wait for it get it
                job.error = error
            job.afterwards(job)
        except BaseException as error:  # noqa: BLE001 - as above
            job.error = error
        finally:
            with self._turn:
                if job in self._jobs:
                    self._jobs.remove(job)
                self._turn.notify_all()
            job.done.set()

    def _runner(self, job: Job) -> Run:
        workers, deadline = self._workers, time.monotonic() + job.limits.seconds

        def run(work: Work) -> Any:
            if workers is None:
                return work.do(lambda *step: job.report(Step(*step)))
            left = job.limits._replace(seconds=max(0.0, deadline - time.monotonic()))
            return workers.run(work, left, should_continue=lambda: not job.is_cancelled, on_report=job.report)

        return run

    def _wait_for_turn(self, job: Job) -> None:
        if self._workers is None:
            job.is_running = True
            return
        with self._turn:
            while not job.is_cancelled and not self._may_run(job):
                self._turn.wait(LOOK)
            if job.is_cancelled:
                raise Cancelled
            job.is_running = True

    def _may_run(self, job: Job) -> bool:
        is_first = next(other for other in self._jobs if other.owner == job.owner) is job
        return is_first and sum(other.is_running for other in self._jobs) < self._at_once


class Seats:
    """Places for `most` threads, `of_one` of one owner; `waiting` more wait `patience` seconds, others are refused."""

    def __init__(self, *, most: int, of_one: int, waiting: int, patience: float) -> None:
        self._most, self._of_one, self._queue, self._patience = most, of_one, waiting, patience
        self._free = threading.Condition()
        self._taken: Counter[Hashable] = Counter()
        self._waiting = 0

    @contextmanager
    def seat(self, owner: Hashable, should_continue: ShouldContinue = lambda: True) -> Iterator[None]:
        """A place for the block; raises TooManyJobs when there is none, and Cancelled when the client is gone."""
        with self._free:
            if not self._has_room(owner):
                self._wait(owner, should_continue)
            self._taken[owner] += 1
        try:
            yield
        finally:
            with self._free:
                self._taken -= Counter([owner])
                self._free.notify_all()

    def _has_room(self, owner: Hashable) -> bool:
        return self._taken.total() < self._most and self._taken[owner] < self._of_one

    def _wait(self, owner: Hashable, should_continue: ShouldContinue) -> None:
        if self._waiting >= self._queue:
            raise TooManyJobs
        deadline = time.monotonic() + self._patience
        self._waiting += 1
        try:
            while not self._free.wait_for(lambda: self._has_room(owner), LOOK):
                if not should_continue():
                    raise Cancelled
                if time.monotonic() > deadline:
                    raise TooManyJobs
        finally:
            self._waiting -= 1
