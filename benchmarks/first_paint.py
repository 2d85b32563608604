"""When an organiser's pages are first painted in Chromium: milliseconds by the browser's own clock, and kB.

    .venv/bin/python benchmarks/first_paint.py FILE.db [--rounds N]

FILE.db is a campaign of large_campaign.py (it is copied, and not changed); the server runs in threads of this process,
with what it preloads after a start. Each page is opened once, then so many rounds three times, always from a blank tab:

- window: in a new window, at once, with nothing kept. While the page loads, Chromium loads up to a hundred scripts of
  its own address field, which compete with the page for the cores.
- first: in another new window, once that has loaded what it needs for itself, still with nothing kept and in a new
  process: as by who comes to the server for the first time.
- again: there once more, with scripts and styles kept, as by who goes from page to page.

Printed are for each the median and the slowest `first-contentful-paint` of the performance API from the start of the
navigation, the median until the first byte of the answer, and kB of the page before compression. The first line is a
text of a few bytes without any style (`/health`): what no page can be faster than.
"""

from __future__ import annotations

import argparse
import gc
import math
import os
import shutil
import statistics
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as `workbench serve` has it

from data import machine
from organisers_pages import HEAVIEST, LIMIT, OrganisersServer, preload
from playwright.sync_api import Browser, Page, sync_playwright
from waitress.server import create_server

from workbench.web.server.serving import NEW_OBJECTS
from workbench.web.server.warming import compile_templates

FLOOR = "/health"

LOOK_EVERY, IDLE, LOOKS = 0.5, 0.1, 20
"""A new window has loaded what it needs for itself once the browser's processes took no more than this share of a core
between two looks, so many seconds apart; it is waited for no more than so many looks.
"""

PAGES = (
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


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("file", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        shutil.copy(given.file, Path(folder) / "large.db")
        server = OrganisersServer(Path(folder))
        with server.campaign() as campaign:
            compile_templates(server.app.jinja_env)
            preload(server, campaign)
        gc.set_threshold(NEW_OBJECTS, *gc.get_threshold()[1:])
        served = create_server(server.app, host="127.0.0.1", port=0, threads=8)
        Thread(target=served.run, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        print(f"{server.size()}; {machine()}; milliseconds, {given.rounds} rounds")
        print("  window slowest   first slowest   again slowest   byte     kB")
        base = f"http://127.0.0.1:{served.effective_port}"
        for address in (FLOOR, *(f"/c/large{path}" for path in PAGES)):
            painted(browser, server, base + address)
            show(address, [painted(browser, server, base + address) for _ in range(given.rounds)])
        browser.close()
        served.close()
        server.app.extensions["workbench_connections"].close()


def show(address: str, rounds: list[list[float]]) -> None:
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


if __name__ == "__main__":
    main()
