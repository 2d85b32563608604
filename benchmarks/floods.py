"""People with and without an account who flood a server, and what it is like for the others meanwhile.

    .venv/bin/python benchmarks/floods.py [strangers|guesses|texts|pages|reading ...] [--connections 20]
        [--seconds 20] [--words 4000]

strangers: connections guess passwords of ever new names, while an assessor opens the judging page every 50 ms.
guesses: the same, each connection from a network of its own, and an account signs in, each time from a network that is
new (on Linux alone). texts: an assessor of another campaign asks `POST api/texts` for 25 documents at a time, while
another one saves. pages: the same with the judging page. reading: another assessor of the flooder's campaign opens the
judging page meanwhile, instead of saving. Each flood comes after a baseline in the same minute; printed are the medians
and slowest of both. All of it comes to 127.0.0.1 alone, and ends by itself.
"""

from __future__ import annotations

import argparse
import http.client
import json
import socket
import statistics
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import partial
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import bundles_and_saves
from bundles_and_saves import PASSWORD, Client, Timed, repeated, saver, serving
from data import machine
from large_campaign import Maker, make

from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

LONG = "long"
FLOODER, READER = "flooder", "reader"
PART = 25

NAME, PAGE_OF = "Nora", "load"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "application/json"}
JUDGING = f"/c/{PAGE_OF}/judge?topic=301"
PAUSE, QUIET, TIMEOUT = 0.05, 5.0, 60.0
"""Seconds between two pages, alone, and until an answer is given up."""


