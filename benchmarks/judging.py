"""The judging screen in a real Chromium: from the press of a key to the next document on the screen.

    .venv/bin/python benchmarks/judging.py [demo] [cranfield] [large] [cards] [passages] [--judgments N]

Without a name all: the demo, the Cranfield collection of WORKBENCH_TEST_DATA, made-up documents of 500 kB, and
made-up passages of 60 words as cards, where the next document is the next card, and on the page of one document.
`workbench serve` is a process of its own on the same machine, with the file on a real disk. Every press comes at
least 0.4 s (large: 0.6 s) after the one before, as from somebody who judges without reading. Measured is from the
`timeStamp` of the key's event to a task after the first animation frame that has the next document uncovered; the
first judgments are left out as warm-up. The server's time for a save is what it says itself (Server-Timing).
"""

from __future__ import annotations

import argparse
import json
import random
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from data import data_folder, machine
from playwright.sync_api import Page, sync_playwright

from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.cli.demo.campaign import ready_demo
from workbench.formats.topics.reading import read_topics
from workbench.people.accounts import add_account, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

ASSESSOR, PASSWORD = "Ada", "a benchmark's password"
WARM_UP = 5
LARGE = 500_000
LARGE_DOCUMENTS = 210
PASSAGES, PASSAGE_WORDS = 300, 60
"""As many passages as judgments where more are asked for, and a tenth beyond."""

SEED = 11

WATCH = """
window.measured = [];
window.since = 0;
const pressed = (view) => view.addEventListener("keydown", (event) => {
    if (/^[0-9]$/.test(event.key)) window.since = event.timeStamp + view.performance.timeOrigin;
}, {capture: true});
const drawn = new MessageChannel();
drawn.port1.onmessage = () => {
    if (!window.since) return;
    window.measured.push(performance.timeOrigin + performance.now() - window.since);
    window.since = 0;
};
const painted = () => requestAnimationFrame(() => drawn.port2.postMessage(null));
addEventListener("DOMContentLoaded", () => {
    const stage = document.querySelector("#stage, #cards");
    if (!stage) return;
    pressed(window);
    new MutationObserver((records) => {
        for (const {target, addedNodes} of records) {
            if (target.matches(".current, [aria-current]")) painted();
            for (const node of addedNodes) {
                if (node.tagName === "IFRAME") node.addEventListener("load", () => pressed(node.contentWindow));
            }
        }
    }).observe(stage, {subtree: true, childList: true, attributeFilter: ["class", "aria-current"]});
});
"""


def make_demo(folder: Path, _: int) -> None:
    """The demo's campaign, with an assessor of its own."""
    ready_demo(folder)


def make_cranfield(folder: Path, _: int) -> None:
    """The documents of the Cranfield collection, pooled to depth 20 over 22 runs that count topics by position."""
    source = data_folder() / "cranfield"
    read = read_topics(str(source / "trec-xml/cran.qry.xml")).topics
    lines = [f"{place}\t{' '.join(topic.title.split())}\n" for place, topic in enumerate(read, start=1)]
    (folder / "topics.tsv").write_text("".join(lines))
    with new_campaign(folder / "demo.db", title="Cranfield", actor="benchmark") as campaign:
        add_topics(campaign.by("benchmark"), [str(folder / "topics.tsv")])
        add_documents(campaign.by("benchmark"), [str(source / "trec-xml/cran.all.1400.xml")], keep_all=True)
        add_runs(campaign.by("benchmark"), sorted(map(str, (source / "runs").glob("*"))))
        add_pool(campaign.by("benchmark"), depth=20)


def make_large(folder: Path, _: int) -> None:
    """One topic with documents of 500 kB: paragraphs of made-up words, in which those of the topic are rare."""
    rng = random.Random(SEED)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 10))) for _ in range(4_000)]
    ids = [f"large-{number:03d}" for number in range(LARGE_DOCUMENTS)]
    with (folder / "large.jsonl").open("w") as file:
        for document_id in ids:
            file.write(
                json.dumps({"id": document_id, "title": document_id, "text": long_text(rng, words)}) + "\n"
            )
    (folder / "topics.tsv").write_text("1\tfrozen rivers of the north\n")
    lines = [
        f"1 Q0 {document_id} {rank} {1000 - rank} made\n" for rank, document_id in enumerate(ids, start=1)
    ]
    (folder / "made.run").write_text("".join(lines))
    with new_campaign(folder / "demo.db", title="Large", actor="benchmark") as campaign:
        add_topics(campaign.by("benchmark"), [str(folder / "topics.tsv")])
        add_documents(campaign.by("benchmark"), [str(folder / "large.jsonl")], keep_all=True)
        add_runs(campaign.by("benchmark"), [str(folder / "made.run")])
        add_pool(campaign.by("benchmark"), depth=LARGE_DOCUMENTS)


def make_cards(folder: Path, judgments: int) -> None:
    """One topic with short passages, which are shown as cards."""
    make_passages(folder, judgments)
    with open_campaign(folder / "demo.db") as campaign:
        change_settings(campaign.by("benchmark"), {"cards": "on"})


