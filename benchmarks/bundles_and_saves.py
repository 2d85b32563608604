"""Saves while an organiser asks for large files: eight requests for the bundle with runs, each hung up on.

    .venv/bin/python benchmarks/bundles_and_saves.py [--clients 12] [--seconds 60] [--runs 143] [--topics 30]
        [--upload LINES]

`workbench serve` runs as a process of its own over a campaign of the size of TREC-COVID (143 runs of 30 topics to depth
1,000). Clients save judgments one after the other as fast as they are answered, and /health is asked for twice a
second; first alone, then while one organiser asks eight times for the bundle with runs and hangs up after a second
each time. Printed are saves a second, the slowest of them and of /health, the largest memory of the server and its
processes, and for how long they were busy after the last save. At the end a client asks for the bundle and waits for
it, and asks again. With --upload the organiser adds a run of so many lines by the page's form instead. All of it comes
to 127.0.0.1 alone, for a limited time, and ends by itself.
"""

from __future__ import annotations

import argparse
import http.client
import json
import re
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import psutil
from data import machine
from large_campaign import ORGANISER, Maker, make

from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents, pools, topics
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members

PROGRAM = Path(sys.executable).with_name("workbench")
PASSWORD = "the river is deep"
CAMPAIGN = "large"
BUNDLE = f"/c/{CAMPAIGN}/publish/bundle?runs"
EDGE = "a-line-that-no-run-has"
REQUESTS, PATIENCE = 8, 1.0
"""Requests for the bundle, and the seconds after which each is hung up on."""

LONGEST = 900.0
"""Seconds after which an answer is taken for lost."""


class Client:
    """A person who is signed in over one connection."""

    def __init__(self, address: str, name: str) -> None:
        self.place, self.name = urlsplit(address).netloc, name
        self.headers = {"Accept": "application/json"}
        self.connection = http.client.HTTPConnection(self.place, timeout=LONGEST)
        form = {"name": name, "password": PASSWORD, "csrf_token": self.ask("GET", "/session")["csrf_token"]}
        typed = {"Content-Type": "application/x-www-form-urlencoded"}
        answer = self.ask("POST", "/sign-in", urlencode(form), typed)
        self.headers |= {"X-CSRFToken": answer["csrf_token"], "X-Account": name}

    def ask(
        self, method: str, address: str, body: str | bytes | None = None, more: dict[str, str] | None = None
    ) -> Any:
        """The decoded answer; an error when it is not a good one."""
        self.connection.request(method, address, body, self.headers | (more or {}))
        answer = self.connection.getresponse()
        content = answer.read()
        for cookie in answer.headers.get_all("Set-Cookie") or ():
            self.headers["Cookie"] = cookie.partition(";")[0]
        if answer.status >= 300 and address != "/session":
            message = f"{answer.status}: {content[:200]!r}"
            raise OSError(message)
        return json.loads(content) if answer.headers.get_content_type() == "application/json" else content

    def followed(self, answer: Any) -> Any:
        """The answer, or the job that it names once that has ended."""
        while isinstance(answer, dict) and answer.get("state") in ("waiting", "running"):
            time.sleep(0.1)
            answer = self.ask("GET", answer["address"])
        return answer

    def whole(self, address: str) -> Any:
        """The file at an address, made by a job where it is not there yet."""
        answer = self.followed(self.ask("GET", address))
        return self.ask("GET", answer["result"]) if isinstance(answer, dict) else answer

    def ask_and_hang_up(self, address: str, patience: float) -> None:
        """Ask over a connection of its own and close it after so many seconds."""
        line = http.client.HTTPConnection(self.place, timeout=LONGEST)
        line.request("GET", address, headers=self.headers)
        time.sleep(patience)
        line.close()

    def add_run(self, run: bytes) -> None:
        """Send a run as the form of the page does, and wait until it is added; prints how long that took."""
        began = time.monotonic()
        part = f'--{EDGE}\r\nContent-Disposition: form-data; name="files"; filename="upload.run"\r\n\r\n'
        body = part.encode() + run + f"\r\n--{EDGE}--\r\n".encode()
        typed = {"Content-Type": f"multipart/form-data; boundary={EDGE}"}
        answer = self.followed(self.ask("POST", f"/c/{CAMPAIGN}/add/runs", body, typed))
        (report,) = answer.get("detail", answer)["reports"]
        took = time.monotonic() - began
        print(f"  upload : {len(run) / 1e6:.1f} MB in {took:.1f} s, {'added' if report['added'] else report}")


