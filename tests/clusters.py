"""A real scheduler and real workers, each a process of its own, and commands that use them; and a stand-in for them."""

from __future__ import annotations

import json
import logging.config
import os
import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from workbench.jobs.cluster import Task, Workers

ALONE = {"MALLOC_TRIM_THRESHOLD_": "65536", "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "error"}
LIMIT = 300.0
"""Seconds: what takes so long hangs, also on a busy machine."""
Started = subprocess.Popen[bytes]


def wait_for(found: Callable[[], Any]) -> Any:
    """What `found` returns, as soon as it is something."""
    end = time.monotonic() + LIMIT
    while not (result := found()):
        assert time.monotonic() < end, found
        time.sleep(0.05)
    return result


@contextmanager
def process(*words: str | Path, **environment: str) -> Iterator[Started]:
    with subprocess.Popen(
        [sys.executable, "-m", *words],
        env={**os.environ, **ALONE, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    ) as started:
        try:
            yield started
        finally:
            started.kill()


@contextmanager
def workers(
    scheduler: str, number: int = 1, by: str | None = None, **environment: str
) -> Iterator[list[Started]]:
    """Workers of one thread each, which nothing starts again, by way of a module; those of an earlier test are gone."""
    words = (
        *filter(None, [by]),
        "distributed.cli.dask_worker",
        scheduler,
        "--nthreads",
        "1",
        "--no-nanny",
        "--no-dashboard",
    )
    with ExitStack() as stack:
        stack.callback(end_all)
        wait_for(lambda: not names(scheduler))
        started = [
            stack.enter_context(process(*words, "--name", f"worker{place}", **environment))
            for place in range(number)
        ]
        wait_for(lambda: len(names(scheduler)) == number)
        yield started


def names(scheduler: str) -> list[str]:
    """The names of the workers that are there."""
    from distributed import Client

    with Client(scheduler, set_as_default=False) as client:
        return [str(each["name"]) for each in client.scheduler_info(n_workers=-1)["workers"].values()]


def busy(scheduler: str) -> list[str]:
    """The names of the workers that have been given something to do."""
    from distributed import Client

    with Client(scheduler, set_as_default=False) as client:
        known = client.scheduler_info(n_workers=-1)["workers"]
        return [str(known[worker]["name"]) for worker, keys in client.processing().items() if keys]


def log_spilling(scheduler: str, file: Path) -> None:
    """Let the workers write to this file what fails when they move data from memory to their disks."""
    from distributed import Client

    handlers = {"file": {"class": "logging.FileHandler", "filename": str(file)}}
    loggers = {"distributed.spill": {"handlers": ["file"]}}
    with Client(scheduler, set_as_default=False) as client:
        config = {"version": 1, "disable_existing_loggers": False, "handlers": handlers, "loggers": loggers}
        client.run(logging.config.dictConfig, config)


@contextmanager
def scheduler_in(folder: Path) -> Iterator[str]:
    """The address of a scheduler without workers, for as long as the block lasts."""
    file = folder / "scheduler.json"
    words = ("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard")
    with process(*words, "--scheduler-file", file):
        wait_for(lambda: file.exists() and file.read_text().strip().endswith("}"))
        yield json.loads(file.read_text())["address"]


RUNNING: list[subprocess.Popen[str]] = []
"""Commands that a test has started; those of one that failed would keep the workers of the next one busy."""


def running(*words: str, **environment: str) -> subprocess.Popen[str]:
    """A command of the workbench that has begun."""
    RUNNING.append(
        subprocess.Popen(
            [sys.executable, "-m", "workbench", *words],
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
    )
    return RUNNING[-1]


def outcome(started: subprocess.Popen[str]) -> tuple[str, str, int]:
    """What it printed, what it said, its exit status."""
    printed, said = started.communicate(timeout=LIMIT)
    return printed, said, started.returncode


def end_all() -> None:
    """End the commands that go on."""
    for each in RUNNING:
        each.kill()
    RUNNING.clear()


def kill_busy(scheduler: str, started: list[Started]) -> None:
    """Kill the worker that still has something to do, once the other one has nothing more."""
    (name,) = wait_for(lambda: len(found := busy(scheduler)) == 1 and found)
    started[int(name.removeprefix("worker"))].kill()
    wait_for(lambda: name not in names(scheduler))


def reader_of(fifo: str) -> int:
    """What writes to a process that has opened it for reading, and reads until this is closed."""

    def opened() -> list[int]:
        try:
            return [os.open(fifo, os.O_WRONLY | os.O_NONBLOCK)]
        except OSError:  # nobody reads yet
            return []

    (found,) = wait_for(opened)
    return int(found)


class InThisProcess:
    """A stand-in for a cluster: it does all tasks itself, the last one first, and gives and gets what is pickled."""

    def each(
        self, function: Callable[[Any, Any], Any], shared: Any, tasks: Sequence[Task]
    ) -> Iterator[tuple[int, Any]]:
        return self.each_of(function, [(shared, tasks)])

    def each_of(
        self, function: Callable[[Any, Any], Any], groups: Sequence[tuple[Any, Sequence[Task]]]
    ) -> Iterator[tuple[int, Any]]:
        flat = [(shared, task) for shared, tasks in groups for task in tasks]
        for place in reversed(range(len(flat))):
            shared, task = flat[place]
            given = pickle.loads(pickle.dumps((function, shared, task.given)))
            yield place, pickle.loads(pickle.dumps(given[0](*given[1:])))


def without_processes(monkeypatch: pytest.MonkeyPatch, module: str) -> list[Workers]:
    """Let a module use the stand-in; the workers that it asks for, in their order."""
    asked: list[Workers] = []

    @contextmanager
    def cluster(workers: Workers) -> Iterator[InThisProcess]:
        asked.append(workers)
        yield InThisProcess()

    monkeypatch.setattr(import_module(module), "cluster", cluster)
    return asked
