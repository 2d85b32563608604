"""The judging page on slow and absent networks: first document of a topic, requests a judgment, judgments offline.

    .venv/bin/python benchmarks/slow_networks.py [--latency 0 100 300] [--judgments 40] [--offline 120] [--cards]
    .venv/bin/python benchmarks/slow_networks.py --kbit 400 --latency 300 [--judgments 40] [--reading 1.5]

The Cranfield collection of WORKBENCH_TEST_DATA, pooled to depth 20, served by `workbench serve` on this machine, judged
in Chromium, whose developer tools add the latency (`Network.emulateNetworkConditions`). "First document" is from the
click on a link to the topic to its document painted, by the clock of the page, in a browser that nothing else watches
(bare_chromium.py), from a topic that is complete; median of several topics, without and with the page fetched ahead.
"Gone on at once" is the same 0.3 s after the last key of a topic, when a slow network has not brought the answer to it,
nor the next page if it was asked for only then. Requests are those during judging that reach the network, with those
for the next documents. Offline: all topics are downloaded on the page Offline judging, then the network is cut, and a
key is pressed for every document that comes, also across topics, with a reload in the middle, until none comes for five
seconds; then the network is back, and what is stored is counted. With `--cards` the documents are shown as cards, most
of which are taller than this screen, and only the time until the first of them is measured.

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

from bare_chromium import BareChromium, bare_chromium
from data import data_folder, machine
from judging import ASSESSOR, PASSWORD, WATCH, make_cranfield, served, told
from playwright.sync_api import Browser, CDPSession, Page, sync_playwright
from playwright.sync_api import TimeoutError as TooLate
from tab_memory import CAN_JUDGE, sign_in

from workbench.campaign.assessing import judge, queue, show
from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Judgment
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments

TOPICS = 7
GAP = 400
LEFT, READING, AT_ONCE = 5, 1.5, 0.3
"""Documents that are left of topics that are gone on from, seconds on each, and after the last one."""

FROM = 100
"""The number of the first of these topics."""

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


def conditions(latency: int) -> dict[str, Any]:
    return {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}


def ready(page: Page, timeout: float = 30_000) -> None:
    page.wait_for_selector("#document[aria-busy=false], .shown > .card[aria-current]", timeout=timeout)


def followed(tab: BareChromium, number: int) -> float:
    """Milliseconds from the click on the link to a topic until the first document of that topic is painted."""
    tab.ask("setTimeout(() => document.querySelector('a.followed').click())")
    tab.until(f"new URLSearchParams(location.search).get('topic') === '{number}'")
    return float(tab.ask(PAINTED))


def first_documents(tab: BareChromium, address: str, topics: range, *, ahead: bool) -> list[float]:
    """Milliseconds from asking for a topic to its first document, each time from a topic that is complete."""
    found = []
    for number in topics:
        tab.open(f"{address}/c/demo/judge?topic={COMPLETE}", "document.querySelector('.finished')")
        tab.ask(
            f"""(() => {{
                const link = document.createElement("a");
                link.href = "{address}/c/demo/judge?topic={number}";
                link.className = "next-topic followed";
                link.toggleAttribute("data-ahead", {str(ahead).lower()});
                link.textContent = "next";
                document.querySelector(".strip").append(link);
            }})()"""
        )
        time.sleep(READ)
        found.append(followed(tab, number))
    return found


def judged(folder: Path, topics: range, *, but: int = 0) -> None:
    """Have the assessor judge all but the last documents of these topics."""
    with open_campaign(folder / "demo.db") as campaign:
        for topic in map(str, topics):
            items = queue(campaign, topic, ASSESSOR)
            for item in items[: len(items) - but]:
                shown = show(campaign, topic, item.document_id, ASSESSOR)
                sent = Judgment(
                    uuid=str(uuid4()),
                    topic_id=topic,
                    document_id=item.document_id,
                    pool=shown.pool,
                    text_hash=shown.text_hash or "",
                    topic_version=shown.topic_version,
                    guideline_version=shown.guideline_version,
                    kind="grade",
                    grade=0,
                    replaces=None,
                )
                judge(campaign, sent, assessor=ASSESSOR)


def gone_on(tab: BareChromium, address: str, topics: range) -> list[float]:
    """Milliseconds from going on to the first document of the next topic, right after the last key."""
    tab.open(f"{address}/c/demo/judge?topic={topics[0]}", CAN_JUDGE)
    found = []
    for number in topics[1:]:
        for _ in range(LEFT):
            tab.until(CAN_JUDGE)
            time.sleep(READING)
            tab.press("0")
        tab.until("document.querySelector('.finished .next-topic')")
        time.sleep(AT_ONCE)
        tab.ask("document.querySelector('.finished .next-topic').classList.add('followed')")
        found.append(followed(tab, number))
    return found


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
    page.wait_for_selector("text=can be judged here without a network", timeout=600_000)
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


def first_on_the_screen(folder: Path, address: str, number: int, latency: int, *, on_cards: bool) -> None:
    """Print how long the first document of a topic takes; `number` tells apart the topics of several calls."""
    with bare_chromium(1366, 768) as tab:
        sign_in(tab, address)
        tab.call("Network.enable")
        tab.call("Network.emulateNetworkConditions", **conditions(latency))
        for ahead in (False, True):
            topics = range(2 + TOPICS * ahead, 2 + TOPICS * (1 + ahead))
            how = "fetched ahead" if ahead else "not fetched ahead"
            said(latency, how, first_documents(tab, address, topics, ahead=ahead))
        if on_cards:
            return
        left = range(FROM + number * (TOPICS + 1), FROM + (number + 1) * (TOPICS + 1))
        judged(folder, left, but=LEFT)
        said(latency, "gone on at once", gone_on(tab, address, left))


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


def on_a_narrow_line(latency: int, kbit: int, judgments: int, reading: float) -> None:
    """Print what the first judging page takes there, and the keys on it."""
    with tempfile.TemporaryDirectory() as name:
        make_web_pages(Path(name))
        with served(Path(name)) as address, bare_chromium(1366, 768) as tab:
            sign_in(tab, address)
            tab.call("Network.enable")
            tab.call("Page.enable")
            tab.call("Network.clearBrowserCache")
            narrow = {"downloadThroughput": kbit * 125, "uploadThroughput": kbit * 125}
            tab.call("Network.emulateNetworkConditions", **{**conditions(latency), **narrow})
            tab.call("Page.addScriptToEvaluateOnNewDocument", source=WATCH)
            tab.call("Page.navigate", url=f"{address}/c/demo/judge?topic=1")
            first = float(tab.ask(PAINTED))
            requests, size = tab.ask(LOADED)
            print(f"{latency} ms, {kbit} kbit/s: {requests} requests, {size:,} bytes, {first:.0f} ms")
            for _ in range(judgments):
                tab.until(CAN_JUDGE)
                time.sleep(reading)
                tab.press("0")
            tab.until(CAN_JUDGE)
            print(told("key to next document", tab.ask("measured")))


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
    parser.add_argument("--cards", action="store_true")
    parser.add_argument("--kbit", type=int)
    parser.add_argument("--reading", type=float, default=READING)
    arguments = parser.parse_args()
    if arguments.kbit:
        for latency in arguments.latency:
            on_a_narrow_line(latency, arguments.kbit, arguments.judgments, arguments.reading)
        print(machine())
        return
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        make_cranfield(Path(folder), arguments.judgments)
        if arguments.cards:
            with open_campaign(Path(folder, "demo.db")) as campaign:
                change_settings(campaign.by("benchmark"), {"cards": "on"})
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        judged(Path(folder), range(COMPLETE, COMPLETE + 1))
        with served(Path(folder)) as address:
            for number, latency in enumerate(arguments.latency):
                first_on_the_screen(Path(folder), address, number, latency, on_cards=arguments.cards)
                if arguments.cards:
                    continue
                page = signed_in(browser, address)
                session = page.context.new_cdp_session(page)
                session.send("Network.enable")
                session.send("Network.emulateNetworkConditions", conditions(latency))
                asked, made = requests_of_judgments(page, session, arguments.judgments)
                print(f"{latency:4} ms latency: {asked / made:.2f} requests a judgment ({made} judgments)")
                page.context.close()
            if arguments.offline and not arguments.cards:
                page = signed_in(browser, address)
                download(page, address)
                made = judged_offline(page, address, arguments.offline)
                stored, took = delivered(page, Path(folder))
                more = " (no more were tried)" if made == arguments.offline else ""
                print(
                    f"offline: {made} judgments without a stop{more}, {stored} stored {took:.1f} s after it"
                )
                page.context.close()
        browser.close()
    print(machine())


if __name__ == "__main__":
    main()
