"""What a worker process is asked to do, how much it may use for that, and how it can fail."""

from __future__ import annotations

import signal
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NamedTuple

from workbench.core.errors import WorkbenchError
from workbench.core.wording import counted
from workbench.jobs.observing import observed_by

MEGABYTE = 1_000_000
OUT_OF_MEMORY = 9
"""The signal by which Linux ends a process when the machine has no memory left; libraries abort by themselves."""


class Limits(NamedTuple):
    """How long a piece of work may take (seconds of the clock), and how much memory its process may hold."""

    seconds: float = 600.0
    megabytes: int = 4_000


USUAL = Limits()


class Work(NamedTuple):
    """A function of a module with arguments, all to be pickled; with `reports` it takes `on_step`, see OnStep."""

    function: Callable[..., Any]
    arguments: tuple[Any, ...] = ()
    reports: bool = False

    def do(self, on_step: OnStep) -> Any:
        """What the function gives, in this process."""
        return self.function(*self.arguments, **({"on_step": on_step} if self.reports else {}))


class Step(NamedTuple):
    """How far a piece of work is: `done` steps of `total`, None where that is not known, and what it does now."""

    done: int = 0
    total: int | None = None
    what: str = ""

    @property
    def percent(self) -> int | None:
        """How much is done of a hundred; None where the total is not known."""
        return None if not self.total else min(100, max(0, 100 * self.done // self.total))


OnStep = Callable[[int, int | None, str], None]
"""Called with the steps done, how many there are in all, if that is known, and what is done now."""


def counting(
    on_step: OnStep, what: str, total: int | None = None, *, noun: str = ""
) -> Callable[[int], None]:
    """A function that is called with how many more steps are done, and reports how many there are so far.

    With a `noun` they are in the words: `what: 12 leaderboards`. More than `total` are reported as `total`.
    """
    done = 0

    def more(steps: int) -> None:
        nonlocal done
        done += steps
        words = f"{what}: {counted(done, noun)}" if noun else what
        on_step(done if total is None else min(done, total), total, words)

    more(0)
    return more


def reported(on_step: OnStep) -> AbstractContextManager[None]:
    """A block in which loops over `observed` are reported as steps."""
    return observed_by(lambda what, total: nullcontext(counting(on_step, what, total)))


class JobFailed(WorkbenchError):
    """A piece of work was not done, for a reason that lies outside of it; the message says which."""


class TimeExceeded(JobFailed):
    """It took longer than its limit, and was ended."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(f"it took longer than the {limits.seconds:,.4g} seconds that are allowed")


class MemoryExceeded(JobFailed):
    """It needed more memory than its limit."""

    def __init__(self, limits: Limits) -> None:
        super().__init__(f"it needed more than the {limits.megabytes:,} MB of memory that are allowed")


class WorkerDied(JobFailed):
    """Its process ended in the middle of it: killed from outside, or by a crash."""

    def __init__(self, exit_code: int | None) -> None:
        self.exit_code = exit_code
        super().__init__(f"its process ended before it was done ({_cause(exit_code)})")


class Cancelled(JobFailed):
    """It was cancelled, or its client is gone."""

    def __init__(self) -> None:
        super().__init__("the client that asked for it is gone")


class TooManyJobs(JobFailed):
    """Too many others wait already; it was not begun."""

    def __init__(self) -> None:
        super().__init__("the server works on as many jobs as it can at the moment; try again in a minute")


def _cause(exit_code: int | None) -> str:
    if exit_code is None:
        return "for an unknown reason"
    if -exit_code in (signal.SIGABRT, OUT_OF_MEMORY):
        return f"killed by signal {-exit_code}, as happens when memory runs out"
    return f"killed by signal {-exit_code}" if exit_code < 0 else f"exit status {exit_code}"
