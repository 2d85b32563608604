"""What people without an account can do to the judging page of those who have one.

    .venv/bin/python benchmarks/strangers.py guesses [--connections 40] [--seconds 20]
    .venv/bin/python benchmarks/strangers.py heads|bodies|drops|idle|fresh --connections 520
    .venv/bin/python benchmarks/strangers.py readers --connections 60

guesses: connections that guess a password, with a new name each time, one guess after the other. heads, bodies: half of
a request. drops: one byte of a request every five seconds. idle: a request and its answer, and then nothing. fresh: no
byte at all. readers: requests whose answers are not read. A connection that the server closes is opened again at once.

`workbench serve` runs as a process of its own, all connections come from this one to 127.0.0.1, and end by themselves.
An assessor opens the judging page every 50 ms on a connection of its own, at first alone; printed
are milliseconds until the page is there, or until it is given up after a minute.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import selectors
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path
from typing import cast
from urllib.parse import urlencode

from data import machine
from large_campaign import Maker, make

from workbench.storage.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

PROGRAM = Path(sys.executable).with_name("workbench")
NAME, PASSWORD = "Anna", "a long password"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
JUDGING = "/c/load/judge?topic=301"
QUIET = 5.0
PAUSE = 0.05
TIMEOUT = 60.0


def prepare(instance: Path) -> None:
    """The campaign `load` and an assessor of it."""
    path = instance / "load.db"
    make(path, Maker(20, 10, 100), share=0.0)
    with open_accounts(instance) as accounts:
        add_account(accounts, NAME, PASSWORD, now=datetime.now(UTC))
    with open_campaign(path) as campaign, campaign.write():
        members.put(campaign, NAME, "assessor", actor="benchmark")


@contextmanager
def serving(instance: Path) -> Iterator[int]:
    """`workbench serve` over an instance, until the end of the block; its port."""
    words = [PROGRAM, "serve", "--instance", instance, "--port", "0", "--no-open"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = next(filter(None, (re.search(r"http://127\.0\.0\.1:(\d+)", line) for line in process.stdout)))
    try:
        yield int(found[1])
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


class Client:
    """A browser's part: one connection that stays open, a cookie, and the token of its forms.

    Each `network` is a /24 of this machine's own addresses, which only Linux has without being asked.
    """

    def __init__(self, port: int, network: int = 0) -> None:
        source = (f"127.{network // 256}.{network % 256}.1", 0)
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT, source_address=source)
        self.cookie = ""
        self.token = json.loads(self.ask("GET", "/session")[1])["csrf_token"]

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.line.close()

    def ask(self, method: str, path: str, form: dict[str, str] | None = None) -> tuple[int, bytes]:
        body = urlencode(form | {"csrf_token": self.token}) if form is not None else None
        self.line.request(method, path, body, FORM | {"Cookie": self.cookie})
        answer = self.line.getresponse()
        for cookie in answer.headers.get_all("Set-Cookie") or []:
            self.cookie = cookie.partition(";")[0]
        return answer.status, answer.read()

    def hang_up(self) -> None:
        """End what another thread waits for on the connection."""
        if self.line.sock is not None:
            with suppress(OSError):
                self.line.sock.shutdown(socket.SHUT_RDWR)

    def sign_in(self, name: str, password: str) -> int:
        return self.ask("POST", "/sign-in", {"name": name, "password": password})[0]


def page_times(client: Client, seconds: float) -> list[float]:
    """Milliseconds of the judging page, opened again and again for so long."""
    times, until = [], time.monotonic() + seconds
    while time.monotonic() < until:
        client.line.close()  # the next request opens a new one
        began = time.perf_counter()
        with suppress(TimeoutError):
            status, _ = client.ask("GET", JUDGING)
            assert status == 200, status
        times.append(1000 * (time.perf_counter() - began))
        time.sleep(PAUSE)
    return times


def guesses(port: int, connections: int, ended: threading.Event, *, networks: int = 1) -> Counter[str]:
    """Guess from so many networks until the end; how often each status was the answer."""
    numbers, answers = count(), Counter[str]()
    clients = [Client(port, number % networks) for number in range(connections)]

    def guess(client: Client) -> None:
        with client:
            while not ended.is_set():
                try:
                    answers[str(client.sign_in(f"name{next(numbers)}", "a guess of a password"))] += 1
                except (http.client.HTTPException, OSError):
                    answers["no answer"] += 1
                    client.line.close()

    threads = [threading.Thread(target=guess, args=(client,), daemon=True) for client in clients]
    for thread in threads:
        thread.start()
    ended.wait()
    for client in clients:
        client.hang_up()
    for thread in threads:
        thread.join(TIMEOUT)
    return answers


@contextmanager
def going_on(attack: Callable[[threading.Event], Counter[str]]) -> Iterator[Counter[str]]:
    """An attack in the background until the end of the block; what it got is there afterwards."""
    ended, answers = threading.Event(), Counter[str]()
    thread = threading.Thread(target=lambda: answers.update(attack(ended)), daemon=True)
    thread.start()
    try:
        yield answers
    finally:
        ended.set()
        thread.join(2 * TIMEOUT)


HEAD = b"GET /health HTTP/1.1\r\nHost: localhost\r\n"
BEGINNINGS = {
    "heads": HEAD,
    "bodies": b"POST /sign-in HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nname=",
    "drops": HEAD + b"X-Slow: ",
    "idle": HEAD + b"\r\n",
    "fresh": b"",
    "readers": 40 * b"GET /static/judging/judging.css HTTP/1.1\r\nHost: localhost\r\n\r\n",
}


def slow(kind: str, port: int, connections: int, ended: threading.Event) -> Counter[str]:
    """Hold so many connections open until the end, each with the beginning of its kind; how often what happened."""
    happened, held, unread = Counter[str](), selectors.DefaultSelector(), list[socket.socket]()
    to_drop = time.monotonic() + 5

    def connect() -> None:
        sock = socket.socket()
        if kind == "readers":
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(TIMEOUT)
        sock.connect(("127.0.0.1", port))
        sock.sendall(BEGINNINGS[kind])
        sock.setblocking(False)
        if kind == "readers":
            unread.append(sock)
        else:
            held.register(sock, selectors.EVENT_READ)
        happened["opened"] += 1

    while not ended.is_set():
        missing = len(held.get_map()) + len(unread) < connections
        if missing:
            connect()
        for key, _ in held.select(0 if missing else 0.2):
            with suppress(OSError):
                if cast("socket.socket", key.fileobj).recv(65536):
                    continue
            held.unregister(key.fileobj)
            cast("socket.socket", key.fileobj).close()
            happened["closed by the server"] += 1
        if kind == "drops" and time.monotonic() > to_drop:
            to_drop += 5
            for key in list(held.get_map().values()):
                with suppress(OSError):
                    cast("socket.socket", key.fileobj).send(b"x")
    for sock in [*unread, *(cast("socket.socket", key.fileobj) for key in held.get_map().values())]:
        sock.close()
    held.close()
    return happened


SCENARIOS: dict[str, Callable[[int, int, threading.Event], Counter[str]]] = {
    "guesses": guesses,
    **{kind: partial(slow, kind) for kind in BEGINNINGS},
}


def line(name: str, times: Sequence[float]) -> str:
    cut = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return f"{name:12} {statistics.median(times):9.1f} {cut:9.1f} {max(times):9.1f}   of {len(times):,} pages"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenario", choices=SCENARIOS)
    parser.add_argument("--connections", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    what = SCENARIOS[given.scenario]
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        with serving(Path(folder)) as port, Client(port) as client:
            assert client.sign_in(NAME, PASSWORD) == 200
            alone = page_times(client, QUIET)
            with going_on(partial(what, port, given.connections)) as answers:
                time.sleep(1)
                among = page_times(client, given.seconds)
    print(f"the judging page, milliseconds; {machine()}")
    print("                median      95 %   slowest")
    print(line("alone", alone))
    print(line(given.scenario, among))
    print(f"{given.connections} connections: {dict(answers)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
