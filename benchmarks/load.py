"""The server under load: `workbench serve` as a process of its own, and people who come to it over real HTTP.

    .venv/bin/python -m pip install --require-hashes --no-deps -r pins/load.txt
    .venv/bin/python benchmarks/load.py savers [--clients 32] [--seconds 60]
    .venv/bin/python benchmarks/load.py assessors [--assessors 200] [--think 2 6] [--boards 10] [--minutes 10]
                                                  [--signed-in] [--assigned] [--arriving 5]
    .venv/bin/python benchmarks/load.py soak [--saves 20000] [--clients 16] [--topics 8]

savers: clients that save judgments one after the other, as fast as the server takes them. assessors: people who each
get a document, read it for 2 to 6 seconds (--think) and judge it, while leaderboards of 20 runs ask for news every
second. With --signed-in they have signed in on an earlier day, since a thousand passwords at once take minutes, as
they are meant to; with --assigned each has topics that nobody else has, else all may judge all. The load comes from
this process, on the same machine, to 127.0.0.1 alone, and ends by itself. Afterwards the server is stopped, and the
log is held against what was sent and acknowledged: every acknowledged judgment once, no other, and
`workbench campaign audit` finds nothing. Exit status 1 if that does not hold, or a request failed.

soak: savers until so many judgments are acknowledged. Every so often the server's resident memory, open descriptors and
threads are read. The first fifth is for warming up; through the rest a straight line is laid by least squares. Exit
status 1 also when that line climbs by more than MOST_MEGABYTES, or when there are more descriptors at the end than
MOST_DESCRIPTORS above those after warming up.
"""

from __future__ import annotations

import argparse
import math
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
from typing import NamedTuple

import gevent
import numpy as np
import psutil
from data import machine
from flask.sessions import SecureCookieSessionInterface
from large_campaign import Maker, make
from load_people import CAMPAIGN, ORGANISER, PASSWORD, Assessor, Board, Pair, Person, Saver, Tally
from locust import between
from locust.env import Environment
from locust.runners import LocalRunner

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

SAMPLES, WARM = 200, 0.2
MOST_MEGABYTES, MOST_DESCRIPTORS = 12.0, 4

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
def serving(instance: Path, *options: str) -> Iterator[Server]:
    """`workbench serve` over an instance, with further options, until the end of the block."""
    words = [PROGRAM, "serve", "--instance", instance, "--host", "127.0.0.1", "--port", "0", "--no-open"]
    process = subprocess.Popen([*words, *options], stdout=subprocess.PIPE, text=True)
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


def begun(server: Server, people: Sequence[type[Person]], tally: Tally, arriving: float) -> LocalRunner:
    """Have them come, and wait until all have signed in."""
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
    return runner


def run(
    server: Server, people: Sequence[type[Person]], tally: Tally, seconds: float, arriving: float
) -> tuple[float, float]:
    """Let them work for so long, from when all have signed in; seconds that went by, and the server's processor's."""
    runner = begun(server, people, tally, arriving)
    used, start = server.seconds(), time.monotonic()
    tally.measured = (time.time(), time.time() + seconds)
    gevent.sleep(seconds)
    took, used = time.monotonic() - start, server.seconds() - used
    runner.quit()
    return took, used


class Sample(NamedTuple):
    """What a server holds after so many saves."""

    saves: int
    seconds: float
    megabytes: float
    descriptors: int
    threads: int


def soak(
    server: Server, people: Sequence[type[Person]], tally: Tally, saves: int, arriving: float
) -> list[Sample]:
    """Let them work until so many saves are acknowledged; samples of the server meanwhile."""
    runner = begun(server, people, tally, arriving)
    tally.measured = (time.time(), math.inf)
    process, start, found = psutil.Process(server.process.pid), time.monotonic(), []
    while (done := len(tally.acknowledged)) < saves:
        if done >= len(found) * saves / SAMPLES:
            found.append(sample(process, done, time.monotonic() - start))
        gevent.sleep(0.05)
    found.append(sample(process, done, time.monotonic() - start))
    runner.quit()
    return found


def sample(server: psutil.Process, saves: int, seconds: float) -> Sample:
    """One reading; of descriptors and threads those of the server's own process, without its workers."""
    memory = server.memory_info().rss / 1e6
    return Sample(saves, seconds, memory, server.num_fds(), server.num_threads())


def growth(samples: list[Sample]) -> list[str]:
    """Print the readings and what they come to; what is wrong with them."""
    print("     saves   seconds    MB   descriptors   threads")
    for each in samples[:: max(1, len(samples) // 10)] + samples[-1:]:
        print(
            f"{each.saves:10,} {each.seconds:9.0f} {each.megabytes:5.0f} {each.descriptors:13} {each.threads:9}"
        )
    warm = [each for each in samples if each.saves >= WARM * samples[-1].saves]
    slope, _ = np.polyfit([each.saves for each in warm], [each.megabytes for each in warm], 1)
    climb = float(slope) * (warm[-1].saves - warm[0].saves)
    settled = max(each.descriptors for each in warm[: max(1, len(warm) // 10)])
    more = warm[-1].descriptors - settled
    print(
        f"after warming up: {climb:+.1f} MB over {warm[-1].saves - warm[0].saves:,} saves "
        f"({1e9 * float(slope) / 1e3:+.1f} bytes a save), {more:+} descriptors"
    )
    wrong = [] if climb <= MOST_MEGABYTES else [f"memory climbs by {climb:.1f} MB"]
    return wrong if more <= MOST_DESCRIPTORS else [*wrong, f"{more} descriptors more"]


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
    audit = subprocess.run([PROGRAM, "campaign", "audit", path], capture_output=True, text=True, check=False)
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
    names = [
        f"saver{number:03d}" for number in range(given.clients or (16 if given.scenario == "soak" else 32))
    ]
    pairs = prepare(instance, names, given.topics or (8 if given.scenario == "soak" else 50))
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
    parser.add_argument("scenario", choices=("savers", "assessors", "soak"))
    parser.add_argument("--clients", type=int, default=0, help="else 32, or 16 of a soak")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--assessors", type=int, default=200)
    parser.add_argument("--think", type=float, nargs=2, default=(2, 6), metavar=("LEAST", "MOST"))
    parser.add_argument("--boards", type=int, default=10)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--topics", type=int, default=0, help="else 50, or as many as there are assessors")
    parser.add_argument("--depth", type=int, default=100, help="of the 20 runs, and of the pool")
    parser.add_argument("--signed-in", action="store_true")
    parser.add_argument("--assigned", action="store_true")
    parser.add_argument("--arriving", type=float, default=5, help="how many come in a second")
    parser.add_argument("--saves", type=int, default=20_000)
    given = parser.parse_args()
    tally = Tally()
    with tempfile.TemporaryDirectory() as folder:
        people, seconds = {"savers": savers, "soak": savers, "assessors": assessors}[given.scenario](
            given, Path(folder), tally
        )
        with serving(Path(folder)) as server:
            if given.signed_in:
                for each in people:
                    each.cookies = cookies(Path(folder), server.address, each.names)
            if given.scenario == "soak":
                samples = soak(server, people, tally, given.saves, given.arriving)
                took, used = samples[-1].seconds, server.seconds()
            else:
                took, used = run(server, people, tally, seconds, given.arriving)
        wrong = check(Path(folder) / f"{CAMPAIGN}.db", tally)
    print(f"{given.scenario}, {took:.0f} s; {machine()}; load and server on the same machine")
    report(tally, took, used)
    wrong += growth(samples) if given.scenario == "soak" else []
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
