"""Requests that wait for a thread, taken in turns: who sends many waits for oneself, not the others for them."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from typing import Any


class FairQueue:
    """Waitress's queue of channels, from which each client's first one is taken before any client's second.

    Args:
        client_of: whose turn a channel is.
        at_once: of how many channels of one client threads work at the same time.
        failures_of: how many failures a client has. Every second turn is that of the client with fewest, of these the
            one who came last: a crowd that comes at once delays who comes after it by two turns. The other turns are
            by arrival, so each client's comes.
    """

    def __init__(
        self,
        client_of: Callable[[Any], Hashable],
        *,
        at_once: int,
        failures_of: Callable[[Any], int] | None = None,
    ) -> None:
        self._client_of, self._at_once, self._failures_of = client_of, at_once, failures_of
        self._by_arrival = True
        self._waiting: OrderedDict[Hashable, deque[Any]] = OrderedDict()
        self._running: Counter[Hashable] = Counter()
        self._lock = threading.Lock()

    def __len__(self) -> int:
        """How many channels wait."""
        return sum(len(channels) for channels in list(self._waiting.values()))

    def __iter__(self) -> Iterator[Any]:
        """The channels that wait."""
        return iter([channel for channels in list(self._waiting.values()) for channel in list(channels)])

    def __bool__(self) -> bool:
        """Whether a thread may take one now."""
        with self._lock:
            return any(self._may_run(client) for client in self._waiting)

    def append(self, channel: Any) -> None:
        """Let a channel wait."""
        client = self._client_of(channel)
        with self._lock:
            self._waiting.setdefault(client, deque()).append(channel)

    def has_of(self, client: Hashable) -> bool:
        """Whether a channel of a client waits."""
        return client in self._waiting

    def popleft(self) -> Any:
        """The channel whose turn it is, as a task that says when it has ended."""
        with self._lock:
            may_run = [client for client in self._waiting if self._may_run(client)]
            client = self._next_of(may_run)
            channels = self._waiting.pop(client)
            task = Turn(channels.popleft(), lambda: self._end(client))
            if channels:
                self._waiting[client] = channels
            self._running[client] += 1
            return task

    def _next_of(self, clients: list[Hashable]) -> Hashable:
        """Whose turn it is among clients in the order of their arrival."""
        self._by_arrival = self._failures_of is None or not self._by_arrival
        if self._failures_of is None or self._by_arrival:
            return clients[0]
        return min(reversed(clients), key=self._failures_of)

    def _may_run(self, client: Hashable) -> bool:
        return self._running[client] < self._at_once

    def _end(self, client: Hashable) -> None:
        """The thread that ends a turn looks for the next one itself, so no other has to be woken."""
        with self._lock:
            self._running -= Counter([client])


class Turn:
    """A channel that a thread works at."""

    def __init__(self, channel: Any, end: Callable[[], None]) -> None:
        self._channel, self._end = channel, end

    def service(self) -> None:
        """Answer its request."""
        try:
            self._channel.service()
        finally:
            self._end()

    def cancel(self) -> None:
        """Give its request up."""
        self._end()
        self._channel.cancel()
