"""The judging page on slow and absent networks: first document of a topic, requests a judgment, judgments offline.

    .venv/bin/python benchmarks/slow_networks.py [--latency 0 100 300] [--judgments 40] [--offline 120]
    .venv/bin/python benchmarks/slow_networks.py --kbit 400 --latency 300 [--judgments 40] [--reading 1.5]

The Cranfield collection of WORKBENCH_TEST_DATA, pooled to depth 20, served by `workbench serve` on this machine, judged
in Chromium, whose developer tools add the latency (`Network.emulateNetworkConditions`). "First document" is from the
click on a link to the topic to its document painted, by the clock of the page, from a topic that is complete; median of
several topics, without and with the page fetched ahead. Requests are those during judging that reach the network, with
those for the next documents. Offline: all topics are downloaded on the page Offline judging, then the network is cut,
and a key is pressed for every document that comes, also across topics, with a reload in the middle, until none comes
for five seconds; then the network is back, and what is stored is counted.

With `--kbit` the line takes no more than so many kbit/s, and documents are the 113 web pages of the WOWS spot check.
Measured is a browser that was never here: the judging page from its address to its first document, with requests and
bytes until then, and from each key to the next document, with `--reading` seconds on each.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any
from uuid import uuid4

from data import data_folder, machine
from judging import ASSESSOR, PASSWORD, WATCH, make_cranfield, served, told
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate

from workbench.campaign.assessing import judge, queue, show
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments

TOPICS = 7
GAP = 400
READING = 1.5
"""Seconds on each document."""

COMPLETE = 99
"""The number of the topic that is complete."""

READ = 1.5
"""Seconds for which "Topic complete" is on the screen."""

PAINTED = """new Promise((done) => {
    const look = () => {
        const isShown = document.querySelector("iframe.current, .shown > .card[aria-current]");
        if (isShown) setTimeout(() => done(performance.now()));
        else requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
})"""
"""When the first document is painted, in milliseconds since the page was asked for."""

LOADED = """(() => {
    const all = [...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")];
    return [all.length, all.reduce((sum, { transferSize }) => sum + transferSize, 0)];
})()"""
"""How many requests the page has made by now, and the bytes of their answers."""


def signed_in(browser: Browser, address: str) -> Page:
    page = browser.new_page(viewport={"width": 1366, "height": 768})
    page.goto(address)
    page.get_by_label("Name").fill(ASSESSOR)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"{address}/**")
    page.goto(f"{address}/c/demo/judge")
    confirm = page.get_by_role("button", name="I have read the guidelines")
    if confirm.count():
        confirm.click()
        page.get_by_role("button", name="Leave the tour").click()
    ready(page)
    return page


def slowed(page: Page, latency: int, kbit: int = 0) -> CDPSession:
    """Slow the network of a page down."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.clearBrowserCache")
    session.send("Network.emulateNetworkConditions", conditions(latency, kbit))
    return session


def conditions(latency: int, kbit: int) -> dict[str, Any]:
    rate = kbit * 125 or -1
    return {"offline": False, "latency": latency, "downloadThroughput": rate, "uploadThroughput": rate}


def ready(page: Page, timeout: float = 30_000) -> None:
    page.wait_for_selector("#document[aria-busy=false], .shown > .card[aria-current]", timeout=timeout)


def first_documents(page: Page, address: str, topics: range, *, ahead: bool) -> list[float]:
    """Milliseconds from asking for a topic to its first document, each time from a topic that is complete."""
    found = []
    for number in topics:
        page.goto(f"{address}/c/demo/judge?topic={COMPLETE}")
        page.wait_for_selector(".finished")
        page.evaluate(
            f"""() => {{
                const link = document.createElement("a");
                link.href = "{address}/c/demo/judge?topic={number}";
                link.className = "next-topic followed";
                link.toggleAttribute("data-ahead", {str(ahead).lower()});
                link.textContent = "next";
                document.querySelector(".strip").append(link);
            }}"""
        )
        time.sleep(READ)
        page.locator("a.followed").click(no_wait_after=True)
        page.wait_for_url(f"**topic={number}", wait_until="commit")
        found.append(float(page.evaluate(PAINTED)))
    return found


def complete(folder: Path, topic: str) -> None:
    """Have the assessor judge all documents of a topic."""
    with open_campaign(folder / "demo.db") as campaign:
        for item in queue(campaign, topic, ASSESSOR):
            shown = show(campaign, topic, item.document_id, ASSESSOR)
            sent = shown.judged(item.document_id, uuid=str(uuid4()), kind="grade", grade=0, replaces=None)
            judge(campaign, sent, assessor=ASSESSOR)


def requests_of_judgments(page: Page, session: CDPSession, count: int) -> tuple[int, int]:
    """How many requests reach the network while the documents of a topic are judged, at most `count`, and how many
    these are.
    """
    page.wait_for_timeout(3_000)
    sent: dict[str, str] = {}
    local: set[str] = set()
    session.on(
        "Network.requestWillBeSent", lambda event: sent.update({event["requestId"]: event["request"]["url"]})
    )
    session.on("Network.requestServedFromCache", lambda event: local.add(event["requestId"]))
    session.on(
        "Network.responseReceived",
        lambda event: local.add(event["requestId"]) if event["response"].get("fromDiskCache") else None,
    )
    made = 0
    while made < count and not page.locator(".finished").count():
        ready(page)
        page.wait_for_timeout(GAP)
        page.keyboard.press("0")
        made += 1
    page.wait_for_selector("#save-state[data-state=saved]")
    asked = [url for name, url in sent.items() if name not in local and url.startswith("http")]
    return len(asked), made


def download(page: Page, address: str) -> None:
    """Download all topics, and say how long that takes and what it is."""
    page.goto(f"{address}/c/demo/offline")
    began = time.perf_counter()
    page.get_by_role("button", name="Download").click()
    page.wait_for_selector("text=can be judged here without a network", timeout=1_800_000)
    said = page.locator("#offline-state").inner_text().partition(" can be judged")[0]
    print(f"download: {said} in {time.perf_counter() - began:.0f} s")


def judged_offline(page: Page, address: str, most: int) -> int:
    """How many judgments can be made without a network, with a reload in the middle."""
    page.context.set_offline(True)
    page.on("dialog", lambda dialog: dialog.accept())
    page.goto(f"{address}/c/demo/judge")
    made = 0
    try:
        while made < most:
            if page.locator(".finished").count():
                following = page.locator(".finished a.button")
                if not following.count():
                    break
                following.click()
                page.wait_for_selector("iframe.current", timeout=5_000)
            ready(page, 5_000)
            if (
                page.locator("#stage .document-message:not([hidden])").count()
                and not page.locator(".finished").count()
            ):
                break
            if page.locator(".finished").count():
                continue
            page.wait_for_timeout(60)
            page.keyboard.press("0")
            page.wait_for_timeout(60)
            made += 1
            if made == most // 2:
                page.reload()
    except TooLate:
        pass
    return made


def delivered(page: Page, folder: Path) -> tuple[int, float]:
    """How many judgments the log has once the network is back, and after how many seconds all were acknowledged."""
    with open_campaign(folder / "demo.db") as campaign:
        before = len(list(judgments.log(campaign)))
    began = time.perf_counter()
    page.context.set_offline(False)
    page.wait_for_selector("#save-state[data-state=saved]", timeout=300_000)
    took = time.perf_counter() - began
    with open_campaign(folder / "demo.db") as campaign:
        return len(list(judgments.log(campaign))) - before, took


def make_web_pages(folder: Path) -> None:
    """One topic with the web pages of the spot check, in the order of the file."""
    corpus = data_folder() / "wows/spot-check/corpus.jsonl.gz"
    with gzip.open(corpus, "rt", encoding="utf-8") as file:
        ids = [json.loads(line)["doc_id"] for line in file]
    (folder / "topics.tsv").write_text("1\topen web search\n")
    lines = (f"1 Q0 {name} {rank} {len(ids) - rank} made\n" for rank, name in enumerate(ids, start=1))
    (folder / "made.run").write_text("".join(lines))
    with new_campaign(folder / "demo.db", title="Web pages", actor="benchmark") as campaign:
        add_topics(campaign.by("benchmark"), [str(folder / "topics.tsv")])
        add_documents(campaign.by("benchmark"), [str(corpus)], keep_all=True)
        add_runs(campaign.by("benchmark"), [str(folder / "made.run")])
        add_pool(campaign.by("benchmark"), depth=len(ids))


def on_a_narrow_line(browser: Browser, latency: int, kbit: int, judgments: int, reading: float) -> None:
    """Print what the first judging page takes there, and the keys on it."""
    with tempfile.TemporaryDirectory() as name:
        make_web_pages(Path(name))
        with served(Path(name)) as address:
            page = signed_in(browser, address)
            page.add_init_script(WATCH)
            slowed(page, latency, kbit)
            page.goto(f"{address}/c/demo/judge?topic=1", wait_until="commit")
            first = float(page.evaluate(PAINTED))
            requests, size = page.evaluate(LOADED)
            print(f"{latency} ms, {kbit} kbit/s: {requests} requests, {size:,} bytes, {first:.0f} ms")
            for _ in range(judgments):
                ready(page)
                time.sleep(reading)
                page.keyboard.press("0")
            ready(page)
            print(told("key to next document", page.evaluate("measured")))
            page.context.close()


def said(latency: int, how: str, first: list[float]) -> None:
    print(
        f"{latency:4} ms latency: first document of a topic, {how}, median {statistics.median(first):6.0f} ms "
        f"(slowest {max(first):.0f}, {len(first)} topics)"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--latency", type=int, nargs="*", default=[0, 100, 300])
    parser.add_argument("--judgments", type=int, default=40)
    parser.add_argument("--offline", type=int, default=120)
    parser.add_argument("--kbit", type=int)
    parser.add_argument("--reading", type=float, default=READING)
    arguments = parser.parse_args()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        if arguments.kbit:
            for latency in arguments.latency:
                on_a_narrow_line(browser, latency, arguments.kbit, arguments.judgments, arguments.reading)
        else:
            with tempfile.TemporaryDirectory() as folder:
                make_cranfield(Path(folder), arguments.judgments)
                with served(Path(folder)) as address:
                    on_slow_networks(browser, address, Path(folder), arguments)
        browser.close()
    print(machine())


def on_slow_networks(browser: Browser, address: str, folder: Path, arguments: argparse.Namespace) -> None:
    """Print what is measured with each latency, and without a network."""
    complete(folder, str(COMPLETE))
    for latency in arguments.latency:
        page = signed_in(browser, address)
        session = slowed(page, latency)
        for ahead in (False, True):
            topics = range(2 + TOPICS * ahead, 2 + TOPICS * (1 + ahead))
            how = "fetched ahead" if ahead else "not fetched ahead"
            said(latency, how, first_documents(page, address, topics, ahead=ahead))
        page.goto(f"{address}/c/demo/judge")
        ready(page)
        asked, made = requests_of_judgments(page, session, arguments.judgments)
        print(f"{latency:4} ms latency: {asked / made:.2f} requests a judgment ({made} judgments)")
        page.context.close()
    if arguments.offline:
        page = signed_in(browser, address)
        download(page, address)
        made = judged_offline(page, address, arguments.offline)
        stored, took = delivered(page, folder)
        more = " (no more were tried)" if made == arguments.offline else ""
        print(f"offline: {made} judgments without a stop{more}, {stored} stored {took:.1f} s after it")
        page.context.close()


if __name__ == "__main__":
    main()
