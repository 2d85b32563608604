"""Somebody who presses grades on the judging page while faults happen by chance, and what they pressed.

Between the presses, by chance, the network is cut, the server is killed, the page is reloaded, a second tab or a second
machine judges, the clock of the computer jumps, or an organiser replaces texts, closes the topic for a while or changes
the guidelines. Every press is noted with the heading that was painted then, which is another one for each text.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as BrowserError

from tests.stories import PATIENCE, Program, Server, own_port, person, sign_in
from workbench.core.records import Document
from workbench.storage.campaign.collection.documents import text_hash

NAME, PASSWORD = "ann", "the river is deep"
FAULTS = ("cut", "kill", "reload", "tab", "machine", "clock", "text", "closed", "guidelines")
APART = 4
"""Faults are so many presses apart, on average."""

GRADES = {"Not relevant": 0, "Relevant": 1}
ROOM = 1.2
"""A campaign has this many times as many documents as are pressed for."""

PAINTED = """() => {
    if (document.querySelector(".finished")) return "";
    if (document.querySelector("#document")?.getAttribute("aria-busy") !== "false") return null;
    const card = document.querySelector(".shown > .card[aria-current]");
    const frame = card ? card.querySelector("iframe") : document.querySelector("iframe.current");
    return frame?.contentDocument.querySelector(".document-head h1")?.textContent ?? null;
}"""
"""The heading of the document that can be judged now; "" when all are judged, null while there is none."""

HAS_WORDS = "(words) => document.querySelector('#guidelines')?.textContent.includes(words)"

IS_IGNORED = "() => document.querySelector('#said')?.dataset.kind === 'ignored'"
"""Whether the page says that it ignored a key, as where another card comes at that moment."""

AHEAD = 16
"""Among the document on the screen and so many that come after it, texts are replaced."""

JUMP = """(seconds) => {
    const Before = Date;
    window.Date = class extends Before {
        constructor(...given) { super(...(given.length ? given : [Before.now() + 1000 * seconds])); }
        static now() { return Before.now() + 1000 * seconds; }
    };
}"""


class Pressing:
    """One run: `pressed` counts headings and grades, without what was given up where the page asked.

    `refused` counts what the page listed as not stored, by the way out that it gave.
    """

    def __init__(self, folder: Path, browser: Browser, seed: int, presses: int, *, cards: bool) -> None:
        self.browser, self.presses, self.chance = browser, presses, random.Random(seed)
        self.program = Program(folder)
        self.pressed: Counter[tuple[str, int]] = Counter()
        self.happened: Counter[str] = Counter()
        self.refused: Counter[str] = Counter()
        self.presses_made = 0
        self.due: list[str] = []
        self.settles = True
        self.last_pressed: dict[tuple[BrowserContext, str], str] = {}
        """The heading under which a browser judged a document last."""
        self.headings: dict[str, str] = {}
        """The heading of each text, by its hash."""
        self.names = [f"n{number:04}" for number in range(int(presses * ROOM) + 20)]
        self.write_texts(self.names)
        _make_campaign(self.program, self.names, cards=cards)

    def run(self) -> None:
        """Press so often and until each fault has happened, and wait until the server has everything."""
        with ExitStack() as held:
            self.port = held.enter_context(own_port())
            self.held = held
            self.server = self.serve()
            page = self.opened(held.enter_context(person(self.browser)))
            while not self.has_done() and self.press(page):
                if self.chance.random() < 1 / APART:
                    self.harm(page)
            self.saved(page)

    def has_done(self) -> bool:
        return self.pressed.total() >= self.presses and len(self.happened) == len(FAULTS)

    def harm(self, page: Page) -> None:
        """The next fault; each happens once before one happens again."""
        self.due = self.due or self.chance.sample(FAULTS, len(FAULTS))
        fault = self.due.pop()
        self.happened[fault] += 1
        getattr(self, f"_{fault}")(page)

    def stored(self) -> Counter[tuple[str, int]]:
        """What the log has, by the text that it names; every row under its own uuid."""
        rows = self.program.judgments("rivers")
        assert len({row["uuid"] for row in rows}) == len(rows)
        return Counter((self.headings[row["text_hash"]], row["grade"]) for row in rows)

    def serve(self) -> Server:
        words = ["serve", "--host", "127.0.0.1", "--port", str(self.port), "--no-open"]
        return self.held.enter_context(self.program.serving(*words))

    def opened(self, context: BrowserContext) -> Page:
        """The judging page of somebody who has just signed in."""
        page = context.new_page()
        sign_in(page, self.server.address, NAME, PASSWORD)
        return self.visited(page)

    def visited(self, page: Page) -> Page:
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(f"{self.server.address}c/rivers/judge?topic=1")
        return page

    # ---- pressing

    def press(self, page: Page, *, healthy: bool = True) -> bool:
        """Press a grade for the document that is painted; False when there is none."""
        self.settle(page)
        heading = self.painted(page, None, healthy=healthy)
        if not heading:
            return False
        grade = self.chance.randrange(len(GRADES))
        self.asked(page, "() => delete document.querySelector('#said').dataset.kind")
        page.keyboard.press(str(grade))
        if self.asked(page, IS_IGNORED):
            return True
        self.pressed[heading, grade] += 1
        self.presses_made += 1
        self.last_pressed[page.context, _document_of(heading)] = heading
        self.painted(page, heading, healthy=healthy)
        return True

    def painted(self, page: Page, before: str | None, *, healthy: bool) -> str | None:
        """The document that can be judged now, another than `before`; with a fault, None when none comes."""
        for _ in range(int((PATIENCE if healthy else 2) / 0.05)):
            found = self.heading(page)
            if found is not None and found != before:
                return str(found)
            page.wait_for_timeout(50)
        assert not healthy, f"no document came after {before}; {page.locator('#said').inner_text()}"
        return None

    def heading(self, page: Page) -> str | None:
        """What `PAINTED` says; None while the page reloads itself, as for a server whose files have changed."""
        found: str | None = self.asked(page, PAINTED)
        return found

    def asked(self, page: Page, script: str, about: str = "") -> Any:
        """What a script says on the page; None while the page reloads itself."""
        try:
            return page.evaluate(script, about)
        except BrowserError as error:
            if "because of a navigation" not in error.message:
                raise
            return None

    def few(self, page: Page, *, healthy: bool = True) -> None:
        for _ in range(self.chance.randint(1, 5)):
            if self.pressed.total() >= self.presses or not self.press(page, healthy=healthy):
                return

    def settle(self, page: Page) -> None:
        """Take a way out, by chance, for each judgment that the page lists as not stored."""
        row = page.locator("#problem-list li").first
        while self.settles and row.count():
            text = row.inner_text()
            document_id, _, rest = text.partition(" — your judgment here: ")
            ways = row.get_by_role("button").all_inner_texts()
            way = self.chance.choice(ways)
            row.get_by_role("button", name=way, exact=True).click()
            mine = rest.partition(".")[0]
            self.refused["conflict" if f"Store {mine}" in ways else " or ".join(ways)] += 1
            if way not in {f"Store {mine}", "Try again"}:
                heading = self.last_pressed[page.context, document_id]
                self.pressed[heading, GRADES[mine]] -= 1

    @contextmanager
    def unsettled(self, page: Page) -> Iterator[None]:
        """Judge on beside what is refused meanwhile; at the end all the rest must have been sent."""
        self.settles = False
        yield
        self.wait_for(page, lambda: "not yet sent" not in page.locator("#unsent-count").inner_text())
        self.settles = True

    def saved(self, page: Page) -> None:
        def is_saved() -> bool:
            self.settle(page)
            return page.locator("#save-state").get_attribute("data-state") == "saved"

        self.wait_for(page, is_saved)

    def wait_for(self, page: Page, holds: Callable[[], bool]) -> None:
        for _ in range(int(PATIENCE / 0.1)):
            if holds():
                return
            page.wait_for_timeout(100)
        message = f"not saved: {page.locator('#save-words').inner_text()}"
        raise AssertionError(message)

    # ---- faults

    def _cut(self, page: Page) -> None:
        page.context.set_offline(True)
        self.few(page, healthy=False)
        page.context.set_offline(False)

    def _kill(self, page: Page) -> None:
        self.server.kill()
        self.few(page, healthy=False)
        self.server = self.serve()

    def _reload(self, page: Page) -> None:
        page.reload()

    def _tab(self, page: Page) -> None:
        with page.context.new_page() as other:
            self.few(self.visited(other))
            self.saved(other)

    def _machine(self, page: Page) -> None:
        with person(self.browser) as context:
            other = self.opened(context)
            self.few(other)
            self.saved(other)

    def _clock(self, page: Page) -> None:
        page.evaluate(JUMP, self.chance.randint(-100_000, 100_000))

    def _text(self, page: Page) -> None:
        """What is on the screen has another text now, and some of what comes; with or without a further fault."""
        heading = self.painted(page, None, healthy=True)
        assert heading
        at = self.names.index(_document_of(heading))
        some = [name for name in self.names[at + 1 :][:AHEAD] if self.chance.random() < 0.5]
        with self.unsettled(page):
            self.write_texts([self.names[at], *some], f"{self.happened['text']}")
            self.program.run("add", "documents", "rivers", "documents.jsonl", "--changed")
            self.chance.choice((self.few, self.few, self._cut, self._kill))(page)

    def _closed(self, page: Page) -> None:
        with self.unsettled(page):
            self.program.run("assign", "close", "rivers", "1")
            self.few(page, healthy=False)
        self.program.run("assign", "reopen", "rivers", "1")

    def _guidelines(self, page: Page) -> None:
        """There are other guidelines; the page takes them over by itself, with one of the next documents."""
        words = f"Guidelines number {self.happened['guidelines']}."
        self.program.run("set", "rivers", "guidelines", words)
        while not self.asked(page, HAS_WORDS, words) and self.press(page):
            pass

    def write_texts(self, names: Sequence[str], edition: str = "") -> None:
        """Write documents to a file, each named by its heading; of another edition with another one."""
        documents = [
            Document(name, f"{name} {edition}".strip(), f"It says {name} {edition} of a river.")
            for name in names
        ]
        self.headings |= {text_hash(document): document.title for document in documents}
        rows = [{"document_id": one.document_id, "title": one.title, "text": one.text} for one in documents]
        _write_lines(self.program, "documents.jsonl", [json.dumps(row) for row in rows])


def _document_of(heading: str) -> str:
    return heading.split()[0]


def _make_campaign(program: Program, names: Sequence[str], *, cards: bool) -> None:
    """One topic with short documents."""
    _write_lines(program, "topics.jsonl", [json.dumps({"topic_id": "1", "title": "deep rivers"})])
    run = [f"1 Q0 {name} {rank} {10_000 - rank} alpha" for rank, name in enumerate(names, start=1)]
    _write_lines(program, "alpha.run", run)
    program.run("new", "rivers")
    for kind, file in (("topics", "topics.jsonl"), ("documents", "documents.jsonl"), ("runs", "alpha.run")):
        program.run("add", kind, "rivers", file)
    program.run("set", "rivers", "cards", "on" if cards else "off")
    program.run("pool", "rivers", "--depth", str(len(names)), "--order", "document id")
    program.run("user", "add", NAME, "--password", PASSWORD)
    program.run("member", "add", "rivers", NAME, "--role", "assessor")


def _write_lines(program: Program, name: str, lines: Sequence[str]) -> None:
    (program.folder / name).write_text("\n".join(lines) + "\n")
