"""The server's loop, and its end: what was asked is answered before anything is closed."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from waitress import wasyncore  # type: ignore[import-untyped]
from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.server import BaseWSGIServer  # type: ignore[import-untyped]

PATIENCE = 30.0
"""Seconds that requests which are running get to end."""

SILENCE = 5.0
"""Seconds after which a request that came in part is not waited for."""

LOOK = 1.0
LOOK_WHILE_STOPPING = 0.1

SIGNALS = (signal.SIGTERM, signal.SIGINT)


class StopRequest:
    """How often the process was asked to stop: once to end what is running, twice to leave it."""

    def __init__(self) -> None:
        self.times = 0


def run_until_stopped(server: Any, *, patience: float = PATIENCE) -> bool:
    """Run a waitress server until SIGTERM or Ctrl-C, then let running requests end; whether all of them did.

    From the signal on no new connection is accepted, and idle connections are closed. Requests that take
    longer than `patience` seconds are left, and so are all at a second signal. Afterwards every socket is closed.
    Outside the main thread there are no signals, and it runs for ever.
    """
    sockets = sockets_of(server)

    def wake() -> None:
        for listening in _of_kind(sockets, BaseWSGIServer):
            listening.pull_trigger()

    try:
        with _stop_on_signals(wake) as request:
            while not request.times:
                _turn(server, sockets, LOOK)
            deadline = time.monotonic() + patience

            def is_over() -> bool:
                return request.times > 1 or time.monotonic() > deadline

            _finish_requests(server, sockets, is_over)
            dispatcher = server.task_dispatcher
            while dispatcher.threads and not is_over():  # one may still work for a client that hung up
                dispatcher.shutdown(cancel_pending=False, timeout=LOOK_WHILE_STOPPING)
            return not dispatcher.threads
    finally:
        server.task_dispatcher.shutdown(timeout=0)
        wasyncore.close_all(sockets)


def _finish_requests(server: Any, sockets: dict[int, Any], is_over: Callable[[], bool]) -> None:
    for listening in _of_kind(sockets, BaseWSGIServer):
        wasyncore.dispatcher.close(listening)  # and not its trigger, which tells when an answer is ready
    while not is_over():
        for channel in _of_kind(sockets, HTTPChannel):
            if not _is_busy(channel):
                channel.will_close = True
        if not _of_kind(sockets, HTTPChannel):
            return
        _turn(server, sockets, LOOK_WHILE_STOPPING)


def _is_busy(channel: HTTPChannel) -> bool:
    comes_in = channel.request is not None and time.time() - channel.last_activity < SILENCE
    return bool(channel.requests or comes_in or channel.total_outbufs_len)


def _turn(server: Any, sockets: dict[int, Any], seconds: float) -> None:
    wasyncore.loop(timeout=seconds, map=sockets, use_poll=server.adj.asyncore_use_poll, count=1)


def sockets_of(server: Any) -> dict[int, Any]:
    """The sockets and channels of a waitress server, which has them itself for one socket, else in a map."""
    found: dict[int, Any] = server.map if hasattr(server, "effective_listen") else server._map
    return found


def _of_kind(sockets: dict[int, Any], kind: type) -> list[Any]:
    return [found for found in list(sockets.values()) if isinstance(found, kind)]


@contextmanager
def _stop_on_signals(wake: Callable[[], None]) -> Iterator[StopRequest]:
    request = StopRequest()

    def note(*_: object) -> None:
        # Nothing is raised here: it would end whatever the loop is in the middle of.
        request.times += 1
        wake()

    if threading.current_thread() is not threading.main_thread():
        yield request
        return
    # A shell that starts something in the background may have told it to ignore Ctrl-C.
    heeded = [number for number in SIGNALS if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, note) for number in heeded}
    try:
        yield request
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
