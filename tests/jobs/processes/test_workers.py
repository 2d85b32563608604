"""Work in a process of its own: what becomes of it, of its process, and of everything else."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sentences import refused, says
from tests.waiting import wait_until
from workbench.campaign.ingest import check_runs
from workbench.core.errors import InputError
from workbench.jobs.processes import (
    Cancelled,
    Limits,
    MemoryExceeded,
    TimeExceeded,
    Work,
    WorkerDied,
    Workers,
    worker,
)

ENDLESS = Work(time.sleep, (3600,))
PID = Work(os.getpid)


@pytest.fixture
def workers() -> Iterator[Workers]:
    found = Workers()
    yield found
    found.close()


def is_alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


def wait_for_end(pid: int) -> None:
    wait_until(lambda: not is_alive(pid))


def test_work_is_done_in_another_process_which_stays_warm_and_ends_with_work_that_is_not_wanted(
    workers: Workers,
) -> None:
    first = workers.run(PID)
    assert first != os.getpid()
    assert workers.run(PID) == first
    busy = workers.run(PID)
    with pytest.raises(Cancelled):
        workers.run(ENDLESS, should_continue=lambda: False)
    wait_for_end(busy)


def test_what_the_work_raises_is_raised_here_and_its_process_is_kept(
    workers: Workers, tmp_path: Path
) -> None:
    before = workers.run(PID)
    (tmp_path / "bad.run").write_text("1 Q0 d1 1 high bm25\n")
    with pytest.raises(InputError) as caught:
        workers.run(Work(check_runs, ([str(tmp_path / "bad.run")],)))
    assert [problem.line for problem in caught.value.problems] == [1]
    assert says(caught.value.__notes__[0])
    assert workers.run(PID) == before


@pytest.mark.parametrize(
    ("work", "limits", "error"),
    [
        (ENDLESS, Limits(seconds=0.1), TimeExceeded),
        (Work(bytearray, (10**10,)), Limits(megabytes=500), MemoryExceeded),
        (Work(os.abort), Limits(), WorkerDied),
        (Work(os._exit, (3,)), Limits(), WorkerDied),
    ],
)
def test_work_that_cannot_end_well_is_ended_with_a_sentence_and_the_next_is_done(
    workers: Workers, work: Work, limits: Limits, error: type[Exception]
) -> None:
    before = workers.run(PID)
    with refused(error):
        workers.run(work, limits)
    wait_for_end(before)
    assert workers.run(PID) != before


def test_a_process_that_is_killed_from_outside_takes_nothing_with_it(workers: Workers) -> None:
    busy = workers.run(PID)
    threading.Timer(0.2, os.kill, (busy, signal.SIGKILL)).start()
    with pytest.raises(WorkerDied, match="killed by signal 9"):
        workers.run(ENDLESS)
    idle = workers.run(PID)
    os.kill(idle, signal.SIGKILL)
    wait_for_end(idle)
    assert workers.run(PID) not in {busy, idle}


@pytest.mark.slow
def test_a_process_that_does_not_begin_is_ended_and_another_one_does_the_work(
    workers: Workers, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.jobs.processes.workers.BEGINS_WITHIN", 6.0)
    stopped = workers.run(PID)
    os.kill(stopped, signal.SIGSTOP)
    assert workers.run(PID) != stopped
    assert not is_alive(stopped)


def test_a_process_without_work_ends_by_itself_and_the_next_work_is_done_by_another() -> None:
    workers = Workers(idle=0.1)
    first = workers.run(PID)
    wait_for_end(first)
    assert workers.run(PID) != first
    workers.close()


def test_closing_ends_idle_and_busy_processes() -> None:
    workers = Workers()
    pid = workers.run(PID)
    threading.Timer(0.2, workers.close).start()
    with pytest.raises(WorkerDied):
        workers.run(ENDLESS)
    wait_for_end(pid)
    with pytest.raises(WorkerDied):
        workers.run(PID)


def test_a_busy_process_ends_with_the_server_even_when_that_is_killed() -> None:
    program = (
        "import os, time\n"
        "from workbench.jobs.processes import Work, Workers\n"
        "workers = Workers()\n"
        "print(workers.run(Work(os.getpid)), flush=True)\n"
        "workers.run(Work(time.sleep, (3600,)))\n"
    )
    server = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    pid = int(server.stdout.readline())
    assert is_alive(pid)
    server.kill()
    server.wait()
    server.stdout.close()
    wait_for_end(pid)


@pytest.mark.parametrize("gone", [EOFError, ConnectionResetError, BrokenPipeError])
def test_a_process_whose_server_was_killed_ends_without_a_word(
    gone: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    class Gone:
        def poll(self, _: float) -> bool:
            return True

        def recv_bytes(self) -> bytes:
            raise gone

    for name in ("_stand_back", "_end_with_parent"):  # which are for a process of its own
        monkeypatch.setattr(worker, name, lambda: None)
    worker.serve(Gone(), 1.0)  # type: ignore[arg-type]
