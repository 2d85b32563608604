"""The server under load: `workbench serve` as a process of its own, and people who come to it over real HTTP.

    .venv/bin/python -m pip install --require-hashes --no-deps -r pins/load.txt
    .venv/bin/python benchmarks/load.py savers [--clients 32] [--seconds 60]
    .venv/bin/python benchmarks/load.py assessors [--assessors 200] [--think 2 6] [--boards 10] [--minutes 10]
                                                  [--signed-in] [--assigned] [--arriving 5]

savers: clients that save judgments one after the other, as fast as the server takes them. assessors: people who each
get a document, read it for 2 to 6 seconds (--think) and judge it, while leaderboards of 20 runs ask for news every
second. With --signed-in they have signed in on an earlier day, since a thousand passwords at once take minutes, as
they are meant to; with --assigned each has topics that nobody else has, else all may judge all. The load comes from
this process, on the same machine, to 127.0.0.1 alone, and ends by itself. Afterwards the server is stopped, and the
log is held against what was sent and acknowledged: every acknowledged judgment once, no other, and
`workbench campaign audit` finds nothing. Exit status 1 if that does not hold, or a request failed.

--profile FILE has the server write where its time goes (a profile of all its threads together, by cProfile, which
makes it slower).
"""

from __future__ import annotations

import argparse
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import gevent
import psutil
from data import machine
from flask.sessions import SecureCookieSessionInterface
from large_campaign import Maker, make
from load_people import CAMPAIGN, ORGANISER, PASSWORD, Assessor, Board, Pair, Person, Saver, Tally
from locust import between
from locust.env import Environment

from workbench.people.accounts import begin_session, open_accounts
from workbench.people.accounts.passwords import hash_password
from workbench.people.accounts.people import put_account
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning import assignments
from workbench.storage.campaign.collection import documents, pools, topics
from workbench.storage.campaign.grades import judgments
from workbench.storage.campaign.log import log
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.people import members
from workbench.web.access.sessions import TOKEN
from workbench.web.app import create_app

PROGRAM = Path(sys.executable).with_name("workbench")
RUNS = 20
WORDS = 250
"""How long a document is."""

PATIENCE, PATIENCE_EACH = 300.0, 1.0
"""Seconds that signing in may take all of them, and more for each of many: a password takes long, as it is meant to."""


class Server:
    """A running server: its address, and how much of the processor it has used."""

    def __init__(self, process: subprocess.Popen[str], address: str) -> None:
        self.process, self.address = process, address

    def seconds(self) -> float:
        """Seconds of the processor, all threads together."""
        used = psutil.Process(self.process.pid).cpu_times()
        return float(used.user + used.system)


def prepare(
    instance: Path,
    names: Sequence[str],
    n_topics: int,
    observers: Sequence[str] = (),
    depth: int = 100,
    *,
    assigned: bool = False,
) -> list[Pair]:
    """The campaign `load`, an account for each name, and all pairs that can be judged, in the order of topics.

    `assigned` gives each name a share of the topics that is nobody else's.
    """
    path = instance / f"{CAMPAIGN}.db"
    make(path, Maker(RUNS, n_topics, depth), share=0.0, text=_text)
    now, password_hash = datetime.now(UTC), hash_password(PASSWORD, ORGANISER)
    with open_accounts(instance) as accounts, accounts.write():
        for name in (ORGANISER, *names, *observers):
            put_account(accounts.at(now), name, password_hash)
    with open_campaign(path) as campaign:
        with campaign.write():
            for name in names:
                members.put(campaign.by(ORGANISER), name, "assessor")
            for name in observers:
                members.put(campaign.by(ORGANISER), name, "observer")
            if assigned:
                settings.change(campaign.by(ORGANISER), {"who_judges": "assigned"})
                shares = [
                    (topic_id, assignments.WHOLE, names[place % len(names)])
                    for place, ((topic_id, *_), _) in enumerate(topics.all_topics(campaign))
                ]
                assignments.put(campaign.by(ORGANISER), [share[:2] for share in shares], shares)
        guidelines, mark = settings.read(campaign).guideline_version, log.mark(campaign)
        hashes = {each.document.document_id: each.text_hash for each in documents.all_texts(campaign)}
        return [
            Pair(topic_id, document_id, mark, 1, hashes[document_id], version, guidelines)
            for (topic_id, *_), version in topics.all_topics(campaign)
            for document_id in pools.pooled_of_topic(campaign, topic_id)
        ]


