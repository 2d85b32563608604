"""Which threads answer a request: those that hash a password have few of their own, so have reading and organisers.

Hashing takes a core for a while, and strangers can ask for it. Pages and files for organisers can take seconds, and so
can the long documents of one campaign; saving a judgment takes milliseconds, and must never wait for them. Requests
that wait for their turn wait in a queue and hold no thread, so that everything else finds the threads it always had.
Of those who read, each account's requests are answered one after the other; passwords are taken in turns from each
network, and every second one from the network with fewest wrong ones.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from workbench.people.accounts.hashing import AT_ONCE
from workbench.web.access.rules import Rule
from workbench.web.requests.long_work import SEATS, WAITING
from workbench.web.requests.throttle import network_of
from workbench.web.server.fair_queue import FairQueue
from workbench.web.server.request_size import account_of, view_at

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
        self._reading.queue = FairQueue(self._account_of, at_once=1)
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
        named = (
            channel.requests[0].headers.get("X_FORWARDED_FOR", "") if self._app.config["BEHIND_PROXY"] else ""
        )
        return network_of(named.rpartition(",")[2].strip() or channel.addr[0])

    def _account_of(self, channel: Any) -> str:
        return account_of(self._app, channel.requests[0].headers)


def may_take_long(view: Callable[..., Any]) -> bool:
    """Whether a view may work for seconds: it says so, or it is for people who do not judge alone."""
    rule: Rule | None = getattr(view, "access_rule", None)
    roles = () if rule is None else rule.roles or ()
    return getattr(view, "takes_long", False) or (bool(roles) and NOT_LONG.isdisjoint(roles))
