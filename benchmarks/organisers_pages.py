"""The server's time for every page of an organiser, and its weight, over 143 runs, 50 topics, depth 1000, judged.

    .venv/bin/python benchmarks/organisers_pages.py [--file FILE.db] [--rounds N] [--only WORD] [--all-pairs]
        [--processor] [--paint]

The campaign is that of large_campaign.py; --file keeps it, and takes it from there the next time (the file is
copied, and not changed). A tenth of its pairs is judged a second time, by another assessor, who agrees four times of
five. Whole requests through the application, without the network: session, role, page. Pages are
found in the list of addresses, so new ones are included. For each: the first request (of a server that has
preloaded page data), the median of the next ones, and of those that come just after a judgment; and kB of the
answer, not compressed. Members of the campaign (large_campaign.py --members) have accounts. Then figures,
the time slider at random rows of the log, and, with --all-pairs, the test of all pairs with 10,000 permutations.
Downloads of whole campaigns are left out. --processor counts the processor's time, of all its cores together: on a
machine that is busy with other things the clock says little.

--paint opens pages in Chromium instead, from a server in threads of this process: in a new window at once with nothing
kept (while Chromium loads scripts of its own), first in another window once that is idle, and again there with scripts
and styles kept. Printed are the median and the slowest `first-contentful-paint` of each from the start of the
navigation, the median until the first byte, and kB. `/health` is a text without any style: no page can be faster.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import random
import shutil
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import uuid4

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as `workbench serve` has it

from data import machine
from flask import Flask
from flask.testing import FlaskClient
from large_campaign import ASSESSORS, ORGANISER, Maker, make
from playwright.sync_api import Browser, Page, sync_playwright
from waitress.server import create_server

from workbench.analysis.comparing.all_pairs import all_pairs
from workbench.analysis.figures import load_figures
from workbench.campaign import assigning
from workbench.core.records import Judgment
from workbench.people.accounts import Accounts, add_account, begin_session, open_accounts
from workbench.people.accounts.people import put_account
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.assigning import draws
from workbench.storage.campaign.collection import pools, runs, topics
from workbench.storage.campaign.grades.labels import label_of
from workbench.storage.campaign.log import log
from workbench.storage.campaign.people import members
from workbench.web.app import create_app
from workbench.web.server.serving import NEW_OBJECTS
from workbench.web.server.warming import STEPS, compile_templates

LIMIT, SLIDER_LIMIT = 300, 200
"""Milliseconds."""

HEAVIEST = 200
"""kB of a page."""

AGREEING = 0.8
"""How often a second assessor says the same as the first."""

TOPIC, DOCUMENT, RUN, OTHER = "305", "made305-en00-000000", "run007", "run008"
SLIDER_MEASURES = "m=nDCG%4010&m=AP&m=P%4010"

PARAMETERS: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "judge.page": [{"topic": TOPIC}],
    "document_view.document": [{"topic": TOPIC, "document": DOCUMENT}],
    "document_view.frame": [{"topic": TOPIC, "document": DOCUMENT}],
    "assessor_settings.terms": [{"topic": TOPIC}],
    "topics.topic": [{"topic": TOPIC}],
    "assessors.page": [{"counted": "now"}],
    "assessors.one": [{"name": ASSESSORS[0], "counted": "now"}],
    "agreement.page": [{"by": by, "counted": "now"} for by in ("all", "topic", "pair", "self")],
    "pairs.page": [{"topic": TOPIC, "document": DOCUMENT}],
    "pairs.of_topic": [{"topic": TOPIC}],
    "runs.page": [{}, {"sort": "unique"}],
    "runs.run": [{"run": RUN}],
    "compare.page": [{}, {"run": [RUN, OTHER]}, {"run": ["run001", "run002", "run003", "run004", RUN]}],
    "board.page": [{}, {"as-of": "20000"}, {"by": "team", "intervals": "yes"}],
    "board.news": [{}, {"as-of": "20000"}],
}
"""What is asked of an address besides the campaign; without an entry nothing."""

FILES = (
    "dashboard.old_address",
    "downloads.",
    "publish.bundle",
    "publish.sheets",
    "publish.comparison",
    "figures.file",
    "withdrawing",
)
FIGURE_PARAMETERS = {
    "run": [RUN, OTHER],
    "baseline": [OTHER],
    "topic": [TOPIC],
    "runs": [RUN, OTHER],
    "depth": ["20"],
    "measure": ["AP"],
}


FLOOR = "/health"

LOOK_EVERY, IDLE, LOOKS = 0.5, 0.1, 20
"""A new window has loaded what it needs for itself once the browser's processes took no more than this share of a core
between two looks, so many seconds apart; it is waited for no more than so many looks.
"""

PAINTED_PAGES = (
    "/dashboard",
    "/topics",
    "/assignments",
    "/people",
    "/runs",
    "/run?run=run007",
    "/pool",
    "/board",
    "/compare?run=run001&run=run002",
    "/judgments?topic=305",
    "/history",
    "/submissions",
    "/assessors?counted=now",
    "/agreement?counted=now",
    "/settings",
)

MEASURED = """async () => {
    const [page] = performance.getEntriesByType("navigation");
    const paint = await new Promise(seen => new PerformanceObserver(list => {
        for (const each of list.getEntries()) if (each.name === "first-contentful-paint") seen(each);
    }).observe({type: "paint", buffered: true}));
    return [paint.startTime, page.responseStart, page.decodedBodySize / 1000, page.responseStatus];
}"""


class Timed(NamedTuple):
    """An address with the status of its answer, milliseconds (the first, then medians), and kB."""

    address: str
    status: int
    first: float
    again: float
    judged: float
    weight: float


def judgment(assessor: str, topic_id: str, document_id: str, grade: int) -> Judgment:
    return Judgment(
        0, str(uuid4()), log.timestamp(), None, assessor, topic_id, document_id, None, None, None, None,
        "grade", grade, None, None, "", "benchmark",
    )  # fmt: skip


class OrganisersServer:
    """A server over one campaign, with an organiser's client, and judgments on demand."""

    def __init__(self, instance: Path, clock: Callable[[], float] = time.perf_counter) -> None:
        self.instance, self.clock = instance, clock
        with open_accounts(instance) as accounts:
            add_account(accounts, ORGANISER, "a long password")
            token = begin_session(accounts, ORGANISER)
            self._make_accounts(accounts)
        self.app: Flask = create_app(instance)
        self.client: FlaskClient = self.app.test_client()
        with self.client.session_transaction() as session:
            session.update(token=token)
        self.chance = random.Random(1)
        with self.campaign() as campaign:
            self.pairs = [
                (topic_id, document_id)
                for topic_id in self.chance.choices(["303", "317", "342"], k=200)
                for document_id in self.chance.sample(pools.pooled_of_topic(campaign, topic_id), 1)
            ]

    def campaign(self) -> Campaign:
        return open_campaign(self.instance / "large.db")

    def _make_accounts(self, accounts: Accounts) -> None:
        """Accounts for all members, with one password that nobody knows."""
        with self.campaign() as campaign:
            names = sorted(members.all_members(campaign).keys() - {ORGANISER})
        now, by = datetime.now(UTC), (ORGANISER, "")
        with accounts.write():
            for name in names:
                put_account(accounts.by(*by).at(now), name, "unknown", invited_by=ORGANISER)

    def judge(self) -> None:
        """Change one grade."""
        with self.campaign() as campaign:
            topic_id, document_id = self.chance.choice(self.pairs)
            grade = ((label_of(campaign, topic_id, document_id) or 0) + 1) % 3
            with campaign.write():
                log.append_judgments(campaign, [judgment(ASSESSORS[0], topic_id, document_id, grade)])

    def size(self) -> str:
        """How much the campaign has."""
        with self.campaign() as campaign:
            numbers = {
                "runs": len(runs.all_runs(campaign)),
                "topics": len(topics.topic_ids(campaign)),
                "members": len(members.all_members(campaign)),
            }
        return ", ".join(f"{number:,} {what}" for what, number in numbers.items())

    def judge_twice(self) -> int:
        """Draw a tenth of the pairs, and judge them a second time; how many."""
        with self.campaign() as campaign:
            for number, topic_id in enumerate(topics.topic_ids(campaign)):
                assigning.assign(campaign.by(ORGANISER), [topic_id], [ASSESSORS[number % len(ASSESSORS)]])
            seconds = assigning.draw_double(campaign.by(ORGANISER), 0.1, 1).seconds
            rows = []
            for topic_id, drawn in draws.drawn(campaign).items():
                for document_id in drawn:
                    first = label_of(campaign, topic_id, document_id)
                    if first is not None:
                        grade = first if self.chance.random() < AGREEING else (first + 1) % 3
                        rows.append(judgment(seconds[topic_id], topic_id, document_id, grade))
            with campaign.write():
                log.append_judgments(campaign, rows)
        return len(rows)

    def ask(self, address: str) -> tuple[float, int, float]:
        """Milliseconds, the status, and kB of an answer."""
        start = self.clock()
        answer = self.client.get(address)
        return 1000 * (self.clock() - start), answer.status_code, len(answer.data) / 1000

    def timed(self, address: str, rounds: int) -> Timed:
        first, status, weight = self.ask(address)
        again = [self.ask(address)[0] for _ in range(rounds)]
        judged = []
        for _ in range(rounds):
            self.judge()
            judged.append(self.ask(address)[0])
        return Timed(address, status, first, statistics.median(again), statistics.median(judged), weight)


