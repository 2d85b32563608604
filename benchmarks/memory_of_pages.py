"""The memory of a server while the pages of a huge campaign are opened, and what it has given back minutes later.

    .venv/bin/python -m pip install --require-hashes --no-deps -r pins/load.txt
    .venv/bin/python benchmarks/memory_of_pages.py [--topics 100000] [--file FILE.db] [--only PAGE ...] [--rounds N]
        [--at-once N] [--wait SECONDS] [--cache-size MB]

The campaign has two runs to depth 10 over so many topics, pooled to depth 1, of which one pair of twenty is judged;
--file keeps it, and takes it from there the next time (the file is copied, and not changed). `workbench serve` is a
process of its own, without its workers. Each page is opened in each of the rounds by so many at once. Printed are the
seconds it took, the resident memory of the server after it and its peak meanwhile; at last, after the pause in which
values of such campaigns are dropped and given back. It reads /proc, so it runs on Linux.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from urllib.request import Request, urlopen

from data import machine
from large_campaign import ASSESSORS, ORGANISER, Maker, make
from load import cookies, serving

from workbench.people.accounts import open_accounts
from workbench.people.accounts.people import put_account
from workbench.web.server.limits import EVERY
from workbench.web.server.warming import UNUSED

PAGES = {
    "campaigns": (ORGANISER, "/"),
    "dashboard": (ORGANISER, "/c/large/dashboard"),
    "leaderboard": (ORGANISER, "/c/large/board"),
    "pool": (ORGANISER, "/c/large/pool"),
    "runs": (ORGANISER, "/c/large/runs"),
    "judging": (ASSESSORS[0], "/c/large/judge?topic=301"),
    "topics": (ORGANISER, "/c/large/topics"),
}
"""Who opens which address, the slowest last."""

JUDGED = 0.05
PATIENCE = 3600.0
"""Seconds that a page may take."""


def prepare(instance: Path, file: Path | None, n_topics: int) -> None:
    """The campaign, and accounts for who opens its pages."""
    path = instance / "large.db"
    if file is None or not file.exists():
        make(file or path, Maker(2, n_topics, 10, 1), share=JUDGED)
    if file is not None:
        shutil.copy(file, path)
    now = datetime.now(UTC)
    with open_accounts(instance) as accounts, accounts.write():
        for name in (ORGANISER, ASSESSORS[0]):
            put_account(accounts.at(now), name, "unknown")


def megabytes(pid: int) -> tuple[float, float]:
    """Resident memory of a process, and its peak since the last time that this was asked."""
    status = dict(line.split(":", 1) for line in Path(f"/proc/{pid}/status").read_text().splitlines())
    now, peak = (int(status[name].split()[0]) / 1024 for name in ("VmRSS", "VmHWM"))
    Path(f"/proc/{pid}/clear_refs").write_text("5")
    return now, peak


def show(pid: int, what: str, work: Callable[[], object]) -> None:
    start = time.perf_counter()
    work()
    took = time.perf_counter() - start
    now, peak = megabytes(pid)
    print(f"{took:9.1f} {now:8.0f} {peak:8.0f}  {what}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--topics", type=int, default=100_000)
    parser.add_argument("--file", type=Path, help="where the campaign is kept")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--only", nargs="+", choices=PAGES, default=list(PAGES))
    parser.add_argument("--wait", type=float, default=UNUSED + EVERY + 20, help="seconds after the last page")
    parser.add_argument("--cache-size", default=None, help="as of `workbench serve`")
    given = parser.parse_args()
    options = [] if given.cache_size is None else ["--cache-size", given.cache_size]
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        prepare(instance, given.file, given.topics)
        with serving(instance, *options) as server, ThreadPoolExecutor(given.at_once) as people:
            sessions = cookies(instance, server.address, (ORGANISER, ASSESSORS[0]))

            def visit(page: str) -> None:
                who, address = PAGES[page]
                name, value = sessions[who]
                request = Request(server.address + address, headers={"Cookie": f"{name}={value}"})
                with urlopen(request, timeout=PATIENCE) as answer:
                    answer.read()

            def visit_at_once(page: str) -> None:
                list(people.map(visit, [page] * given.at_once))

            pid = server.process.pid
            size = (instance / "large.db").stat().st_size / 1e6
            print(f"{given.topics:,} topics, {size:.0f} MB; {machine()}\n  seconds       MB     peak")
            show(pid, "started", lambda: time.sleep(5))
            for number in range(given.rounds):
                for page in given.only:
                    show(pid, f"{page}, round {number + 1}", partial(visit_at_once, page))
            show(pid, "later", lambda: time.sleep(given.wait))


if __name__ == "__main__":
    main()
