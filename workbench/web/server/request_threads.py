"""Which threads answer a request: those that hash a password have few of their own, and those for organisers too.

Hashing takes a core for a while, and strangers can ask for it. Pages and files for organisers can take seconds; saving
a judgment and showing the next document take milliseconds, and must never wait for them. Requests that wait for their
turn wait in a queue and hold no thread, so that everything else finds the threads it always had.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Flask
from waitress.task import ThreadedTaskDispatcher  # type: ignore[import-untyped]

from workbench.storage.accounts.hashing import AT_ONCE
from workbench.web.access.rules import Rule
from workbench.web.requests.long_work import SEATS, WAITING
from workbench.web.server.request_size import view_at

LONG = SEATS + WAITING + 3
"""Threads for what may take long: for those that have a seat, those that wait for one, and three for other pages."""

NOT_LONG = frozenset({"assessor", "adjudicator"})
"""Who judges: what is for them is fast, or has to be made so."""

LONGEST_QUEUE = 250
"""Requests with a password that wait: a large lecture signs in at once."""


class Lanes:
    """Waitress's dispatcher of requests to threads.

    AT_ONCE threads are for views that check passwords, LONG threads for those that `may_take_long`.
    """

    def __init__(self, app: Flask, threads: int) -> None:
        self._app = app
        self._usual, self._hashing, self._long = (ThreadedTaskDispatcher() for _ in range(3))
        self._lanes = (self._usual, self._hashing, self._long)
        for lane, count in zip(self._lanes, (threads, AT_ONCE, LONG), strict=True):
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
        they would hold all connections that the server can have.
        """
        self._lane_of(channel.requests[0]).add_task(channel)

    def shutdown(self, cancel_pending: bool = True, timeout: float = 5) -> bool:
        """Let all threads end, as waitress's own dispatcher does."""
        ended = [lane.shutdown(cancel_pending, timeout / len(self._lanes)) for lane in self._lanes]
        return all(ended)

    def _lane_of(self, request: Any) -> Any:
        view = None if request.error else view_at(self._app, request.command, request.path)
        if view is None:
            return self._usual
        if request.command == "POST" and getattr(view, "checks_passwords", False):
            return self._hashing if len(self._hashing.queue) < LONGEST_QUEUE else self._usual
        return self._long if may_take_long(view) else self._usual


def may_take_long(view: Callable[..., Any]) -> bool:
    """Whether a view may work for seconds: it says so, or it is for people who do not judge alone."""
    rule: Rule | None = getattr(view, "access_rule", None)
    roles = () if rule is None else rule.roles or ()
    return getattr(view, "takes_long", False) or (bool(roles) and NOT_LONG.isdisjoint(roles))