def pages(app: Flask) -> Iterator[str]:
    """The addresses of all pages of a campaign, and of what their scripts ask for."""
    for rule in app.url_map.iter_rules():
        if "campaign" not in rule.arguments or "GET" not in (rule.methods or ()):
            continue
        if rule.endpoint.startswith(FILES):
            continue
        kinds: Sequence[str] = getattr(rule._converters.get("kind"), "items", None) or [""]
        for kind in sorted(kinds):
            path = rule.rule.replace("<campaign>", "large")
            path = path[: path.index("<")] + kind if "<" in path else path
            for parameters in PARAMETERS.get(rule.endpoint, [{}]):
                yield path + (f"?{urlencode(parameters, doseq=True)}" if parameters else "")


def figures() -> Iterator[str]:
    """The addresses of the specifications of all figures, as pages fetch them."""
    for name, figure in sorted(load_figures().items()):
        parameters = {
            each.name: FIGURE_PARAMETERS[each.name] if each.repeated else FIGURE_PARAMETERS[each.name][:1]
            for each in figure.parameters
            if each.name in FIGURE_PARAMETERS and (each.required or each.name == "run")
        }
        yield f"/c/large/figures/{name}.json?{urlencode(parameters, doseq=True)}"


def preload(server: OrganisersServer, campaign: Campaign) -> None:
    """What a server preloads after its start, and how long each step takes."""
    for name, step in STEPS.items():
        start = server.clock()
        step(campaign)
        print(f"preloaded: {name} {server.clock() - start:.2f} s", flush=True)


