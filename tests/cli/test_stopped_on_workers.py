"""Ctrl-C while other processes work, as a terminal sends it: to the command and to all that it has started."""

from __future__ import annotations

import importlib.util
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.clusters import busy, outcome, reader_of, wait_for, workers
from tests.conftest import skip_or_fail
from tests.scoring.evaluation.test_parts import made

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _with_dask() -> None:
    if importlib.util.find_spec("distributed") is None:
        skip_or_fail("distributed is not installed: make test-slow")


def endless(command: str, folder: Path, small_file: Path) -> list[str]:
    """A command that would go on for longer than a test: on a file without an end, or with very many rounds."""
    qrels, runs = made(folder)
    if command in {"eval", "pool-files"}:
        Path(runs[0]).unlink()
        os.mkfifo(runs[0])  # a reader waits until there is a writer
    return {
        "eval": ["eval", qrels, *runs],
        "pool-files": ["pool-files", "--depth", "5", *runs],
        "simulate": ["simulate", qrels, *runs, "--seeds", "1000", "--budget", "1,2,3,5,8,13,21,34,55,89"],
        "compare": ["compare", str(small_file), "--all", "--permutations", "100000000"],
    }[command]


def in_a_terminal(*words: str) -> subprocess.Popen[str]:
    """A command that has begun, in a group of processes of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "workbench", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def assert_stopped(command: subprocess.Popen[str]) -> None:
    """It ends with one line about it, after the warnings of files, and where bokeh is the address of a dashboard."""
    printed, said, status = outcome(command)
    *before, last = said.splitlines()
    assert (printed, last, status) == ("", "Stopped; unfinished work is discarded.", 130), said
    assert all(line.startswith(("Warning: ", "Dask's dashboard")) for line in before), said


def started_by(command: subprocess.Popen[str]) -> Iterator[int]:
    """The processes of a command other than itself."""
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            about = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended
            continue
        if int(about[3]) == command.pid != int(folder.name) and about[0] != "Z":
            yield int(folder.name)


@pytest.mark.parametrize(
    ("command", "seconds"),
    # While processes are started, which is the same for all, and while they work.
    [("eval", 0.0), ("eval", 4.0), ("simulate", 6.0)],
)
def test_ctrl_c_ends_a_command_and_its_processes(
    command: str, seconds: float, tmp_path: Path, small_file: Path
) -> None:
    begun = in_a_terminal(*endless(command, tmp_path, small_file), "--workers", "2")
    wait_for(lambda: begun.poll() is not None or any(started_by(begun)))
    time.sleep(seconds)
    assert begun.poll() is None
    os.killpg(begun.pid, signal.SIGINT)
    assert_stopped(begun)
    wait_for(lambda: not [*started_by(begun)])


@pytest.mark.parametrize("command", ["pool-files", "compare"])
def test_ctrl_c_leaves_the_workers_of_a_scheduler_with_nothing_to_do(
    command: str, scheduler: str, tmp_path: Path, small_file: Path
) -> None:
    words = endless(command, tmp_path, small_file)
    with workers(scheduler, 2):
        begun = in_a_terminal(*words, "--scheduler", scheduler)
        held = reader_of(str(tmp_path / "run0")) if command in {"eval", "pool-files"} else None
        wait_for(lambda: busy(scheduler))
        os.killpg(begun.pid, signal.SIGINT)
        assert_stopped(begun)
        if held is not None:
            os.close(held)
        wait_for(lambda: not busy(scheduler))
        assert not [*started_by(begun)]