class Timed:
    """When each request began, and how long it took; requests that failed."""

    def __init__(self) -> None:
        self.times: list[tuple[float, float]] = []
        self.failures: list[str] = []

    def time(self, what: Any) -> None:
        """Do it, and note how long it took."""
        began = time.monotonic()
        try:
            what()
        except OSError as error:
            self.failures.append(str(error))
        self.times.append((began, time.monotonic() - began))

    def since(self, moment: float) -> list[float]:
        """The seconds of those that began after a moment, sorted."""
        return sorted(took for began, took in self.times if began >= moment)


def prepare(instance: Path, given: argparse.Namespace) -> list[dict[str, Any]]:
    """The campaign, the accounts, and what a judgment of each pair has to echo."""
    path = instance / f"{CAMPAIGN}.db"
    make(path, Maker(given.runs, given.topics, 1000), share=0.3)
    names = [f"saver{number}" for number in range(given.clients)]
    with open_accounts(instance) as accounts:
        for name in (ORGANISER, *names):
            add_account(accounts, name, PASSWORD)
    with open_campaign(path) as campaign:
        with campaign.write():
            for name in names:
                members.put(campaign.by(ORGANISER), name, "assessor")
        hashes = {each.document.document_id: each.text_hash for each in documents.all_texts(campaign)}
        common = {"log": log.mark(campaign), "pool": 1}
        common |= {"guideline_version": settings.read(campaign).guideline_version}
        return [
            common
            | {"topic_id": topic.topic_id, "topic_version": version}
            | {"document_id": document_id, "text_hash": hashes[document_id]}
            for topic, version in topics.all_topics(campaign)
            for document_id in pools.pooled_of_topic(campaign, topic.topic_id)
        ]