def show(timed: Timed, limit: int) -> None:
    slow = "  slow" if max(timed.again, timed.judged) > limit else ""
    heavy = "  heavy" if timed.weight > HEAVIEST else ""
    wrong = "" if timed.status == 200 else f"  answers {timed.status}"
    times = f"{timed.first:8.0f} {timed.again:8.0f} {timed.judged:8.0f} {timed.weight:8.0f}"
    print(f"{times}   {timed.address.removeprefix('/c/large')}{wrong}{slow}{heavy}", flush=True)


def slide(server: OrganisersServer, number: int) -> None:
    """The board at random rows of the log, each asked for once, as the slider does."""
    with server.campaign() as campaign:
        newest = log.newest_seq(campaign)
    rows = server.chance.sample(range(newest + 1), number)
    times = [server.ask(f"/c/large/api/board?{SLIDER_MEASURES}&as-of={row}")[0] for row in rows]
    print(
        f"\nslider, {number} rows of {newest:,}: median {statistics.median(times):.0f} ms, "
        f"90 of 100 {statistics.quantiles(times, n=10)[-1]:.0f}, slowest {max(times):.0f} (limit {SLIDER_LIMIT})"
    )


def painted(browser: Browser, server: OrganisersServer, address: str) -> list[float]:
    """First paint of a page as the organiser in a window, for the first time, and again; then the first byte, kB and
    status of the last time.
    """
    with _signed_in(browser, server, address) as page:
        window = _opened(page, address)
    with _signed_in(browser, server, address) as page:
        _wait_until_idle(browser, page)
        first = _opened(page, address)
        page.goto("about:blank")
        again = _opened(page, address)
    return [window[0], first[0], *again]


