"""Saves while an assessor of another campaign floods the server with requests to read, and sign-ins among guesses.

    .venv/bin/python benchmarks/floods.py [texts|pages|reading|guesses ...] [--connections 20] [--seconds 20]
        [--words 4000]

texts: `POST api/texts` for 25 documents at a time. pages: the judging page. reading: another assessor of the same
campaign opens its judging page meanwhile, instead of saving. guesses: strangers guess passwords, each connection from a
network of its own, and an account signs in, each time from a network that is new (on Linux alone). Each flood comes
after a baseline of the same length in the same minute; printed are the medians and slowest of both, and their ratio.
All of it comes to 127.0.0.1 alone, and ends by itself.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from http import HTTPStatus
from itertools import count
from pathlib import Path
from typing import Any

import bundles_and_saves
import strangers
from bundles_and_saves import PASSWORD, Client, Timed, repeated, saver, serving
from data import machine
from large_campaign import Maker, make

from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

LONG = "long"
FLOODER, READER = "flooder", "reader"
PART = 25


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
    with strangers.Client(port, next(networks)) as client:
        if (status := client.sign_in(FLOODER, PASSWORD)) != HTTPStatus.OK:
            raise OSError(status)


def guesses(port: int, connections: int, seconds: float) -> None:
    """Time first sign-ins, and again while each of so many networks guesses."""
    mine = partial(first_sign_in, port, count(connections))
    alone, _ = timed(mine, seconds, [])
    with strangers.going_on(partial(strangers.guesses, port, connections, networks=connections)) as answers:
        among, _ = timed(mine, seconds, [])
    print(f"  answers to guesses: {dict(answers)}")
    said("guesses", alone, among, answers["401"] / seconds)


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
    parser.add_argument("floods", nargs="*", default=["texts", "pages", "reading"])
    parser.add_argument("--connections", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=20)
    parser.add_argument("--words", type=int, default=4000)
    given = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        pairs, documents = prepare(instance, given.words)
        with serving(instance) as (_, address):
            if "guesses" in given.floods:
                guesses(int(address.rpartition(":")[2]), given.connections, given.seconds)
            save = saver(Client(address, "saver0"), pairs)
            reader = Client(address, READER)
            of_accounts = [name for name in given.floods if name != "guesses"]
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
