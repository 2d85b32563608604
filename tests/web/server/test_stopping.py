"""A server that is told to stop answers what it was asked, and leaves each file whole."""

from __future__ import annotations

import http.client
import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from waitress.server import create_server  # type: ignore[import-untyped]

from tests.waiting import wait_until
from workbench.storage.campaign import create_campaign, open_campaign
from workbench.storage.campaign.people import members
from workbench.web.server import stopping

# A server with a view that says when it has begun, waits for a byte, and then writes to the campaign.
SERVER = """
import os, sys
from pathlib import Path
from types import SimpleNamespace
from workbench.storage.campaign.people import members
from workbench.web.server import stopping
from workbench.web.server import serving
from workbench.web.access.rules import PUBLIC, allowing
from workbench.web.requests.connections import connections

def with_slow_view(*given, **options):
    app = create_app(*given, **options)

    @app.get("/slow")
    @allowing(PUBLIC)
    def slow():
        print("begun", flush=True)
        os.read(0, 1)
        campaign = connections().campaign("robust")
        with campaign.write():
            members.put(campaign.by("Anna"), "Ben", "assessor")
        return "x" * 3_000_000

    return app

create_app, serving.create_app = serving.create_app, with_slow_view
serving.serve(Path(sys.argv[1]), address=serving.Address(sys.argv[2], port=0), open_browser=False,
              log_requests="log" in sys.argv, say=lambda line: print(line, flush=True))
"""

Server = tuple[subprocess.Popen[str], int]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    create_campaign(tmp_path / "robust.db").close()
    return tmp_path


