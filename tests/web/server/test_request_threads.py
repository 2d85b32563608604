"""Requests that hash passwords wait for two threads of their own, and leave all others to everything else."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from flask import Flask
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]

from workbench.web.server.request_threads import LONG, Lanes

THREADS = 3
PATIENCE = 60.0


class Channel:
    """A connection whose one request is `head`, and answered by `work`."""

    def __init__(self, head: str, work: Callable[[], object]) -> None:
        self.service = work
        self.requests = [HTTPRequestParser(Adjustments())]
        self.requests[0].received(f"{head} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())

    def cancel(self) -> None:
        """Nothing is left to do."""


@pytest.fixture
def lanes(app: Flask) -> Iterator[Lanes]:
    found = Lanes(app, THREADS)
    yield found
    found.shutdown()
    assert found.threads == []


@pytest.mark.parametrize("path", ["/sign-in", "/account/password", "/invitation/x", "/reset/x"])
def test_forty_who_send_a_password_hold_two_threads_and_the_others_are_free(lanes: Lanes, path: str) -> None:
    release, begun, ended = threading.Event(), threading.Semaphore(0), threading.Semaphore(0)
    together = threading.Barrier(THREADS + 1)

    def hash_password() -> None:
        begun.release()
        assert release.wait(PATIENCE)
        ended.release()

    for _ in range(40):
        lanes.add_task(Channel(f"POST {path}", hash_password))
    assert begun.acquire(timeout=PATIENCE)
    assert begun.acquire(timeout=PATIENCE)
    for head in ("GET /sign-in", "POST /c/robust/api/judgments", "GET /health"):
        lanes.add_task(Channel(head, lambda: together.wait(PATIENCE)))
    together.wait(PATIENCE)
    assert not begun.acquire(blocking=False)
    release.set()
    for _ in range(40):
        assert ended.acquire(timeout=PATIENCE)


@pytest.mark.parametrize(
    "head",
    [
        "GET /c/robust/publish/bundle?runs",
        "GET /c/robust/publish/sheets",
        "GET /c/robust/download/judgments",
        "GET /c/robust/agreement/effect",
        "GET /c/robust/compare/pairs",
        "GET /c/robust/figures/topics.svg",
        "GET /c/robust/own-runs/sheet",
        "POST /c/robust/pool",
        "POST /c/robust/add/runs",
    ],
)
def test_forty_who_ask_for_what_takes_long_leave_all_usual_threads_to_those_who_judge(
    lanes: Lanes, head: str
) -> None:
    release, begun, ended = threading.Event(), threading.Semaphore(0), threading.Semaphore(0)
    together = threading.Barrier(THREADS + 1)

    def work_for_long() -> None:
        begun.release()
        assert release.wait(PATIENCE)
        ended.release()

    for _ in range(40):
        lanes.add_task(Channel(head, work_for_long))
    for _ in range(LONG):
        assert begun.acquire(timeout=PATIENCE)
    for fast in ("GET /c/robust/judge", "POST /c/robust/api/judgments", "GET /health"):
        lanes.add_task(Channel(fast, lambda: together.wait(PATIENCE)))
    together.wait(PATIENCE)
    assert not begun.acquire(blocking=False)
    assert len(lanes.queue) == 40 - LONG
    release.set()
    for _ in range(40):
        assert ended.acquire(timeout=PATIENCE)


@pytest.mark.parametrize(
    "head", ["POST /no/such/address", "POST ", "BREW /sign-in", "POST /sign-in?next=\xff"]
)
def test_what_is_no_address_goes_with_everything_else(lanes: Lanes, head: str) -> None:
    answered = threading.Event()
    lanes.add_task(Channel(head, answered.set))
    assert answered.wait(PATIENCE)
