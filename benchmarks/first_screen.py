"""What an assessor sees first of real web pages: at least one marked word, or a site's navigation?

    .venv/bin/python benchmarks/first_screen.py [--width 1366 --height 768] [--verbose]

The documents are the web pages of WORKBENCH_TEST_DATA: the HTML pages of `documents/`, judged for four topics; the two
longest texts of GOV2, for topics whose words they have; the 113 extracted texts of `wows/spot-check`, for its three
topics. Each is opened on the judging page in Chromium, as by an assessor who looks at one after the other.

Counted are the pairs in which the text has marked words at all, and of these the pairs in which one of them can be
seen before anything is pressed. Of HTML pages also the pairs whose first line of text is in navigation, and those
where more than half of the characters in sight do: in the page as it was fetched they are in `nav`, `aside`, `footer`,
an element with a role of that kind, or a block of which at least seven tenths are links.
"""

from __future__ import annotations

import argparse
import gzip
import json
import shutil
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any, NamedTuple

from data import data_folder, machine
from judging import ASSESSOR, PASSWORD, served
from playwright.sync_api import Browser, Page, sync_playwright

from workbench.campaign.ingest import add_documents, add_runs, add_topics
from workbench.campaign.new_campaign import new_campaign
from workbench.campaign.pools.making import add_pool
from workbench.core.records import Document
from workbench.formats.documents.reading import read_documents

PAGES = [
    "lower the voting age",
    "election day national holiday",
    "internet censorship laws",
    "European parliament",
]
LONG_TEXTS = [
    "Mississippi river recreation",
    "barge traffic on the upper Mississippi",
    "water quality permits",
]

FIRST_SCREEN = """() => {
    const view = document.querySelector("iframe.current").contentWindow;
    const main = view.document.querySelector("main");
    const isSeen = (rect) => rect.width && rect.height && rect.bottom > 0 && rect.top < view.innerHeight;
    const marks = [...main.querySelectorAll("mark.hit:not(.continued)")];
    const seen = (node) => node.checkVisibility() && [...node.getClientRects()].some(isSeen);
    const lines = [];
    const walker = view.document.createTreeWalker(main, NodeFilter.SHOW_TEXT);
    const range = view.document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const around = node.parentElement;
        if (!node.data.trim() || around.closest("summary") || !around.checkVisibility()) continue;
        range.selectNodeContents(node);
        if ([...range.getClientRects()].some(isSeen)) lines.push(node.data);
    }
    return { marks: marks.length, seen: marks.filter(seen).length, lines };
}"""

SHOWN = """(id) => {
    const meta = document.querySelector("iframe.current")?.contentDocument?.querySelector("meta[name=shown]");
    return meta && JSON.parse(meta.content).document_id === id;
}"""

NAVIGATION = """() => {
    const roles = ["navigation", "contentinfo", "complementary", "banner"].map((role) => `[role=${role}]`);
    const named = ["nav", "aside", "footer", "[hidden]", ...roles].join(", ");
    const length = (node) => node.textContent.replace(/\\s+/g, " ").trim().length;
    const dense = new Set();
    for (const block of document.querySelectorAll("div, ul, ol, li, p, table, td, dl, section, header, span")) {
        const links = [...block.querySelectorAll("a")];
        if (links.reduce((sum, link) => sum + length(link), 0) >= 0.7 * length(block) && links.length) dense.add(block);
    }
    const isIn = (node) => {
        for (let at = node; at; at = at.parentElement) if (dense.has(at)) return true;
        return node.closest(named) !== null;
    };
    const found = { inside: [], outside: [] };
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = node.data.replace(/\\s+/g, " ").trim();
        if (!text || node.parentElement.closest("script, style, noscript, template")) continue;
        found[isIn(node.parentElement) ? "inside" : "outside"].push(text);
    }
    return found;
}"""


class Seen(NamedTuple):
    """A pair's first screen: marked words in the whole text and in sight, and what share of it is navigation."""

    topic_id: str
    document_id: str
    marks: int
    in_sight: int
    begins_in_navigation: bool | None
    navigation: float | None


def sets() -> dict[str, tuple[list[Document], list[str]]]:
    """The documents of each set and the titles of its topics."""
    folder = data_folder()
    pages = sorted((folder / "documents/webpages-with-scripts").glob("*.html"))
    single = [document for path in pages for document in read_documents(path)]
    collected = [
        document
        for name in ("terrier/cw12.sample", "anserini/sample_docs/trecweb/collection1/segment1.txt")
        for document in read_documents(folder / "documents" / name)
        if document.media_type == "text/html"
    ]
    long = [
        document
        for path in sorted((folder / "documents/gov2-very-long").glob("GX*.txt"))
        for document in read_documents(path)
    ]
    spot = folder / "wows/spot-check"
    with gzip.open(spot / "corpus.jsonl.gz", "rt") as lines:
        records = [json.loads(line) for line in lines]
    texts = [Document(record["doc_id"], "", record["default_text"]) for record in records]
    titles = [json.loads(line)["query"] for line in (spot / "queries.jsonl").read_text().splitlines()]
    return {"pages": (single + collected, PAGES), "gov2": (long, LONG_TEXTS), "spot-check": (texts, titles)}


