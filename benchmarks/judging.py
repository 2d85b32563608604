"""The judging screen in a real Chromium: from the press of a key to the next document on the screen.

    .venv/bin/python benchmarks/judging.py [demo] [cranfield] [large] [cards] [passages] [--judgments N]
    .venv/bin/python benchmarks/judging.py --answers [--judgments N]

Without a name all: the demo, the Cranfield collection of WORKBENCH_TEST_DATA, made-up documents of 500 kB, and
made-up passages of 60 words as cards, where the next document is the next card, and on the page of one document.
`workbench serve` is a process of its own on the same machine, with the file on a real disk. Every press comes at
least 0.4 s (large: 0.6 s) after the one before, as from somebody who judges without reading. Measured is from the
`timeStamp` of the key's event to a task after the first animation frame that has the next document uncovered; the
first judgments are left out as warm-up. The server's time for a save is what it says itself (Server-Timing).

With --answers documents, nuggets with answers and sentences with cited documents are judged in turns, ten at a time, in
one campaign of 80 runs that answer 120 topics of 20 nuggets: how many times as long answers take as documents do.
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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from data import data_folder, machine
from playwright.sync_api import Page, sync_playwright

from workbench.campaign.changing_settings import change_settings
from workbench.campaign.ingest import RunOptions, add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.nuggets import add_nuggets
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
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

RUNS, TOPICS, NUGGETS, SENTENCES, CITED = 80, 120, 20, 8, 30
"""The campaign of answers: its runs, topics, nuggets of a topic, sentences of an answer, documents that they cite."""

IN_A_TURN = 10
KINDS = {"documents": "", "nuggets": "!nuggets", "support": "!support"}
"""What is judged in turns, and how its topics end."""

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


def make_answers(folder: Path) -> None:
    """Runs whose answers cite documents that are pooled too, nuggets, and the questions about both."""
    rng = random.Random(SEED)
    words = ["".join(rng.choices("etaoinshrdlu", k=rng.randint(2, 10))) for _ in range(4_000)]
    topic_ids = [str(number) for number in range(1, TOPICS + 1)]
    ids = {each: [f"shard_{each}_{number}" for number in range(CITED)] for each in topic_ids}

    def said(length: int) -> str:
        return " ".join(rng.choices(words, k=length))

    def write(file: str, rows: Iterable[object]) -> str:
        (folder / file).write_text("".join(json.dumps(row) + "\n" for row in rows))
        return str(folder / file)

    def answer(run: int, topic_id: str) -> dict[str, object]:
        sentences = [{"text": said(15), "citations": rng.sample(range(CITED), 2)} for _ in range(SENTENCES)]
        named = {"team_id": f"team{run // 4}", "run_id": f"run{run}", "narrative_id": topic_id}
        named |= {"narrative": "made", "run_desc": "made"}
        return {"metadata": named, "references": ids[topic_id], "answer": sentences}

    texts = [
        {"id": each, "title": each, "text": said(PASSAGE_WORDS)}
        for topic_id in topic_ids
        for each in ids[topic_id]
    ]
    banks = [
        {"qid": each, "query": each, "nuggets": [{"text": said(8)} for _ in range(NUGGETS)]}
        for each in topic_ids
    ]
    with new_campaign(folder / "demo.db", title="Answers", actor="benchmark") as opened:
        campaign = opened.by("benchmark")
        add_topics(
            campaign, [write("topics.jsonl", [{"topic_id": each, "title": said(4)} for each in topic_ids])]
        )
        add_documents(campaign, [write("texts.jsonl", texts)], keep_all=True)
        files = [write(f"run{run}.jsonl", [answer(run, each) for each in topic_ids]) for run in range(RUNS)]
        add_runs(campaign, files, options=RunOptions(form="rag26"))
        add_nuggets(campaign, [write("nuggets.jsonl", banks)])
        add_pool(campaign, depth=CITED)
        for question in USUAL.values():
            declare(campaign, question)
            add_pool(campaign.asking(question.name), depth=NUGGETS)


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


def signed_in(page: Page, address: str) -> list[float]:
    """Sign in and open the judging page; the server's times for saves, which grow from then on."""
    page.add_init_script(WATCH)
    page.goto(address)
    page.get_by_label("Name").fill(ASSESSOR)
    page.get_by_role("textbox", name="Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.goto(f"{address}/c/demo/judge")
    if page.url.endswith("/guidelines"):
        page.get_by_role("button", name="I have read the guidelines").click()
        page.get_by_role("button", name="Leave the tour").click()
    saves: list[float] = []
    page.on(
        "response",
        lambda answer: saves.append(server_time(answer.headers)) if "judgments" in answer.url else None,
    )
    return saves


def press(page: Page, gap: int) -> list[float]:
    """Judge the document on the screen once the gap is over; the times to the next one that are known by then."""
    page.wait_for_timeout(gap)
    page.keyboard.press(random.choice("01"))
    page.wait_for_timeout(gap / 4)
    found: list[float] = page.evaluate("measured.splice(0)")
    return found


def in_turns(page: Page, address: str, count: int, gap: int) -> dict[str, list[list[float]]]:
    """Judge documents, nuggets and citations in turns, each topic once; by kind the times of each turn.

    The first judgment after a page was opened is left out.
    """
    saves = signed_in(page, address)
    found: dict[str, list[list[float]]] = {
        f"{kind}: {what}": [] for kind in KINDS for what in ("key", "save")
    }
    for turn in range(1, min(TOPICS, count // IN_A_TURN + 1) + 1):
        for kind, ending in KINDS.items():
            page.goto(f"{address}/c/demo/judge?topic={turn}{ending}")
            paints = []
            saves.clear()
            for _ in range(IN_A_TURN + 1):
                page.wait_for_selector("#document[aria-busy=false]")
                paints += press(page, gap)
            page.wait_for_selector("#save-state[data-state=saved]")
            if turn > 1:  # one turn is for warming up
                found[f"{kind}: key"].append(paints[1:])
                found[f"{kind}: save"].append(saves[1:])
    return found


def show_turns(found: dict[str, list[list[float]]]) -> None:
    """Each kind's times, and how many times as long as documents took in the same turn, the median of all turns."""
    for name, turns in found.items():
        print(told(name, [each for turn in turns for each in turn]))
    for what in ("key", "save"):
        of_documents = [statistics.median(turn) for turn in found[f"documents: {what}"]]
        for kind in ("nuggets", "support"):
            medians = [statistics.median(turn) for turn in found[f"{kind}: {what}"]]
            ratios = [own / other for own, other in zip(medians, of_documents, strict=True)]
            print(
                f"{kind}: {what}, by that of documents: {statistics.median(ratios):.2f} ({len(ratios)} turns)"
            )


def judge(page: Page, address: str, count: int, gap: int) -> dict[str, Any]:
    """Sign in, judge as many documents one after the other, and say what was measured."""
    saves = signed_in(page, address)
    paints: list[float] = []
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
        paints += press(page, gap)
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
    parser.add_argument("--answers", action="store_true", help="answers and documents in turns")
    arguments = parser.parse_args()
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        if arguments.answers:
            with tempfile.TemporaryDirectory() as folder:
                make_answers(Path(folder))
                with served(Path(folder)) as address:
                    page = browser.new_page(viewport={"width": 1440, "height": 900})
                    show_turns(in_turns(page, address, arguments.judgments, SETS["passages"][1]))
        for name in arguments.sets or ([] if arguments.answers else SETS):
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