def prepare(instance: Path, words: int) -> tuple[list[dict[str, Any]], dict[str, list[str]]]:
    """Two campaigns; what judgments of the first have to echo, and the documents of the second by topic."""
    given = argparse.Namespace(runs=5, topics=10, clients=1)
    pairs = bundles_and_saves.prepare(instance, given)
    path = instance / f"{LONG}.db"
    make(
        path,
        Maker(2, 4, 100),
        share=0.0,
        text=lambda name: " ".join(f"{name} rivers {n}" for n in range(words // 3)),
    )
    with open_accounts(instance) as accounts:
        for name in (FLOODER, READER):
            add_account(accounts, name, PASSWORD)
    with open_campaign(path) as campaign, campaign.write():
        for name in (FLOODER, READER):
            members.put(campaign.by("benchmark"), name, "assessor")
    found: dict[str, list[str]] = {}
    with open_campaign(path) as campaign:
        for topic_id, document_id in campaign.db.execute("SELECT topic, document FROM pooled"):
            found.setdefault(topic_id, []).append(document_id)
    return pairs, found


def prepare_page(instance: Path) -> None:
    """The campaign whose judging page strangers slow down, and an assessor of it."""
    path = instance / f"{PAGE_OF}.db"
    make(path, Maker(20, 10, 100), share=0.0)
    with open_accounts(instance) as accounts:
        add_account(accounts, NAME, PASSWORD)
    with open_campaign(path) as campaign, campaign.write():
        members.put(campaign.by("benchmark"), NAME, "assessor")


def port_of(address: str) -> int:
    return int(address.rpartition(":")[2])


class Stranger:
    """A browser's part: one connection that stays open, a cookie, and the token of its forms.

    Each `network` is a /24 of this machine's own addresses, which only Linux has without being asked.
    """

    def __init__(self, port: int, network: int = 0) -> None:
        source = (f"127.{network // 256}.{network % 256}.1", 0)
        self.line = http.client.HTTPConnection("127.0.0.1", port, timeout=TIMEOUT, source_address=source)
        self.cookie = ""
        self.token = json.loads(self.ask("GET", "/session")[1])["csrf_token"]

    def __enter__(self) -> Stranger:
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


def page_times(client: Stranger, seconds: float) -> list[float]:
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


def guessing(port: int, connections: int, ended: threading.Event, *, networks: int = 1) -> Counter[str]:
    """Guess from so many networks until the end; how often each status was the answer."""
    numbers, answers = count(), Counter[str]()
    clients = [Stranger(port, number % networks) for number in range(connections)]

    def guess(client: Stranger) -> None:
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


def texts(documents: dict[str, list[str]], client: Client, numbers: count[int]) -> None:
    """Ask for the next documents."""
    number = next(numbers)
    topic_id = sorted(documents)[number % len(documents)]
    of_topic = documents[topic_id]
    first = PART * number % max(1, len(of_topic) - PART)
    wanted = [{"document_id": each, "against": None} for each in of_topic[first : first + PART]]
    body = json.dumps({"topic_id": topic_id, "documents": wanted, "size": 1_000_000, "norming": None})
    client.ask("POST", f"/c/{LONG}/api/texts", body, {"Content-Type": "application/json"})


def page(documents: dict[str, list[str]], client: Client, numbers: count[int]) -> None:
    """Open the judging page of the next topic."""
    client.ask("GET", f"/c/{LONG}/judge?topic={sorted(documents)[next(numbers) % len(documents)]}")


def first_sign_in(port: int, networks: count[int]) -> None:
    """Sign in from the next network."""
    with Stranger(port, next(networks)) as client:
        if (status := client.sign_in(FLOODER, PASSWORD)) != HTTPStatus.OK:
            raise OSError(status)


def guesses(port: int, connections: int, seconds: float) -> None:
    """Time first sign-ins, and again while each of so many networks guesses."""
    mine = partial(first_sign_in, port, count(connections))
    alone, _ = timed(mine, seconds, [])
    with going_on(partial(guessing, port, connections, networks=connections)) as answers:
        among, _ = timed(mine, seconds, [])
    print(f"  answers to guesses: {dict(answers)}")
    said("guesses", alone, among, answers["401"] / seconds)


def strangers(port: int, connections: int, seconds: float) -> None:
    """Time the judging page alone and among guesses."""
    with Stranger(port) as client:
        assert client.sign_in(NAME, PASSWORD) == HTTPStatus.OK
        alone = page_times(client, QUIET)
        with going_on(partial(guessing, port, connections)) as answers:
            time.sleep(1)
            among = page_times(client, seconds)
    print(f"  answers to guesses: {dict(answers)}")
    print("the judging page, ms: median      95 %   slowest")
    print(line("alone", alone), line("guesses", among), sep="\n")


def timed(what: Callable[[], None], seconds: float, flood: list[Callable[[], None]]) -> tuple[Timed, float]:
    """Do something again and again beside a flood; its times, and how many requests of the flood a second ended."""
    with ExitStack() as stack:
        others = [stack.enter_context(repeated(each)) for each in flood]
        time.sleep(1)
        with repeated(what, 0.02) as mine:
            time.sleep(seconds)
    for each in (mine, *others):
        if each.failures:
            print(f"  {len(each.failures)} failed: {each.failures[0]}")
    return mine, sum(len(each.times) for each in others) / seconds


def said(name: str, alone: Timed, among: Timed, rate: float) -> None:
    a, b = alone.since(0), among.since(0)
    ratio = b[len(b) // 2] / a[len(a) // 2]
    print(
        f"{name:8}: {1000 * a[len(a) // 2]:6.0f} ms alone (slowest {1000 * a[-1]:6.0f}), "
        f"{1000 * b[len(b) // 2]:6.0f} among {rate:6.1f} a second (slowest {1000 * b[-1]:6.0f}): {ratio:5.1f} times"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("floods", nargs="*", default=["strangers", "texts", "pages", "reading"])
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--words", type=int, default=4000)
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        pairs, documents = prepare(instance, given.words)
        prepare_page(instance)
        with serving(instance) as (_, address):
            if "strangers" in given.floods:
                strangers(port_of(address), given.connections, given.seconds)
            if "guesses" in given.floods:
                guesses(port_of(address), given.connections, given.seconds)
            save = saver(Client(address, "saver0"), pairs)
            reader = Client(address, READER)
            of_accounts = [name for name in given.floods if name not in ("strangers", "guesses")]
            several = [Client(address, FLOODER) for _ in range(given.connections if of_accounts else 0)]
            for name in of_accounts:
                work = page if name == "pages" else texts
                numbers = count()
                flood = [partial(work, documents, client, numbers) for client in several]
                mine = partial(page, documents, reader, count()) if name == "reading" else save
                alone, _ = timed(mine, given.seconds, [])
                said(name, alone, *timed(mine, given.seconds, flood))


if __name__ == "__main__":
    main()
