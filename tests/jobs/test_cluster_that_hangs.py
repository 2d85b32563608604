"""Addresses that are no scheduler, and schedulers and workers that die or hang, each a process of its own."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

from tests.clusters import outcome, reader_of, running, scheduler_in, workers
from tests.scoring.evaluation.test_parts import made
from tests.sentences import says
from tests.stores import web_server
from workbench.core.errors import ClusterError
from workbench.jobs import cluster as cluster_module
from workbench.jobs.cluster import Task, Workers, cluster

pytestmark = pytest.mark.slow


def scheduler_at(address: str) -> int:
    """The number of its process."""
    from distributed import Client

    with Client(address, set_as_default=False) as client:
        return int(client.run_on_scheduler(os.getpid))


def addresses(scheduler: str) -> dict[str, str]:
    """The addresses of the workers that are there, and their names."""
    from distributed import Client

    with Client(scheduler, set_as_default=False) as client:
        known = client.scheduler_info(n_workers=-1)["workers"]
        return {worker: str(about["name"]) for worker, about in known.items()}


@contextmanager
def listening(words: bytes | None) -> Iterator[str]:
    """The address of what accepts connections and says these words, or hangs up without one."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        accepted = []

        def accept() -> None:
            while True:
                try:
                    connection, _ = server.accept()
                except OSError:  # the test is over
                    return
                if words is None:
                    connection.close()
                    continue
                connection.sendall(words)
                accepted.append(connection)

        Thread(target=accept, daemon=True).start()
        yield f"tcp://127.0.0.1:{server.getsockname()[1]}"
        server.shutdown(socket.SHUT_RDWR)
    for each in accepted:
        each.close()


def assert_given_up(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """What listens there is no scheduler that answers in a second."""
    monkeypatch.setattr(cluster_module, "PATIENCE", 1.0)
    with pytest.raises(ClusterError, match=re.escape(address)), cluster(Workers(address)):
        pass


@pytest.mark.usefixtures("scheduler")
@pytest.mark.parametrize(
    "words",
    [b"", None, b"SSH-2.0-OpenSSH_9.6\r\n", b"\0" * 64, b"220 mail.example.org ESMTP\r\n"],
    ids=["says nothing", "hangs up", "ssh", "zeros", "mail"],
)
def test_what_is_no_scheduler_is_given_up(words: bytes | None, monkeypatch: pytest.MonkeyPatch) -> None:
    with listening(words) as address:
        assert_given_up(address, monkeypatch)


@pytest.mark.usefixtures("scheduler")
def test_a_web_server_and_a_scheduler_that_hangs_are_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with web_server(tmp_path) as host, scheduler_in(tmp_path) as address:
        os.kill(scheduler_at(address), signal.SIGSTOP)
        for each in (f"tcp://{host}", address):
            assert_given_up(each, monkeypatch)


def test_a_worker_that_hangs_is_named_and_one_that_works_is_not(
    scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cluster_module, "ANSWER", 2.0)
    with workers(scheduler, 2) as started:
        (hanging,) = (worker for worker, name in addresses(scheduler).items() if name == "worker1")
        started[1].send_signal(signal.SIGSTOP)
        with cluster(Workers(scheduler)) as there, pytest.raises(ClusterError, match=re.escape(hanging)):
            list(there.each(max, 1, [Task("one", 1)]))


def test_a_scheduler_that_ends_while_runs_are_read_is_said(scheduler: str, tmp_path: Path) -> None:
    qrels, runs = made(tmp_path)
    Path(runs[0]).unlink()
    os.mkfifo(runs[0])  # a reader waits until there is a writer
    with scheduler_in(tmp_path) as address, workers(address):
        pid = scheduler_at(address)
        begun = running("eval", "--scheduler", address, qrels, *runs)
        held = reader_of(runs[0])
        os.kill(pid, signal.SIGKILL)
        printed, said, status = outcome(begun)
        os.close(held)
    assert (printed, status) == ("", 1)
    assert says(said)
