"""When an organiser's pages are first painted in Chromium: milliseconds by the browser's own clock, and kB.

    .venv/bin/python benchmarks/first_paint.py FILE.db [--rounds N]

FILE.db is a campaign of large_campaign.py (it is copied, and not changed); the server runs in threads of this process,
with what it preloads after a start. Each page is opened once, then so many rounds twice in a new context: first with
nothing kept by the browser, as by who comes to the server for the first time, then once more with scripts and styles
kept, as by who goes from page to page. Printed are for both the median and the slowest `first-contentful-paint` of the
performance API from the start of the navigation, the median until the first byte of the answer, and kB of the page
before compression.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import tempfile
from pathlib import Path
from threading import Thread

os.environ["OPENBLAS_NUM_THREADS"] = "1"  # as `workbench serve` has it

from data import machine
from organisers_pages import HEAVIEST, LIMIT, OrganisersServer, preload
from playwright.sync_api import Browser, sync_playwright
from waitress.server import create_server

from workbench.web.server.serving import look_for_cycles_less_often
from workbench.web.server.warming import compile_templates

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
    """First paint of a page in a context of its own, signed in as the organiser, and once more there; then the first
    byte, kB and status of the second time.
    """
    name = server.app.config["SESSION_COOKIE_NAME"]
    cookie = server.client.get_cookie(name)
    assert cookie is not None
    context = browser.new_context()
    context.add_cookies([{"name": name, "value": cookie.value, "url": address}])
    page = context.new_page()
    page.goto(address, wait_until="networkidle")
    first: float = page.evaluate(MEASURED)[0]
    page.goto("about:blank")
    page.goto(address, wait_until="networkidle")
    again: list[float] = page.evaluate(MEASURED)
    context.close()
    return [first, *again]


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
        look_for_cycles_less_often()
        served = create_server(server.app, host="127.0.0.1", port=0, threads=8)
        Thread(target=served.run, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        print(f"{server.size()}; {machine()}; milliseconds, {given.rounds} rounds")
        print(f"  first slowest   again slowest   byte     kB   (limits {LIMIT} ms, {HEAVIEST} kB)")
        for path in PAGES:
            address = f"http://127.0.0.1:{served.effective_port}/c/large{path}"
            painted(browser, server, address)
            rounds = [painted(browser, server, address) for _ in range(given.rounds)]
            first, again, byte, weight, status = map(statistics.median, zip(*rounds, strict=True))
            wrong = "" if status == 200 else f"  answers {status:.0f}"
            slow = "  slow" if max(first, again) > LIMIT else ""
            heavy = "  heavy" if weight > HEAVIEST else ""
            slowest = [max(row[time] for row in rounds) for time in (0, 1)]
            print(
                f"{first:7.0f} {slowest[0]:7.0f} {again:7.0f} {slowest[1]:7.0f} {byte:6.0f} {weight:6.0f}"
                f"   {path}{wrong}{slow}{heavy}",
                flush=True,
            )
        browser.close()
        served.close()
        server.app.extensions["workbench_connections"].close()


if __name__ == "__main__":
    main()
