"""What people without an account can do to the judging page of those who have one.

    .venv/bin/python benchmarks/strangers.py [--connections 40] [--seconds 20]

Connections guess a password, with a new name each time, one guess after the other.

`workbench serve` runs as a process of its own, all connections come from this one to 127.0.0.1, and end by themselves.
An assessor opens the judging page every 50 ms on a connection of its own, at first alone; printed
are milliseconds until the page is there, or until it is given up after a minute.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
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
from functools import partial
from itertools import count
from pathlib import Path
from urllib.parse import urlencode

from data import machine
from large_campaign import Maker, make

from workbench.people.accounts import add_account, open_accounts
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
        add_account(accounts, NAME, PASSWORD)
    with open_campaign(path) as campaign, campaign.write():
        members.put(campaign.by("benchmark"), NAME, "assessor")


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


def line(name: str, times: Sequence[float]) -> str:
    cut = statistics.quantiles(times, n=20)[-1] if len(times) > 1 else times[0]
    return f"{name:12} {statistics.median(times):9.1f} {cut:9.1f} {max(times):9.1f}   of {len(times):,} pages"


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--connections", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=20)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        prepare(Path(folder))
        with serving(Path(folder)) as port, Client(port) as client:
            assert client.sign_in(NAME, PASSWORD) == 200
            alone = page_times(client, QUIET)
            with going_on(partial(guesses, port, given.connections)) as answers:
                time.sleep(1)
                among = page_times(client, given.seconds)
    print(f"the judging page, milliseconds; {machine()}")
    print("                median      95 %   slowest")
    print(line("alone", alone))
    print(line("guesses", among))
    print(f"{given.connections} connections: {dict(answers)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
