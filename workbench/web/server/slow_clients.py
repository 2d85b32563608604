"""How long the server waits for a client, and whose connection it closes when there are too many.

Waitress receives requests and sends answers in one loop, so a slow client holds no thread, only one of a limited number
of connections. Each is closed when its client takes too long over what it is at:

- the head of a request: HEAD seconds from its first byte;
- the body: GRACE seconds, and one more for each SLOWEST bytes that came;
- the answer: STALL seconds in which the client takes nothing of it;
- nothing asked: IDLE seconds.

When there are more than MOST connections, one on which no request is being answered is closed for each that comes: of
the network that has most connections, the one on which nothing happened for longest. So who comes is always let in, and
many connections of one network displace each other. An answer is then the last one on its connection, and says so:
a client that did not know would send its next request there, and never hear of it again. One on which a
request has just come is left open, since that request would be lost. Behind a proxy all come from one address, and the
proxy's own limits count (docs/serving.md).
"""

from __future__ import annotations

import socket
import time
from collections import Counter
from collections.abc import Callable
from typing import Any

from waitress.channel import HTTPChannel  # type: ignore[import-untyped]
from waitress.task import WSGITask  # type: ignore[import-untyped]

from workbench.web.requests.throttle import network_of

HEAD = 10.0
GRACE = 20.0
SLOWEST = 1_000
STALL = 60.0
IDLE = 60.0

SEND_BUFFER = 1 << 18
"""Bytes of an answer that the system keeps for a client. It tells of room only when a good part is free: with its usual
megabytes, a client that takes 20 kB a second would seem to take nothing for more than a minute."""

MOST = 400
"""Connections; on Windows a process can wait for 512 sockets at most."""

FEWEST = 100
"""Connections without a request that are left open, however many requests are being answered."""

LOOK = 1.0


class Answering(WSGITask):  # type: ignore[misc]
    """The answer to a request, which says so when its connection ends with it."""

    def build_response_header(self) -> bytes:
        """The head of the answer; among too many connections as if the client had asked to close its own."""
        if self.channel.makes_room():
            self.request.headers["CONNECTION"] = "close"
        return bytes(super().build_response_header())


class PatientChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that knows since when its client has been at what it is at."""

    task_class = Answering
    clock = staticmethod(time.monotonic)

    def __init__(self, server: Any, sock: socket.socket, *given: Any, **options: Any) -> None:
        self._request: Any = None
        self._in_body = False
        self._n_received = self._n_sent = self._n_taken = 0
        self._since = self.clock()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER)
        super().__init__(server, sock, *given, **options)
        self.network = network_of(self.addr[0])

    def received(self, data: bytes) -> Any:
        """Take in what came, and note when a request began, and its body."""
        found = super().received(data)
        in_body = self.request is not None and self.request.headers_finished
        if self.request is not self._request or in_body is not self._in_body:
            self._request, self._in_body = self.request, in_body
            self._since, self._n_received = self.clock(), 0
        self._n_received += len(data)
        return found

    def makes_room(self) -> bool:
        """Whether there are too many connections, and this one has nothing to be answered but one request."""
        if len(self._map) <= MOST:
            return False
        with self.requests_lock:
            return len(self.requests) == 1 and self.request is None

    def has_new_request(self) -> bool:
        """Whether the first bytes of a request have come that the loop has not read yet."""
        if self.request is not None:
            return False
        try:
            return bool(self.socket.recv(1, socket.MSG_PEEK))
        except OSError:
            return False

    def send(self, data: bytes, do_close: bool = True) -> int:
        """Send what the system takes of `data`; how many bytes those are."""
        n_sent = int(super().send(data, do_close=do_close))
        self._n_sent += n_sent
        return n_sent

    def is_overdue(self) -> bool:
        """Whether the client has taken too long; to be asked about once in LOOK seconds, by the loop's own thread."""
        now = self.clock()
        if self.total_outbufs_len:
            if self._n_sent != self._n_taken:
                self._n_taken, self._since = self._n_sent, now
            return now - self._since > STALL
        if self.requests:
            self._since = now
            return False
        if self.request is None:
            return now - self._since > IDLE
        allowed = GRACE + self._n_received / SLOWEST if self._in_body else HEAD
        return now - self._since > allowed


class Watch:
    """Closes connections that are overdue, and those that are too many.

    To be called between two turns of the loop alone: within one, a closed socket's number may already be another's.
    """

    def __init__(self, sockets: dict[int, Any], *, clock: Callable[[], float] = time.monotonic) -> None:
        self._sockets, self._clock = sockets, clock
        self._next = clock() + LOOK

    def look(self) -> None:
        """Close what is to be closed now."""
        if len(self._sockets) > MOST:
            self._make_room()
        if self._clock() >= self._next:
            self._next = self._clock() + LOOK
            for channel in self._channels():
                if channel.is_overdue():
                    channel.handle_close()

    def _make_room(self) -> None:
        channels = self._channels()
        waiting = [channel for channel in channels if not channel.requests]
        allowed = max(FEWEST, MOST - (len(channels) - len(waiting)))
        while len(waiting) > allowed:
            numbers = Counter(channel.network for channel in channels)
            least = min(waiting, key=lambda channel: (-numbers[channel.network], channel.last_activity))
            waiting.remove(least)
            if least.has_new_request():
                continue  # it would be lost without an answer, and the next turn reads it
            channels.remove(least)
            least.handle_close()

    def _channels(self) -> list[PatientChannel]:
        return [found for found in list(self._sockets.values()) if isinstance(found, PatientChannel)]
