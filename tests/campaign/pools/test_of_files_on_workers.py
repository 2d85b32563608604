"""Runs that real workers read and cut, each worker a process of its own: the pool of one process, byte for byte."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.clusters import busy, kill_busy, outcome, reader_of, running, wait_for, workers
from tests.scoring.evaluation.test_parts import made

pytestmark = pytest.mark.slow


def pooled(*words: str) -> tuple[str, str, int]:
    return outcome(running("pool-files", *words))


def test_the_pool_is_the_same_and_so_are_warnings_and_errors(scheduler: str, tmp_path: Path) -> None:
    _, runs = made(tmp_path)
    Path(runs[3]).write_text("#9 Q0 d1 0 1 t\n" + Path(runs[3]).read_text())
    words = ("--strategy", "combsum", "--depth", "10", "--budget", "40", "--format", "csv", *runs)
    alone = pooled(*words)
    assert alone[2] == 0
    assert "run3:1: " in alone[1]
    with workers(scheduler, 2):
        assert pooled("--scheduler", scheduler, *words) == alone
        Path(runs[1]).write_text("9 Q0 d1 0 x t\n")
        Path(runs[2]).unlink()
        alone = pooled(*words)
        assert (alone[0], alone[2]) == ("", 1)
        assert pooled("--scheduler", scheduler, *words) == alone


def test_a_killed_worker_is_made_up_for_and_ctrl_c_ends_it(scheduler: str, tmp_path: Path) -> None:
    _, runs = made(tmp_path)
    words = ("--depth", "5", *runs)
    alone = pooled(*words)
    content = Path(runs[0]).read_bytes()
    Path(runs[0]).unlink()
    os.mkfifo(runs[0])  # a reader waits until there is a writer
    with workers(scheduler, 2) as started:
        begun = running("pool-files", "--scheduler", scheduler, *words)
        held = reader_of(runs[0])
        kill_busy(scheduler, started)
        again = reader_of(runs[0])
        os.close(held)  # only now: a reader without a writer is at the end
        os.write(again, content)
        os.close(again)
        assert outcome(begun) == alone
        begun = running("pool-files", "--scheduler", scheduler, *words)
        held = reader_of(runs[0])
        begun.send_signal(signal.SIGINT)
        assert outcome(begun) == ("", "Stopped; unfinished work is discarded.\n", 130)
        os.close(held)
        wait_for(lambda: not busy(scheduler))