def _text(document_id: str) -> str:
    return " ".join(
        f"All that {document_id} says of rivers and lakes in the cold." for _ in range(WORDS // 11)
    )


@contextmanager
def serving(instance: Path, profile: Path | None, *options: str) -> Iterator[Server]:
    """`workbench serve` over an instance, with further options, until the end of the block."""
    command = (
        [str(PROGRAM)]
        if profile is None
        else [sys.executable, str(Path(__file__).with_name("profiled.py")), str(profile)]
    )
    process = subprocess.Popen(
        [
            *command,
            "serve",
            "--instance",
            str(instance),
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--no-open",
            *options,
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    found = next(filter(None, (re.search(r"http://127\.0\.0\.1:\d+", line) for line in process.stdout)))
    try:
        yield Server(process, found[0])
    finally:
        process.terminate()
        process.wait(timeout=60)
        process.stdout.close()


def cookies(instance: Path, address: str, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """The name and value of the session cookie of each account, as if they had signed in earlier."""
    app = create_app(instance, port=int(address.rsplit(":", 1)[1]))
    signer = SecureCookieSessionInterface().get_signing_serializer(app)
    assert signer is not None
    with open_accounts(instance) as accounts:
        tokens = {name: begin_session(accounts, name) for name in names}
    kept = {name: {TOKEN: token, "_permanent": True} for name, token in tokens.items()}
    return {
        name: (app.config["SESSION_COOKIE_NAME"], str(signer.dumps(value))) for name, value in kept.items()
    }


def run(
    server: Server, people: Sequence[type[Person]], tally: Tally, seconds: float, arriving: float
) -> tuple[float, float]:
    """Let them work for so long, from when all have signed in; seconds that went by, and the server's processor's."""
    environment = Environment(
        user_classes=list(people), host=server.address, stop_timeout=30, reset_stats=False
    )
    environment.events.request.add_listener(tally.heard)
    runner = environment.create_local_runner()
    number = sum(each.fixed_count for each in people)
    runner.start(number, spawn_rate=min(number, arriving))
    with gevent.Timeout(max(PATIENCE, PATIENCE_EACH * number)):
        while tally.ready < number:
            gevent.sleep(0.1)
    used, began = server.seconds(), time.monotonic()
    tally.measured = (time.time(), time.time() + seconds)
    gevent.sleep(seconds)
    took, used = time.monotonic() - began, server.seconds() - used
    runner.quit()
    return took, used


def check(path: Path, tally: Tally) -> list[str]:
    """What is wrong with the log, held against what was sent and acknowledged."""
    with open_campaign(path) as campaign:
        stored = {row.uuid: row for row in judgments.log(campaign)}
    wrong = [f"not sent: {number}" for number in stored.keys() - tally.sent.keys()]
    for number, seq in tally.acknowledged.items():
        row = stored.get(number)
        said = row and (row.assessor, row.topic_id, row.document_id, row.grade)
        if row is None or row.seq != seq or said != tally.sent[number]:
            wrong.append(f"acknowledged as {seq}: {tally.sent[number]}; stored: {row}")
    audit = subprocess.run([PROGRAM, "audit", path], capture_output=True, text=True, check=False)
    return wrong if audit.returncode == 0 else [*wrong, audit.stdout + audit.stderr]


def report(tally: Tally, took: float, used: float) -> None:
    print("   number   a second   median      95 %      99 %   slowest  (milliseconds)")
    for name, times in sorted(tally.times.items()):
        cut = statistics.quantiles(times, n=100) if len(times) > 1 else [times[0]] * 99
        print(
            f"{len(times):9,} {len(times) / took:10.1f} {cut[49]:8.1f} {cut[94]:9.1f} {cut[98]:9.1f} "
            f"{max(times):9.1f}  {name}"
        )
    saves = max(len(tally.times["save"]), 1)
    print(
        f"processor of the server: {100 * used / took:.0f} % of one core, {1000 * used / saves:.2f} ms for each save "
        f"(all requests together); of the load: {time.process_time():.1f} s in all"
    )


def savers(given: argparse.Namespace, instance: Path, tally: Tally) -> tuple[list[type[Person]], float]:
    names = [f"saver{number:03d}" for number in range(given.clients)]
    pairs = prepare(instance, names, given.topics or 50)
    people = type(
        "Savers", (Saver,), {"tally": tally, "names": names, "pairs": pairs, "fixed_count": len(names)}
    )
    return [people], given.seconds


def assessors(given: argparse.Namespace, instance: Path, tally: Tally) -> tuple[list[type[Person]], float]:
    names = [f"assessor{number:03d}" for number in range(given.assessors)]
    observers = [f"observer{number:02d}" for number in range(given.boards)]
    n_topics = given.topics or given.assessors
    pairs = prepare(instance, names, n_topics, observers, given.depth, assigned=given.assigned)
    asked = list(dict.fromkeys(pair.topic_id for pair in pairs))
    judging = {
        "tally": tally,
        "names": names,
        "topics": asked,
        "fixed_count": len(names),
        "wait_time": between(*given.think),
    }
    watching = {"tally": tally, "names": observers, "fixed_count": given.boards}
    return [type("Assessors", (Assessor,), judging), type("Boards", (Board,), watching)], 60 * given.minutes


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scenario", choices=("savers", "assessors"))
    parser.add_argument("--clients", type=int, default=32)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--assessors", type=int, default=200)
    parser.add_argument("--think", type=float, nargs=2, default=(2, 6), metavar=("LEAST", "MOST"))
    parser.add_argument("--boards", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--topics", type=int, default=0, help="else 50, or as many as there are assessors")
    parser.add_argument("--depth", type=int, default=100, help="of the 20 runs, and of the pool")
    parser.add_argument("--signed-in", action="store_true")
    parser.add_argument("--assigned", action="store_true")
    parser.add_argument("--arriving", type=float, default=5, help="how many of them come in a second")
    parser.add_argument("--profile", type=Path)
    given = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        people, seconds = {"savers": savers, "assessors": assessors}[given.scenario](
            given, Path(folder), tally
        )
        with serving(Path(folder), given.profile) as server:
            if given.signed_in:
                for each in people:
                    each.cookies = cookies(Path(folder), server.address, each.names)
            took, used = run(server, people, tally, seconds, given.arriving)
        wrong = check(Path(folder) / f"{CAMPAIGN}.db", tally)
    print(f"{given.scenario}, {took:.0f} s; {machine()}; load and server on the same machine")
    report(tally, took, used)
    print(f"{len(tally.failures)} failures", *tally.failures[:5], sep="\n  ")
    again = [f"{number} times {why}" for why, number in tally.unanswered.most_common()]
    print(f"{tally.unanswered.total()} judgments without an answer, sent again", *again, sep="\n  ")
    print(
        f"{len(tally.acknowledged):,} acknowledged, {len(wrong)} of them or of the log wrong",
        *wrong[:5],
        sep="\n  ",
    )
    return 1 if wrong or tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
