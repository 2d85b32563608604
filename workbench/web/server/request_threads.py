"""Which threads answer a request: those that hash a password have few of their own, so have reading and organisers.

Hashing takes a core for a while, and strangers can ask for it. Pages and files for organisers can take seconds, and so
can the long documents of one campaign; saving a judgment takes milliseconds, and must never wait for them. Requests
that wait for their turn wait in a queue and hold no thread, so that everything else finds the threads it always had.
Of those who read, each account's requests are answered one after the other; passwords are taken in turns from each
network, and every second one from the network with fewest wrong ones.
"""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from typing import Any

from flask import Flask
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from workbench.people.accounts.guesses import network_of
from workbench.people.accounts.passwords import AT_ONCE
from workbench.web.access.rules import Rule
from workbench.web.requests.long_work import SEATS, WAITING
from workbench.web.server.request_size import account_of, view_at


class FairQueue:
    """Waitress's queue of channels, from which each client's first one is taken before any client's second; threads
    work `at_once` at so many of one client.

    With `failures_of` every second turn is that of the client with fewest failures, of these the one who came last: a
    crowd that comes at once delays who comes after it by two turns. The other turns are by arrival, so each comes.
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
            client = may_run[0]
            self._by_arrival = self._failures_of is None or not self._by_arrival
            if self._failures_of is not None and not self._by_arrival:
                client = min(reversed(may_run), key=self._failures_of)
            channels = self._waiting.pop(client)
            task = Turn(channels.popleft(), lambda: self._end(client))
            if channels:
                self._waiting[client] = channels
            self._running[client] += 1
            return task

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


LONG = SEATS + WAITING + 3
"""Threads for what may take long: for those that have a seat, those that wait for one, and three for other pages."""

NOT_LONG = frozenset({"assessor", "adjudicator"})
"""Who judges: what is for them is fast, or has to be made so."""

READING = 3
"""Threads that render documents."""

LONGEST_QUEUE = 250
"""Requests with a password that wait: a large lecture signs in at once."""


class Lanes:
    """Waitress's dispatcher of requests to threads.

    AT_ONCE threads are for views that check passwords, LONG threads for those that `may_take_long`, READING threads
    for those that render documents.
    """

    def __init__(self, app: Flask, threads: int) -> None:
        self._app = app
        self._usual, self._hashing, self._long, self._reading = (ThreadedTaskDispatcher() for _ in range(4))
        self._lanes = (self._usual, self._hashing, self._long, self._reading)
        guesses = app.extensions["workbench_guesses"]
        self._hashing.queue = FairQueue(self._network_of, at_once=AT_ONCE, failures_of=guesses.failures_of)
        self._reading.queue = FairQueue(
            lambda channel: account_of(app, channel.requests[0].headers), at_once=1
        )
        for lane, count in zip(self._lanes, (threads, AT_ONCE, LONG, READING), strict=True):
            lane.set_thread_count(count)

    @property
    def threads(self) -> list[Any]:
        """The threads that have not ended."""
        return [thread for lane in self._lanes for thread in lane.threads]

    @property
    def queue(self) -> list[Any]:
        """The channels whose request waits for a thread."""
        return [channel for lane in self._lanes for channel in list(lane.queue)]

    def add_task(self, channel: Any) -> None:
        """Put the first request of a channel into the queue of its threads.

        Passwords beyond LONGEST_QUEUE go to the usual threads, where the limit of hashes refuses them at once: else
        they would hold all connections that the server can have. The first one of a network waits all the same.
        """
        self._lane_of(channel).add_task(channel)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """Let all threads end, as waitress's own dispatcher does."""
        ended = [lane.shutdown(cancel_pending, timeout / len(self._lanes)) for lane in self._lanes]
        return all(ended)

    def _lane_of(self, channel: Any) -> Any:
        request = channel.requests[0]
        view = None if request.error else view_at(self._app, request.command, request.path)
        if view is None:
            return self._usual
        if request.command == "POST" and getattr(view, "checks_passwords", False):
            queue = self._hashing.queue
            may_wait = len(queue) < LONGEST_QUEUE or not queue.has_of(self._network_of(channel))
            return self._hashing if may_wait else self._usual
        if getattr(view, "reads_documents", False):
            return self._reading
        return self._long if may_take_long(view) else self._usual

    def _network_of(self, channel: Any) -> str:
        """The network of the client; behind a proxy that which the proxy names, as `ProxyFix` reads it."""
        headers = channel.requests[0].headers if self._app.config["BEHIND_PROXY"] else {}
        named = headers.get("X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        return network_of(named or channel.addr[0])


def may_take_long(view: Callable[..., Any]) -> bool:
    """Whether a view may work for seconds: it says so, or it is for people who do not judge alone."""
    rule: Rule | None = getattr(view, "access_rule", None)
    roles = () if rule is None else rule.roles or ()
    return getattr(view, "takes_long", False) or (bool(roles) and NOT_LONG.isdisjoint(roles))