@contextmanager
def serving(instance: Path) -> Iterator[tuple[psutil.Process, str]]:
    """`workbench serve`: its process, and its address."""
    command = [PROGRAM, "serve", "--instance", instance, "--host", "127.0.0.1", "--port", "0", "--no-open"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    found = next(filter(None, (re.search(r"http://127\.0\.0\.1:\d+", line) for line in process.stdout)))
    try:
        yield psutil.Process(process.pid), found[0]
    finally:
        process.terminate()
        process.wait(timeout=120)
        process.stdout.close()


@contextmanager
def repeated(what: Any, pause: float = 0.0) -> Iterator[Timed]:
    """Do something again and again in a thread until the end of the block."""
    timed, stop = Timed(), threading.Event()

    def run() -> None:
        while not stop.wait(pause):
            timed.time(what)

    thread = threading.Thread(target=run)
    thread.start()
    try:
        yield timed
    finally:
        stop.set()
        thread.join()


def all_of(process: psutil.Process) -> list[psutil.Process]:
    return [process, *process.children(recursive=True)]


def memory(process: psutil.Process) -> float:
    """MB that the server and its processes hold for themselves."""
    total = 0.0
    for each in all_of(process):
        try:
            total += each.memory_full_info().uss / 1e6
        except psutil.NoSuchProcess:
            continue
    return total


def used(process: psutil.Process) -> float:
    """Seconds of the processor that the server and its processes that still run have used."""
    total = 0.0
    for each in all_of(process):
        try:
            total += sum(each.cpu_times()[:2])
        except psutil.NoSuchProcess:
            continue
    return total


def busy_for(process: psutil.Process) -> float:
    """Wait until the server has used next to nothing for two seconds; the seconds until then."""
    began, before = time.monotonic(), -1.0
    while used(process) - before > 0.2 or before < 0:
        before = used(process)
        time.sleep(2)
    return max(0.0, time.monotonic() - began - 2)


def saver(client: Client, pairs: Sequence[dict[str, Any]]) -> Any:
    """What saves the next pair each time it is called, and after the last one the first again."""
    coming, stored = cycle(range(len(pairs))), dict[int, int]()

    def save() -> None:
        place = next(coming)
        own = {"uuid": str(uuid.uuid4()), "kind": "grade", "grade": 1, "replaces": stored.get(place)}
        own |= {"client_at": "2026-03-02T09:00:00.000Z", "active_seconds": 4.2, "comment": ""}
        body = json.dumps(pairs[place] | own)
        answer = client.ask(
            "POST", f"/c/{CAMPAIGN}/api/judgments", body, {"Content-Type": "application/json"}
        )
        stored[place] = answer["stored"]["seq"]

    return save


def said(name: str, timed: Sequence[Timed], since: float, seconds: float) -> None:
    times = sorted(took for each in timed for took in each.since(since))
    failed = sum(len(each.failures) for each in timed)
    print(
        f"  {name:7}: {len(times) / seconds:7.1f} a second, median {1000 * times[len(times) // 2]:7.0f} ms, "
        f"slowest {1000 * times[-1]:7.0f} ms, {failed} failed"
    )


def works(
    given: argparse.Namespace, organiser: Client, pairs: Sequence[dict[str, Any]]
) -> dict[str, Callable[[], None]]:
    """What the organiser does while others save, by name."""

    def ask_for_bundles() -> None:
        for _ in range(REQUESTS):
            organiser.ask_and_hang_up(BUNDLE, PATIENCE)

    alone: dict[str, Callable[[], None]] = {"alone": lambda: None}
    if not given.upload:
        return alone | {f"with {REQUESTS} requests for a bundle, hung up on": ask_for_bundles}
    ids = sorted({pair["topic_id"] for pair in pairs})
    lines = (f"{ids[place % len(ids)]} Q0 u{place:08} 0 {-place} upload\n" for place in range(given.upload))
    run = "".join(lines).encode()
    return alone | {f"while a run of {given.upload:,} lines is added": lambda: organiser.add_run(run)}


def measure(
    given: argparse.Namespace, server: psutil.Process, address: str, pairs: list[dict[str, Any]]
) -> None:
    clients = [Client(address, f"saver{number}") for number in range(given.clients)]
    organiser, watcher = Client(address, ORGANISER), Client(address, ORGANISER)
    saves = [saver(each, pairs[number :: len(clients)]) for number, each in enumerate(clients)]
    print(f"busy with itself for {busy_for(server):.0f} s; {memory(server):.0f} MB")
    for name, work in works(given, organiser, pairs).items():
        largest = memory(server)
        savers = [repeated(save) for save in saves]
        with repeated(lambda: watcher.ask("GET", "/health"), 0.5) as health:
            entered = [each.__enter__() for each in savers]
            began, working = time.monotonic(), threading.Thread(target=work)
            working.start()
            while time.monotonic() < began + given.seconds or working.is_alive():
                largest = max(largest, memory(server))
                time.sleep(0.5)
            seconds = time.monotonic() - began
            for each in savers:
                each.__exit__(None, None, None)
        print(f"{name}: {seconds:.0f} s, at most {largest:.0f} MB")
        said("saves", entered, began, seconds)
        said("/health", [health], began, seconds)
        print(f"  busy for {busy_for(server):.0f} s afterwards")
    if given.upload:
        return
    for which in ("the bundle", "the bundle again"):
        organiser, timed, before = Client(address, ORGANISER), Timed(), used(server)
        timed.time(lambda: organiser.whole(BUNDLE))  # noqa: B023 - called at once
        worked = used(server) - before
        print(f"{which}: {timed.times[0][1]:.1f} s, {worked:.1f} s of the processor {timed.failures or ''}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clients", type=int, default=12)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--runs", type=int, default=143)
    parser.add_argument("--topics", type=int, default=30)
    parser.add_argument("--upload", type=int, default=0, metavar="LINES")
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder) / "instance"
        instance.mkdir(mode=0o700)
        pairs = prepare(instance, given)
        print(f"{given.runs} runs, {given.topics} topics, {len(pairs):,} pooled pairs")
        with serving(instance) as (server, address):
            measure(given, server, address, pairs)


if __name__ == "__main__":
    main()