@pytest.fixture(params=[pytest.param("127.0.0.1", marks=pytest.mark.slow), "localhost"])
def server(request: pytest.FixtureRequest, folder: Path) -> Iterator[Server]:
    """A real server, on one address or on all that localhost has, and its port."""
    command = [sys.executable, "-c", SERVER, str(folder), request.param, "log"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        first = process.stdout.readline()
        while "Ctrl-C" not in process.stdout.readline():
            pass
        yield process, int(first.rstrip("/\n").rpartition(":")[2])
        process.kill()


def ask(port: int, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def idle(port: int) -> socket.socket:
    """A connection that stays open after its answer, as browsers keep them."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60)
    connection.sendall(b"GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert connection.recv(65536).startswith(b"HTTP/1.1 200")
    return connection


def until_closed(connection: socket.socket) -> None:
    with connection:
        while connection.recv(65536):
            pass


@pytest.mark.parametrize("stop", [signal.SIGTERM, signal.SIGINT])
def test_what_runs_is_answered_and_written_before_the_files_are_closed(
    server: Server, folder: Path, stop: signal.Signals
) -> None:
    process, port = server
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    unused = idle(port)
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(ask, port, "/slow")
        assert process.stdout.readline() == "begun\n"
        process.send_signal(stop)
        until_closed(unused)  # the server is stopping
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", port), timeout=60)
        process.stdin.write("x")
        process.stdin.flush()
        assert answer.result(60) == (200, b"x" * 3_000_000)
    assert process.wait(60) == 0
    lines = [json.loads(line) for line in process.stderr.read().splitlines()]
    assert [(line["route"], line["status"], line["bytes"]) for line in lines] == [
        ("/health", 200, 16),
        ("/slow", 200, 3_000_000),
    ]
    assert sorted(path.name for path in folder.iterdir()) == [
        "accounts.db",
        "monitor_token",
        "robust.db",
        "secret_key",
    ]
    with open_campaign(folder / "robust.db") as campaign:
        assert list(members.all_members(campaign)) == ["Ben"]


def test_a_second_signal_waits_for_nothing(server: Server, folder: Path) -> None:
    process, port = server
    assert process.stdout is not None
    assert process.stderr is not None
    unused = idle(port)
    with ThreadPoolExecutor(1) as threads:
        answer = threads.submit(ask, port, "/slow")
        assert process.stdout.readline() == "begun\n"
        process.terminate()
        until_closed(unused)
        process.terminate()
        assert process.wait(60) == 0
        assert isinstance(answer.exception(60), ConnectionError)
    assert "stopped before every request had ended" in process.stderr.read()
    with open_campaign(folder / "robust.db") as campaign:
        assert list(members.all_members(campaign)) == []


@pytest.mark.slow
def test_a_request_that_came_in_part_is_not_waited_for_long(server: Server) -> None:
    process, port = server
    with socket.create_connection(("127.0.0.1", port), timeout=60) as half:
        half.sendall(b"GET /health HTTP/1.1\r\nHost:")
        unused = idle(port)
        process.terminate()
        until_closed(unused)
        assert process.wait(25) == 0


@pytest.mark.parametrize(
    ("request_since", "waiting", "unsent", "busy"),
    [(None, [], 0, False), (0, [], 0, True), (60, [], 0, False), (None, ["a request"], 0, True), (None, [], 9, True)],
    ids=["idle", "half a request", "half a request long ago", "a request", "half an answer"],
)  # fmt: skip
def test_what_is_waited_for_is_a_request_and_its_answer_and_no_silent_line(
    request_since: float | None, waiting: list[str], unsent: int, busy: bool
) -> None:
    channel = SimpleNamespace(
        request=None if request_since is None else "half a request",
        last_activity=time.time() - (request_since or 0),
        requests=waiting,
        total_outbufs_len=unsent,
    )
    assert stopping._is_busy(channel) is busy  # type: ignore[arg-type]


class Here:
    """A waitress server of this process, which is asked to stop by its own requests, `times` times each."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, times: int) -> None:
        self.may_end, self.request, self.wake = threading.Event(), stopping.StopRequest(), lambda: None
        self.times = times
        monkeypatch.setattr(stopping, "_stop_on_signals", self.listen)
        self.server: Any = create_server(self.application, host="127.0.0.1", port=0, threads=2)
        self.port = int(self.server.effective_port)

    @contextmanager
    def listen(self, wake: Callable[[], None]) -> Iterator[stopping.StopRequest]:
        self.wake = wake
        yield self.request

    def application(self, environ: dict[str, Any], start_response: Any) -> list[bytes]:
        if environ["PATH_INFO"] == "/stop":
            self.request.times += self.times
            self.wake()
            self.may_end.wait(60)
        start_response("200 OK", [("Content-Length", "3000000")])
        return [b"x" * 3_000_000]


def test_a_server_that_stops_ends_its_answer_and_its_idle_lines(monkeypatch: pytest.MonkeyPatch) -> None:
    here = Here(monkeypatch, times=1)
    here.may_end.set()
    with ThreadPoolExecutor(1) as clients:
        line = socket.create_connection(("127.0.0.1", here.port), timeout=60)
        answer = clients.submit(ask, here.port, "/stop")
        assert stopping.run_until_stopped(here.server) is True
        assert answer.result(60) == (200, b"x" * 3_000_000)
        until_closed(line)
    assert (here.server._map, here.server.task_dispatcher.threads) == ({}, set())
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", here.port), timeout=60)


@pytest.mark.parametrize(("times", "patience"), [(2, 60.0), (1, 0.1)], ids=["asked twice", "out of patience"])
def test_a_server_leaves_a_request_that_does_not_end(
    monkeypatch: pytest.MonkeyPatch, times: int, patience: float
) -> None:
    here = Here(monkeypatch, times)
    with socket.create_connection(("127.0.0.1", here.port), timeout=60) as client:
        client.sendall(b"GET /stop HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert stopping.run_until_stopped(here.server, patience=patience) is False
        assert here.server._map == {}
        assert client.recv(1) == b""
    here.may_end.set()
    wait_until(lambda: not here.server.task_dispatcher.threads)


def test_signals_are_counted_and_then_handled_as_before() -> None:
    woken: list[None] = []
    # Who starts the tests in the background may have told them to ignore Ctrl-C.
    before = {number: signal.signal(number, signal.default_int_handler) for number in stopping.SIGNALS}
    try:
        with stopping._stop_on_signals(lambda: woken.append(None)) as request:
            for number in stopping.SIGNALS:
                signal.raise_signal(number)
        assert (request.times, len(woken)) == (2, 2)
        assert {signal.getsignal(number) for number in stopping.SIGNALS} == {signal.default_int_handler}
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def test_a_signal_that_is_ignored_stays_so() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stopping._stop_on_signals(lambda: None) as request:
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
            signal.raise_signal(signal.SIGTERM)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
        assert request.times == 1
    finally:
        signal.signal(signal.SIGINT, before)


def test_in_another_thread_no_signal_is_taken() -> None:
    before = [signal.getsignal(number) for number in stopping.SIGNALS]

    def handlers() -> tuple[int, list[Any]]:
        with stopping._stop_on_signals(lambda: None) as request:
            return request.times, [signal.getsignal(number) for number in stopping.SIGNALS]

    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(handlers).result(60) == (0, before)
