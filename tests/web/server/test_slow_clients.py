"""Connections of slow clients end in time, and many of one network displace each other and nobody else."""

from __future__ import annotations

import select
import socket
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.server import create_server  # type: ignore[import-untyped]

from workbench.web.server import slow_clients
from workbench.web.server.slow_clients import PatientChannel, Watch

HEAD = b"GET / HTTP/1.1\r\nHost: localhost\r\n"
BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\n"
LARGE = 20_000_000


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Waiting:
    """In the place of threads: what is to be answered is answered when a test says so."""

    def __init__(self) -> None:
        self.channels: list[PatientChannel] = []

    def add_task(self, channel: PatientChannel) -> None:
        self.channels.append(channel)

    def answer(self) -> None:
        while self.channels:
            self.channels.pop().service()

    def shutdown(self, *_: object, **__: object) -> None:
        """There is no thread."""


class Loop:
    """A server whose loop takes one turn after the other, and whose clock goes when a test says so."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, stack: ExitStack) -> None:
        self.clock, self.threads, self.stack = Clock(), Waiting(), stack
        monkeypatch.setattr(PatientChannel, "clock", self.clock)
        self.server: Any = create_server(
            self.application,
            sockets=[stack.enter_context(socket.create_server(("127.0.0.1", 0)))],
            _dispatcher=self.threads,
            outbuf_high_watermark=2 * LARGE,
        )
        self.server.channel_class = PatientChannel
        stack.callback(wasyncore.close_all, self.server._map)
        self.watch = Watch(self.server._map, clock=self.clock)

    @staticmethod
    def application(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        size = LARGE if environ["PATH_INFO"] == "/large" else 10
        start_response("200 OK", [("Content-Length", str(size))])
        return [b"x" * size]

    def connect(self, sent: bytes = b"", network: str | None = None) -> socket.socket:
        """A client that has sent so much; `network` is where the server takes it to be."""
        before = set(self.channels())
        client = self.stack.enter_context(
            socket.create_connection(("127.0.0.1", int(self.server.effective_port)))
        )
        while not (new := set(self.channels()) - before):
            self.turn()
        if network is not None:
            next(iter(new)).network = network
        if sent:
            client.sendall(sent)
            self.turns()
        return client

    def channels(self) -> list[PatientChannel]:
        return [found for found in self.server._map.values() if isinstance(found, PatientChannel)]

    def turn(self) -> None:
        wasyncore.loop(timeout=0.02, map=self.server._map, use_poll=True, count=1)

    def turns(self) -> None:
        for _ in range(5):
            self.turn()

    def wait(self, seconds: int) -> None:
        for _ in range(seconds):
            self.clock.now += 1
            self.watch.look()


@pytest.fixture
def loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Loop]:
    with ExitStack() as stack:
        yield Loop(monkeypatch, stack)


def is_open(client: socket.socket) -> bool:
    """Whether the server has not closed the connection; reads what it has sent."""
    while select.select([client], [], [], 0)[0]:
        if not client.recv(1 << 20):
            return False
    return True


def test_half_a_head_is_waited_for_ten_seconds(loop: Loop) -> None:
    client = loop.connect(HEAD)
    loop.wait(10)
    assert is_open(client)
    loop.wait(1)
    assert not is_open(client)


def test_a_head_that_comes_byte_by_byte_gets_no_more_time(loop: Loop) -> None:
    client = loop.connect(HEAD)
    for _ in range(2):
        loop.wait(5)
        client.sendall(b"X")
        loop.turns()
    loop.wait(1)
    assert not is_open(client)


def test_a_body_is_waited_for_as_long_as_a_thousand_bytes_a_second_come(loop: Loop) -> None:
    slow, slower = loop.connect(BODY), loop.connect(BODY)
    for piece in (b"x",) * 2 + (b"",) * 18:
        loop.wait(10)
        slow.sendall(b"x" * 10_000)
        slower.sendall(piece)
        loop.turns()
    assert is_open(slow)
    assert not is_open(slower)


def test_a_connection_without_a_request_is_left_open_for_a_minute(loop: Loop) -> None:
    used, fresh = loop.connect(HEAD + b"\r\n"), loop.connect()
    loop.threads.answer()
    loop.turns()
    loop.wait(60)
    assert is_open(used)
    assert is_open(fresh)
    loop.wait(2)
    assert not is_open(used)
    assert not is_open(fresh)


def test_a_request_is_answered_however_long_that_takes(loop: Loop) -> None:
    client = loop.connect(HEAD + b"\r\n")
    loop.wait(3600)
    loop.threads.answer()
    loop.turns()
    assert client.recv(1 << 20).startswith(b"HTTP/1.1 200 OK")


def test_an_answer_that_nobody_takes_is_waited_with_for_a_minute_and_holds_no_thread(loop: Loop) -> None:
    client = loop.connect(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
    loop.threads.answer()  # comes back, with the answer still unsent
    (channel,) = loop.channels()
    assert channel.total_outbufs_len > 0
    loop.turns()
    loop.wait(61)
    assert loop.channels() == [channel]
    loop.wait(1)
    assert loop.channels() == []
    client.close()


def test_an_answer_that_is_taken_slowly_comes_to_its_end(loop: Loop) -> None:
    client = loop.connect(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
    loop.threads.answer()
    taken = 0
    while taken < LARGE and (piece := client.recv(1 << 20)):
        taken += len(piece)
        loop.turns()
        loop.wait(50)
    assert taken >= LARGE


def test_when_there_are_too_many_the_oldest_of_the_largest_network_goes(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_clients, "MOST", 4)
    monkeypatch.setattr(slow_clients, "FEWEST", 1)
    anna = loop.connect(network="home")
    strangers = []
    for number in range(10):
        strangers.append(loop.connect(HEAD, network="elsewhere"))
        loop.channels()[-1].last_activity = number
        loop.watch.look()
    ben = loop.connect(network="office")
    loop.watch.look()
    assert is_open(anna)
    assert is_open(ben)
    assert [is_open(each) for each in strangers] == [False] * 8 + [True] * 2


def test_no_connection_is_closed_whose_request_is_being_answered(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_clients, "MOST", 2)
    monkeypatch.setattr(slow_clients, "FEWEST", 1)
    busy = [loop.connect(HEAD + b"\r\n") for _ in range(3)]
    newest = [loop.connect() for _ in range(2)]
    loop.watch.look()
    assert [is_open(each) for each in [*busy, *newest]] == [True, True, True, False, True]
    loop.threads.answer()
    loop.turns()
    assert [each.recv(1 << 20)[:15] for each in busy] == [b"HTTP/1.1 200 OK"] * 3


def test_among_too_many_a_connection_on_which_a_request_has_just_come_is_left_open(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slow_clients, "MOST", 2)
    monkeypatch.setattr(slow_clients, "FEWEST", 1)
    oldest, other, newest = (loop.connect() for _ in range(3))
    oldest.sendall(HEAD + b"\r\n")  # after the loop has looked what there is to read
    loop.watch.look()
    assert is_open(other)
    assert is_open(newest)
    loop.turns()
    loop.threads.answer()
    loop.turns()
    assert oldest.recv(1 << 20).startswith(b"HTTP/1.1 200 OK")


@pytest.mark.parametrize("version", [b"HTTP/1.1", b"HTTP/1.0"])
def test_among_too_many_a_connection_ends_with_its_answer_which_says_so(
    loop: Loop, monkeypatch: pytest.MonkeyPatch, version: bytes
) -> None:
    head = HEAD.replace(b"HTTP/1.1", version) + b"Connection: keep-alive\r\n\r\n"
    client = loop.connect(head)
    loop.threads.answer()
    loop.turns()
    assert b"close" not in client.recv(1 << 20)
    monkeypatch.setattr(slow_clients, "MOST", 2)
    client.sendall(head)
    loop.turns()
    loop.threads.answer()
    loop.turns()
    answer = client.recv(1 << 20)
    assert b"\r\nConnection: close\r\n" in answer
    assert b"Keep-Alive" not in answer
    assert answer.endswith(b"x" * 10)
    assert not is_open(client)


def test_among_too_many_a_connection_whose_next_request_has_begun_is_answered_first(
    loop: Loop, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = loop.connect(HEAD + b"\r\n" + HEAD)
    monkeypatch.setattr(slow_clients, "MOST", 2)
    for rest, is_last in ((b"", False), (b"\r\n", True)):
        client.sendall(rest)
        loop.turns()
        loop.threads.answer()
        loop.turns()
        answer = client.recv(1 << 20)
        assert (b"Connection: close" in answer) == is_last
        assert answer.endswith(b"x" * 10)
    assert not is_open(client)
