"""A server that takes many saves: does its memory grow, do its descriptors?

    .venv/bin/python -m pip install --require-hashes --no-deps -r pins/load.txt
    .venv/bin/python benchmarks/soak.py [--saves 20000] [--clients 16]

Clients save judgments one after the other as fast as `workbench serve`, a process of its own, takes them, until so many
are acknowledged. Every so often the server's resident memory, open descriptors and threads are read. The first fifth is
for warming up; through the rest a straight line is laid by least squares. Exit status 1 when that line climbs by more
than MOST_MEGABYTES from its beginning to its end, when there are more descriptors at the end than MOST_DESCRIPTORS
above those after warming up, or when a judgment was lost, doubled or refused. All is on this machine, and ends by
itself.
"""

from __future__ import annotations

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import gevent
import numpy as np
import psutil
from data import machine
from load import PATIENCE, check, prepare, serving
from load_people import CAMPAIGN, Saver, Tally
from locust.env import Environment

SAMPLES = 200
TOPICS = 8
WARM = 0.2
MOST_MEGABYTES = 12.0
MOST_DESCRIPTORS = 4


class Sample(NamedTuple):
    """What a server holds after so many saves."""

    saves: int
    seconds: float
    megabytes: float
    descriptors: int
    threads: int


def soak(pid: int, host: str, people: type[Saver], tally: Tally, saves: int) -> list[Sample]:
    """Let them work until so many saves are acknowledged; samples of the server meanwhile."""
    environment = Environment(user_classes=[people], host=host, stop_timeout=30, reset_stats=False)
    environment.events.request.add_listener(tally.heard)
    runner = environment.create_local_runner()
    number = people.fixed_count
    runner.start(number, spawn_rate=number)
    with gevent.Timeout(PATIENCE):
        while tally.ready < number:
            gevent.sleep(0.1)
    tally.measured = (time.time(), math.inf)
    server, began, found = psutil.Process(pid), time.monotonic(), []
    while (done := len(tally.acknowledged)) < saves:
        if done >= len(found) * saves / SAMPLES:
            found.append(sample(server, done, time.monotonic() - began))
        gevent.sleep(0.05)
    found.append(sample(server, done, time.monotonic() - began))
    runner.quit()
    return found


def sample(server: psutil.Process, saves: int, seconds: float) -> Sample:
    """One reading; of descriptors and threads those of the server's own process, without its workers."""
    memory = server.memory_info().rss / 1e6
    return Sample(saves, seconds, memory, server.num_fds(), server.num_threads())


def report(samples: list[Sample]) -> list[str]:
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


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--saves", type=int, default=20_000)
    parser.add_argument("--clients", type=int, default=16)
    given = parser.parse_args()
    tally = Tally()
    names = [f"saver{number:03d}" for number in range(given.clients)]
    with tempfile.TemporaryDirectory() as folder:
        pairs = prepare(Path(folder), names, TOPICS)
        people = type(
            "Savers", (Saver,), {"tally": tally, "names": names, "pairs": pairs, "fixed_count": len(names)}
        )
        with serving(Path(folder), None) as server:
            samples = soak(server.process.pid, server.address, people, tally, given.saves)
        wrong = check(Path(folder) / f"{CAMPAIGN}.db", tally)
    print(f"{given.clients} clients, {samples[-1].saves:,} saves in {samples[-1].seconds:.0f} s; {machine()}")
    wrong += report(samples) + tally.failures[:5]
    print(*wrong or ["nothing lost, doubled or refused, and nothing grows"], sep="\n  ")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