def make(folder: Path, documents: list[Document], titles: list[str]) -> None:
    """A campaign `demo` in which all documents are pooled for all topics."""
    topics = {str(number): title for number, title in enumerate(titles, start=1)}
    (folder / "topics.tsv").write_text("".join(f"{key}\t{title}\n" for key, title in topics.items()))
    with (folder / "all.jsonl").open("w") as file:
        for one in documents:
            record = {
                "id": one.document_id,
                "title": one.title,
                "text": one.text,
                "media_type": one.media_type,
            }
            file.write(json.dumps({**record, **one.fields}) + "\n")
    lines = [
        f"{topic} Q0 {one.document_id} {rank} {-rank} made\n"
        for topic in topics
        for rank, one in enumerate(documents, start=1)
    ]
    (folder / "made.run").write_text("".join(lines))
    with new_campaign(folder / "demo.db", title="Pages", actor="benchmark") as campaign:
        add_topics(campaign.by("benchmark"), [str(folder / "topics.tsv")])
        add_documents(campaign.by("benchmark"), [str(folder / "all.jsonl")], keep_all=True)
        add_runs(campaign.by("benchmark"), [str(folder / "made.run")])
        add_pool(campaign.by("benchmark"), depth=len(documents), viewing="document id")


def looked_at(page: Page, address: str, documents: list[Document], topics: int) -> list[dict[str, Any]]:
    """Every pair's first screen, in the order of topics and documents' ids."""
    found = []
    for topic in range(1, topics + 1):
        page.goto(f"{address}/c/demo/judge?topic={topic}")
        for number, document_id in enumerate(sorted(one.document_id for one in documents)):
            if number:
                page.keyboard.press("j")
            page.wait_for_function(SHOWN, arg=document_id)
            page.wait_for_selector("#document[aria-busy=false]")
            found.append({"topic": str(topic), "document": document_id, **page.evaluate(FIRST_SCREEN)})
    return found


def navigation_of(browser: Browser, document: Document) -> tuple[set[str], set[str]]:
    """The texts of a page as it was fetched that are in its navigation, and those that stand outside of it."""
    context = browser.new_context(java_script_enabled=False, offline=True)
    page = context.new_page()
    page.route("**/*", lambda route: route.abort())
    page.set_content(document.text, wait_until="commit")
    page.wait_for_timeout(300)
    found = page.evaluate(NAVIGATION)
    context.close()
    return set(found["inside"]), set(found["outside"])


def in_navigation(lines: list[str], inside: set[str], outside: set[str]) -> list[tuple[int, bool]]:
    """For each text in sight its length, and whether it is in navigation and nowhere else."""
    parts = [" ".join(line.split()) for line in lines]
    text_inside, text_outside = "\n".join(inside), "\n".join(outside)
    return [(len(part), part in text_inside and part not in text_outside) for part in parts]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--width", type=int, default=1366)
    parser.add_argument("--height", type=int, default=768)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("sets", nargs="*", help="pages, gov2, spot-check; all by default")
    arguments = parser.parse_args()
    size = {"width": arguments.width, "height": arguments.height}
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        for name, (documents, titles) in sets().items():
            if arguments.sets and name not in arguments.sets:
                continue
            rows = measured(browser, size, documents, titles)
            print(summary(name, rows))
            for row in rows if arguments.verbose else []:
                print("   ", *row)
        browser.close()
    print(f"{arguments.width}x{arguments.height}; {machine()}")


def measured(browser: Browser, size: Any, documents: list[Document], titles: list[str]) -> list[Seen]:
    """All pairs of a set."""
    with tempfile.TemporaryDirectory() as folder:
        make(Path(folder), documents, titles)
        with served(Path(folder)) as address:
            page = browser.new_page(viewport=size)
            page.goto(address)
            page.get_by_label("Name").fill(ASSESSOR)
            page.get_by_label("Password").fill(PASSWORD)
            page.get_by_role("button", name="Sign in").click()
            found = looked_at(page, address, documents, len(titles))
            page.close()
    texts: dict[str, tuple[set[str], set[str]]] = defaultdict(lambda: (set(), set()))
    for one in documents:
        if one.media_type == "text/html":
            texts[one.document_id] = navigation_of(browser, one)
    rows = []
    for pair in found:
        inside, outside = texts[pair["document"]]
        places = in_navigation(pair["lines"], inside, outside)
        begins, share = None, None
        if inside or outside:
            total = sum(length for length, _ in places)
            begins = bool(places) and places[0][1]
            share = round(sum(length for length, is_in in places if is_in) / max(total, 1), 3)
        rows.append(Seen(pair["topic"], pair["document"], pair["marks"], pair["seen"], begins, share))
    return rows


def summary(name: str, rows: list[Seen]) -> str:
    marked = [row for row in rows if row.marks]
    seen = [row for row in marked if row.in_sight]
    words = f"{name:11} {len(marked):4} of {len(rows)} pairs with marked words, one in sight in {len(seen)}"
    pages = [row.navigation for row in rows if row.navigation is not None]
    if not pages:
        return words
    begins = sum(row.begins_in_navigation is True for row in rows)
    mostly = sum(share > 0.5 for share in pages)
    return f"{words}; of {len(pages)} pages {begins} begin with navigation, {mostly} show mostly navigation"


if __name__ == "__main__":
    main()