@contextmanager
def _signed_in(browser: Browser, server: OrganisersServer, address: str) -> Iterator[Page]:
    """A page in a window of its own, with nothing kept but the session."""
    name = server.app.config["SESSION_COOKIE_NAME"]
    cookie = server.client.get_cookie(name)
    assert cookie is not None
    context = browser.new_context()
    context.add_cookies([{"name": name, "value": cookie.value, "url": address}])
    yield context.new_page()
    context.close()


def _wait_until_idle(browser: Browser, page: Page) -> None:
    session = browser.new_browser_cdp_session()
    before = math.inf
    for _ in range(LOOKS):
        found = session.send("SystemInfo.getProcessInfo")["processInfo"]
        used = sum(process["cpuTime"] for process in found)
        if 0 <= used - before <= IDLE * LOOK_EVERY:
            break
        before = used
        page.wait_for_timeout(1000 * LOOK_EVERY)
    session.detach()


def _opened(page: Page, address: str) -> list[float]:
    page.goto(address, wait_until="networkidle")
    measured: list[float] = page.evaluate(MEASURED)
    return measured


def paint(server: OrganisersServer, rounds: int, only: str) -> None:
    """Open pages in Chromium, and print when they are painted."""
    served = create_server(server.app, host="127.0.0.1", port=0, threads=8)
    Thread(target=served.run, daemon=True).start()
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        print(f"{server.size()}; {machine()}; milliseconds, {rounds} rounds")
        print("  window slowest   first slowest   again slowest   byte     kB")
        base = f"http://127.0.0.1:{served.effective_port}"
        for address in (FLOOR, *(f"/c/large{path}" for path in PAINTED_PAGES if only in path)):
            painted(browser, server, base + address)
            show_painted(address, [painted(browser, server, base + address) for _ in range(rounds)])
        browser.close()
    served.close()


def show_painted(address: str, rounds: list[list[float]]) -> None:
    """A line of the table: medians, the slowest openings, and which limit is not held."""
    *times, byte, weight, status = map(statistics.median, zip(*rounds, strict=True))
    slowest = [max(row[place] for row in rounds) for place in range(len(times))]
    notes = {
        f"answers {status:.0f}": status != 200,
        f"over {LIMIT} ms": max(times) > LIMIT,
        f"over {HEAVIEST} kB": weight > HEAVIEST,
    }
    columns = "".join(f"{time:8.0f} {most:7.0f}" for time, most in zip(times, slowest, strict=True))
    said = ", ".join(note for note, holds in notes.items() if holds)
    print(
        f"{columns} {byte:6.0f} {weight:6.0f}   {address.removeprefix('/c/large')}  {said}".rstrip(),
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--file", type=Path, help="where the campaign is kept")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default="", help="pages whose address has this word")
    parser.add_argument("--all-pairs", action="store_true", help="also the test of all pairs of runs")
    parser.add_argument("--processor", action="store_true", help="the processor's time, not the clock's")
    parser.add_argument("--paint", action="store_true", help="when pages are painted in Chromium")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        instance = Path(folder)
        if given.file is None or not given.file.exists():
            make(given.file or instance / "large.db", Maker())
        if given.file is not None:
            shutil.copy(given.file, instance / "large.db")
        gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
        server = OrganisersServer(instance, time.process_time if given.processor else time.perf_counter)
        if not given.paint:
            print(f"judged by two assessors: {server.judge_twice():,} pairs")
        with server.campaign() as campaign:
            compile_templates(server.app.jinja_env)
            preload(server, campaign)
        if given.paint:
            paint(server, given.rounds, given.only)
            server.app.extensions["workbench_connections"].close()
            return
        print(f"{server.size()}; {machine()}; milliseconds, {given.rounds} rounds")
        print("   first    again   judged       kB   (limits 300 ms, 200 kB; judged: just after a judgment)")
        for address in sorted(pages(server.app)):
            if given.only in address:
                show(server.timed(address, given.rounds), LIMIT)
        print("\nfigures")
        for address in figures():
            if given.only in address:
                show(server.timed(address, given.rounds), LIMIT)
        slide(server, 100)
        if given.all_pairs:
            with server.campaign() as campaign:
                start = time.perf_counter()
                all_pairs(campaign, "AP")
            print(
                f"all pairs of 143 runs, 10,000 permutations: {time.perf_counter() - start:.1f} s (limit 10)"
            )
        server.app.extensions["workbench_connections"].close()


if __name__ == "__main__":
    main()
