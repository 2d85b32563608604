"""What takes long, so that it never takes the threads that save judgments: seats, and work in processes of its own.

A view that may work for seconds says so with `takes_long`: of such requests a few run at the same time, one or two for
each campaign, a few more wait for a moment, and all others are asked to come back. What takes longer is a job, see
`campaign_jobs`; `in_worker` and `drawn` do in a process under limits what a client waits for, until it hangs up.
`request_threads` gives these views, and all pages for organisers, threads of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import wraps
from typing import Any, NamedTuple, TypeVar, cast

from flask import Flask, current_app, g, request

from workbench.jobs.processes import Jobs, Limits, Seats, Work, Workers

SEATS, OF_ONE_CAMPAIGN, WAITING = 3, 2, 2
"""How many requests work for long at the same time, how many of one campaign, and how many wait for them."""

PATIENCE = 10.0
"""Seconds that a request waits for its turn."""

FOR_A_DRAWING = Limits(seconds=60, megabytes=2_000)
"""For a figure or a sheet. An engine of JavaScript reserves 0.6 GB before it draws, of which it uses a tenth."""

DRAWINGS_WAITING = 4

View = TypeVar("View", bound=Callable[..., Any])
Drawn = TypeVar("Drawn")


class Queues(NamedTuple):
    """The jobs of one server: files that are made or read, and drawings, which do not wait for them."""

    files: Jobs
    drawings: Jobs

    @classmethod
    def new(cls) -> Queues:
        """Two queues without a process yet."""
        few = {"waiting": DRAWINGS_WAITING, "waiting_of_one": DRAWINGS_WAITING}
        return cls(Jobs(Workers()), Jobs(Workers(), at_once=1, **few))

    def close(self) -> None:
        """End all worker processes."""
        for each in self:
            each.close()


class LongWork(NamedTuple):
    """The seats of one server, and its queues."""

    seats: Seats
    queues: Queues


def init_app(app: Flask, queues: Queues | None) -> None:
    """Give an application its seats and queues; without queues all is done in the server's own process."""
    seats = Seats(most=SEATS, of_one=OF_ONE_CAMPAIGN, waiting=WAITING, patience=PATIENCE)
    app.extensions["workbench_long_work"] = LongWork(seats, queues or Queues(Jobs(None), Jobs(None)))


def takes_long(view: View) -> View:
    """Declare that a view may work for seconds."""

    @wraps(view)
    def seated(*args: Any, **kwargs: Any) -> Any:
        with long_work().seats.seat(_owner(), client_waits):
            return view(*args, **kwargs)

    seated.takes_long = True  # type: ignore[attr-defined]
    return cast("View", seated)


def slow_at_first(view: View) -> View:
    """Declare that a view may work for seconds once, and is fast from then on."""
    view.takes_long = True  # type: ignore[attr-defined]
    return view


def reads_documents(view: View) -> View:
    """Declare that a view renders documents, which takes a long one's time: it gets no thread that saves judgments."""
    view.reads_documents = True  # type: ignore[attr-defined]
    return view


def in_worker(work: Work, limits: Limits) -> Any:
    """What `work` gives, done in a process of its own for this request's campaign, while its client waits."""
    return long_work().queues.files.result(work, owner=_owner(), limits=limits, should_continue=client_waits)


def drawn(function: Callable[..., Drawn], *arguments: Any) -> Drawn:
    """What a function that draws gives, done in a process of its own: its engine may take that with it and no more."""
    work, drawings = Work(function, arguments), long_work().queues.drawings
    return cast(
        "Drawn", drawings.result(work, owner=None, limits=FOR_A_DRAWING, should_continue=client_waits)
    )


def client_waits() -> bool:
    """Whether the client of this request has not hung up, as far as its server can tell."""
    has_gone = request.environ.get("waitress.client_disconnected")
    return has_gone is None or not has_gone()


def long_work() -> LongWork:
    """The seats and queues of the server that answers this request."""
    return cast("LongWork", current_app.extensions["workbench_long_work"])


def _owner() -> Hashable:
    return None if g.get("campaign") is None else str(g.campaign.path)
