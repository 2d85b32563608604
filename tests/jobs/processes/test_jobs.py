"""Who uses the worker processes, and when: owners, turns, what is cancelled, and clients that are gone."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.sentences import refused
from tests.waiting import wait_until
from workbench.jobs.processes import (
    Cancelled,
    Job,
    Jobs,
    Limits,
    OnStep,
    Step,
    TimeExceeded,
    TooManyJobs,
    Work,
    Workers,
)

ENDLESS = Work(time.sleep, (3600,))
NOW = Work(os.getpid)


@pytest.fixture
def jobs() -> Iterator[Jobs]:
    found = Jobs(Workers(), at_once=2, waiting=2, waiting_of_one=1)
    yield found
    found.close()


def begin(jobs: Jobs, work: Work, owner: str) -> Job:
    return jobs.begin(lambda run: run(work), owner=owner)


def opening(path: Path) -> Work:
    """Work that goes on until somebody reads the pipe at `path`: a gate that a test opens."""
    os.mkfifo(path)
    return Work(path.write_text, ("done",))


def two_steps(gate: Path, *, on_step: OnStep) -> str:
    on_step(1, 4, "Reading")
    gate.write_text("")
    on_step(3, 4, "Writing")
    return "done"


def test_an_owner_has_one_job_at_a_time_in_the_order_of_asking(jobs: Jobs, tmp_path: Path) -> None:
    first = begin(jobs, opening(tmp_path / "gate"), "robust")
    wait_until(lambda: jobs.running() == ["robust"])
    second = begin(jobs, NOW, "robust")
    assert jobs.result(NOW, owner="other") > 0
    assert not second.done.is_set()
    (tmp_path / "gate").read_text()
    assert (first.wait(), first.outcome()) == (True, len("done"))
    assert (second.wait(), second.outcome() > 0) == (True, True)


def test_a_job_says_how_far_it_is_while_it_runs(jobs: Jobs, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "gate")
    job = begin(jobs, Work(two_steps, (tmp_path / "gate",), reports=True), "robust")
    wait_until(lambda: job.step == Step(1, 4, "Reading"))
    assert (job.is_running, job.step.percent) == (True, 25)
    (tmp_path / "gate").read_text()
    assert (job.wait(), job.outcome(), job.step) == (True, "done", Step(3, 4, "Writing"))


def test_a_job_of_several_pieces_is_held_to_one_limit_of_time(jobs: Jobs) -> None:
    job = jobs.begin(lambda run: [run(NOW), run(ENDLESS)], owner="robust", limits=Limits(seconds=1))
    job.wait()
    with pytest.raises(TimeExceeded):
        job.outcome()


def test_cancel_ends_the_process_of_a_job_and_the_next_one_runs(jobs: Jobs) -> None:
    pid = jobs.result(NOW, owner="robust")
    running = begin(jobs, ENDLESS, "robust")
    waiting = begin(jobs, ENDLESS, "robust")
    wait_until(lambda: jobs.running() == ["robust"])
    for job in (waiting, running):
        job.cancel()
        job.wait()
        with pytest.raises(Cancelled):
            job.outcome()
    assert jobs.result(NOW, owner="robust") != pid


def test_who_waits_and_hangs_up_ends_the_job(jobs: Jobs) -> None:
    gone = threading.Event()
    threading.Timer(0.3, gone.set).start()
    with pytest.raises(Cancelled):
        jobs.result(ENDLESS, owner="robust", should_continue=lambda: not gone.is_set())
    wait_until(lambda: jobs.running() == [])
    with pytest.raises(Cancelled):
        jobs.result(NOW, owner="robust", should_continue=lambda: False)


def test_a_job_whose_end_fails_ends_all_the_same(jobs: Jobs) -> None:
    def fail(_: Job) -> None:
        raise PermissionError("the draft stays")

    job = jobs.begin(lambda run: run(NOW), owner="robust", afterwards=fail)
    job.wait()
    with pytest.raises(PermissionError, match="the draft stays"):
        job.outcome()
    assert jobs.result(NOW, owner="robust")


def test_a_job_that_finds_no_thread_holds_up_no_other(jobs: Jobs, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_thread(_: threading.Thread) -> None:
        raise RuntimeError("no more threads")

    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", no_thread)
        for _ in range(5):  # more than run and wait: none of them keeps a place
            with pytest.raises(RuntimeError, match="no more threads"):
                jobs.result(NOW, owner="robust")
    assert jobs.result(NOW, owner="robust")


def test_so_many_run_and_so_many_wait_and_the_next_is_refused_at_once(jobs: Jobs) -> None:
    begun = [begin(jobs, ENDLESS, "a"), begin(jobs, ENDLESS, "a")]
    with refused(TooManyJobs):
        jobs.result(NOW, owner="a")
    begun += [begin(jobs, ENDLESS, owner) for owner in ("b", "c")]
    wait_until(lambda: len(jobs.running()) == 2)
    with pytest.raises(TooManyJobs):
        jobs.result(NOW, owner="d")
    for job in begun:
        job.cancel()
    wait_until(lambda: jobs.running() == [])
    assert jobs.result(NOW, owner="d") > 0


def test_without_workers_a_job_has_ended_when_it_was_begun() -> None:
    job = Jobs(None).begin(lambda run: run(NOW), owner="robust")
    assert (job.done.is_set(), job.outcome()) == (True, os.getpid())