def make_passages(folder: Path, judgments: int) -> None:
    """One topic with short passages."""
    rng = random.Random(SEED)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 10))) for _ in range(4_000)]
    count = max(PASSAGES, judgments + judgments // 10)
    ids = [f"passage-{number:03d}" for number in range(count)]
    with (folder / "passages.jsonl").open("w") as file:
        for document_id in ids:
            text = " ".join(["frozen river", *rng.choices(words, k=PASSAGE_WORDS)])
            file.write(json.dumps({"id": document_id, "title": document_id, "text": text}) + "\n")
    (folder / "topics.tsv").write_text("1\tfrozen rivers of the north\n")
    lines = [
        f"1 Q0 {document_id} {rank} {1000 - rank} made\n" for rank, document_id in enumerate(ids, start=1)
    ]
    (folder / "made.run").write_text("".join(lines))
    with new_campaign(folder / "demo.db", title="Passages", actor="benchmark") as campaign:
        add_topics(campaign.by("benchmark"), [str(folder / "topics.tsv")])
        add_documents(campaign.by("benchmark"), [str(folder / "passages.jsonl")], keep_all=True)
        add_runs(campaign.by("benchmark"), [str(folder / "made.run")])
        add_pool(campaign.by("benchmark"), depth=count)


def long_text(rng: random.Random, words: list[str]) -> str:
    paragraphs, length = [], 0
    while length < LARGE:
        chosen = rng.choices(words, k=rng.randint(40, 160))
        if rng.random() < 0.2:
            chosen[rng.randrange(len(chosen))] = rng.choice(
                ["frozen", "river", "rivers", "northern", "north"]
            )
        paragraphs.append(" ".join(chosen))
        length += len(paragraphs[-1]) + 2
    return "\n\n".join(paragraphs)


SETS: dict[str, tuple[Callable[[Path, int], None], int]] = {
    "demo": (make_demo, 400),
    "cranfield": (make_cranfield, 400),
    "large": (make_large, 600),
    "cards": (make_cards, 400),
    "passages": (make_passages, 400),
}
"""What makes the campaign, and the milliseconds between two presses."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server over the folder's campaign, which an assessor can sign in to."""
    with open_accounts(folder) as accounts:
        add_account(accounts, ASSESSOR, PASSWORD)
    with open_campaign(folder / "demo.db") as campaign, campaign.write():
        members.put(campaign.by("benchmark"), ASSESSOR, "assessor")
    program = Path(sys.executable).with_name("workbench")
    words = [program, "serve", "--instance", folder, "--port", "0"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        yield next(found[1] for line in process.stdout if (found := re.search(r"(http://\S+)/", line)))
    finally:
        process.terminate()
        process.wait()


def judge(page: Page, address: str, count: int, gap: int) -> dict[str, Any]:
    """Sign in, judge as many documents one after the other, and say what was measured."""
    page.add_init_script(WATCH)
    page.goto(address)
    page.get_by_label("Name").fill(ASSESSOR)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"{address}/c/demo/judge")
    if page.url.endswith("/guidelines"):
        page.get_by_role("button", name="I have read the guidelines").click()
        page.get_by_role("button", name="Leave the tour").click()
    paints: list[float] = []
    saves: list[float] = []
    page.on(
        "response",
        lambda answer: saves.append(server_time(answer.headers)) if "judgments" in answer.url else None,
    )
    while len(paints) < count + WARM_UP:
        page.wait_for_selector("#document[aria-busy=false]")
        if page.locator(".finished").count():
            paints += page.evaluate("measured.splice(0)")
            following = page.locator(".finished a.button")
            if not following.count():
                break
            following.click()
            page.wait_for_selector("iframe.current")
            continue
        page.wait_for_timeout(gap)
        page.keyboard.press(random.choice("01"))
        page.wait_for_timeout(gap / 4)
        paints += page.evaluate("measured.splice(0)")
    page.wait_for_selector("#save-state[data-state=saved]")
    return {"paints": paints[WARM_UP:], "saves": saves[WARM_UP:]}


def server_time(headers: dict[str, str]) -> float:
    return float(headers["server-timing"].partition("dur=")[2])


def told(name: str, values: list[float]) -> str:
    ordered = sorted(values)
    at = {share: ordered[min(len(ordered) - 1, int(share * len(ordered)))] for share in (0.5, 0.95)}
    return (
        f"{name:22} median {statistics.median(ordered):6.1f} ms   95 % {at[0.95]:6.1f} ms   "
        f"slowest {ordered[-1]:6.1f} ms   ({len(ordered)})"
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", nargs="*", help=", ".join(SETS))
    parser.add_argument("--judgments", type=int, default=200)
    arguments = parser.parse_args()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name in arguments.sets or SETS:
            make, gap = SETS[name]
            with tempfile.TemporaryDirectory() as folder:
                make(Path(folder), arguments.judgments)
                with served(Path(folder)) as address:
                    page = browser.new_page(viewport={"width": 1440, "height": 900})
                    found = judge(page, address, arguments.judgments, gap)
                    page.close()
            print(told(f"{name}: key to paint", found["paints"]))
            print(told(f"{name}: server, a save", found["saves"]))
        browser.close()
    print(machine())


if __name__ == "__main__":
    main()
