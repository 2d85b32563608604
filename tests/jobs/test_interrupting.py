"""Ctrl-C waits for the end of a block, and is not handed on."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Thread

import pytest

from workbench.jobs.cluster import postponed, uninterrupted

Block = Callable[[], AbstractContextManager[None]]


@pytest.mark.parametrize("block", [postponed, uninterrupted])
def test_ctrl_c_in_the_block_comes_after_its_last_line(block: Block) -> None:
    done: list[str] = []
    usual = signal.getsignal(signal.SIGINT)
    with block():
        assert signal.getsignal(signal.SIGINT) != usual
    assert signal.getsignal(signal.SIGINT) == usual
    with pytest.raises(KeyboardInterrupt), block():
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["the rest"]
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)

    def work() -> None:
        with block():
            done.append("of another thread than the first")

    thread = Thread(target=work)
    thread.start()
    thread.join()
    assert len(done) == 2


def test_ctrl_c_that_another_thread_gets_waits_as_well() -> None:
    done: list[str] = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        unblocked = Thread(
            target=lambda: (
                signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT}),
                signal.raise_signal(signal.SIGINT),
            )
        )
        unblocked.start()
        unblocked.join()
        done.append("the rest")
    assert done == ["the rest"]


def test_a_process_that_is_started_in_the_block_does_not_get_ctrl_c() -> None:
    words = "import os, signal; os.kill(os.getpid(), signal.SIGINT); print('goes on')"
    with uninterrupted():
        started = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=False)
    assert (started.stdout, started.stderr) == ("goes on\n", "")
