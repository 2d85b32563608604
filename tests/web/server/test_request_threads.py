"""Requests that hash passwords wait for two threads of their own, and leave all others to everything else."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest
from flask import Flask
from waitress.adjustments import Adjustments  # type: ignore[import-untyped]
from waitress.parser import HTTPRequestParser  # type: ignore[import-untyped]

from tests.fixture_types import SignIn
from tests.waiting import wait_until
from workbench.web.server.request_threads import LONG, LONGEST_QUEUE, Lanes

THREADS = 3
PATIENCE = 60.0


class Channel:
    """A connection whose one request is `head`, and answered by `work`; `more` are further lines of the head."""

    def __init__(self, head: str, work: Callable[[], object], *more: str, address: str = "192.0.2.1") -> None:
        self.service, self.addr = work, (address, 50_000)
        self.requests = [HTTPRequestParser(Adjustments())]
        lines = [f"{head} HTTP/1.1", "Host: localhost", *more, "", ""]
        self.requests[0].received("\r\n".join(lines).encode())

    def cancel(self) -> None:
        """Nothing is left to do."""


@pytest.fixture
def lanes(app: Flask) -> Iterator[Lanes]:
    found = Lanes(app, THREADS)
    yield found
    found.shutdown()
    assert found.threads == []


def hold(lanes: Lanes, head: str, n_begun: int, others: Sequence[str]) -> None:
    """Forty requests, of which so many begin and wait, while one of each of the others is answered."""
    release, begun, ended = threading.Event(), threading.Semaphore(0), threading.Semaphore(0)
    together = threading.Barrier(THREADS + 1)

    def work_for_long() -> None:
        begun.release()
        assert release.wait(PATIENCE)
        ended.release()

    for _ in range(40):
        lanes.add_task(Channel(head, work_for_long))
    for _ in range(n_begun):
        assert begun.acquire(timeout=PATIENCE)
    for other in others:
        lanes.add_task(Channel(other, lambda: together.wait(PATIENCE)))
    together.wait(PATIENCE)
    assert not begun.acquire(blocking=False)
    assert len(lanes.queue) == 40 - n_begun
    release.set()
    for _ in range(40):
        assert ended.acquire(timeout=PATIENCE)


@pytest.mark.parametrize("path", ["/sign-in", "/account/password", "/invitation/x", "/reset/x"])
def test_forty_who_send_a_password_hold_two_threads_and_the_others_are_free(lanes: Lanes, path: str) -> None:
    hold(lanes, f"POST {path}", 2, ["GET /sign-in", "POST /c/robust/api/judgments", "GET /health"])


LONG_WORK = """
GET publish/bundle?runs · GET publish/sheets · GET download/judgments · GET agreement/effect · GET compare/pairs
GET figures/topics.svg · GET own-runs/sheet · POST pool · POST add/runs
"""


@pytest.mark.parametrize("asked", re.split(r" · |\n", LONG_WORK.strip()))
def test_forty_who_ask_for_what_takes_long_leave_all_usual_threads_to_those_who_judge(
    lanes: Lanes, asked: str
) -> None:
    fast = ["GET /c/robust/judge", "POST /c/robust/api/judgments", "GET /health"]
    hold(lanes, asked.replace(" ", " /c/robust/"), LONG, fast)


@pytest.mark.parametrize(
    "head", ["POST /no/such/address", "POST ", "BREW /sign-in", "POST /sign-in?next=\xff"]
)
def test_what_is_no_address_goes_with_everything_else(lanes: Lanes, head: str) -> None:
    answered = threading.Event()
    lanes.add_task(Channel(head, answered.set))
    assert answered.wait(PATIENCE)


Answer = Callable[[str], Callable[[], object]]
"""Makes what answers a request, from its name."""


def fail(app: Flask, addresses: Sequence[str], times: int) -> None:
    """Count wrong passwords from each of some addresses."""
    for address in addresses:
        for number in range(times):
            app.extensions["workbench_guesses"].begin(f"name{number}", address)


def in_order(lanes: Lanes, channels: Callable[[Answer], Sequence[Channel]], n_threads: int) -> list[str]:
    """The names of all requests in the order in which so many threads begin to answer them."""
    go, begun = threading.Semaphore(0), list[str]()

    def answer(name: str) -> Callable[[], object]:
        return lambda: (begun.append(name), go.acquire(timeout=PATIENCE))

    made = channels(answer)
    for channel in made:
        lanes.add_task(channel)
    for n_begun in range(n_threads, len(made) + 1):
        wait_until(lambda n_begun=n_begun: len(begun) == n_begun)
        go.release()
    go.release(n_threads)
    return begun


HOME, HALL = "203.0.113.9", "198.51.100.1"
NETWORKS, NEIGHBOURS = [f"198.51.{n}.1" for n in range(40)], [f"198.51.100.{n}" for n in range(20)]


@pytest.mark.parametrize(
    ("wrong", "guessing", "one", "most"),
    [
        ({}, NETWORKS, HOME, 3),
        (dict.fromkeys(NETWORKS, 3), NETWORKS, HOME, 3),
        ({**dict.fromkeys(NETWORKS, 5), HOME: 1}, NETWORKS, HOME, 3),
        (dict.fromkeys(NEIGHBOURS, 5), NEIGHBOURS, "198.51.100.99", 3),
        ({}, [HALL] * 30, HOME, 3),
    ],
    ids=["new among new", "new among guesses", "a mistake among guesses", "a neighbour", "a hall and a home"],
)
def test_who_seldom_fails_waits_for_no_queue_of_guesses(
    lanes: Lanes, app: Flask, wrong: dict[str, int], guessing: list[str], one: str, most: int
) -> None:
    for address, times in wrong.items():
        fail(app, [address], times)

    def channels(answer: Answer) -> list[Channel]:
        asked = [*((address, "guess") for address in guessing), (one, "one")]
        return [Channel("POST /sign-in", answer(name), address=address) for address, name in asked]

    assert in_order(lanes, channels, 2).index("one") <= most


def test_the_turn_of_a_network_with_failures_comes_however_many_new_ones_do(lanes: Lanes, app: Flask) -> None:
    fail(app, [HALL], 10)

    def channels(answer: Answer) -> list[Channel]:
        new = [Channel("POST /sign-in", answer("new"), address=f"203.0.{number}.9") for number in range(40)]
        return [*new[:2], Channel("POST /sign-in", answer("hall"), address=HALL), *new[2:]]

    # The fifth turn is its own; of two threads either may end first.
    assert in_order(lanes, channels, 2).index("hall") <= 6


def test_behind_a_proxy_a_network_is_the_one_that_the_proxy_names(lanes: Lanes, app: Flask) -> None:
    app.config["BEHIND_PROXY"] = True

    def channels(answer: Answer) -> list[Channel]:
        hall = "X-Forwarded-For: 203.0.113.9, 198.51.100.1"
        home = Channel("POST /sign-in", answer("home"), "X-Forwarded-For: 203.0.113.9")
        return [*(Channel("POST /sign-in", answer("hall"), hall) for _ in range(30)), home]

    assert in_order(lanes, channels, 2).index("home") <= 3


def test_a_network_of_which_nothing_waits_finds_room_in_a_full_queue(lanes: Lanes) -> None:
    release = threading.Event()
    names: list[str] = []

    def wait(name: str) -> Callable[[], object]:
        return lambda: (release.wait(PATIENCE), names.append(f"{name} {threading.current_thread().name}"))

    for _ in range(LONGEST_QUEUE + 2):
        lanes.add_task(Channel("POST /sign-in", wait("guess"), address="198.51.100.1"))
    wait_until(lambda: len(lanes._hashing.queue) == LONGEST_QUEUE)
    for address in ("198.51.100.1", "203.0.113.9"):
        lanes.add_task(Channel("POST /sign-in", wait(address), address=address))
    wait_until(lambda: len(lanes._hashing.queue) == LONGEST_QUEUE + 1)
    release.set()
    wait_until(lambda: len(names) == LONGEST_QUEUE + 4)


@pytest.mark.parametrize(
    "head",
    [
        "POST /c/robust/api/texts",
        "GET /c/robust/judge?topic=1",
        "GET /c/robust/document-frame",
        "GET /c/robust/api/document",
        "GET /c/robust/practice/document",
    ],
)
def test_an_account_that_reads_much_has_one_thread_and_others_read_and_save(
    lanes: Lanes, app: Flask, client_of: SignIn, head: str
) -> None:
    cookies = {
        name: f"Cookie: {client_of(app, name).get('/session').request.headers['Cookie']}"
        for name in ("Anna", "Ben")
    }
    release, begun = threading.Event(), threading.Semaphore(0)
    together = threading.Barrier(THREADS + 2)

    def read() -> None:
        begun.release()
        assert release.wait(PATIENCE)

    for _ in range(20):
        lanes.add_task(Channel(head, read, cookies["Anna"]))
    assert begun.acquire(timeout=PATIENCE)
    lanes.add_task(Channel(head, lambda: together.wait(PATIENCE), cookies["Ben"]))
    for _ in range(THREADS):
        lanes.add_task(
            Channel("POST /c/robust/api/judgments", lambda: together.wait(PATIENCE), cookies["Anna"])
        )
    together.wait(PATIENCE)
    assert not begun.acquire(blocking=False)
    release.set()
    for _ in range(19):
        assert begun.acquire(timeout=PATIENCE)
