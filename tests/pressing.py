"""Somebody who presses grades on the judging page while faults happen by chance, and what they pressed.

Between the presses, by chance, the network is cut, the server is killed, the page is reloaded, a second tab or a second
machine judges, or the clock of the computer jumps. Every press is noted with the document that was painted then.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from contextlib import ExitStack
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page
from playwright.sync_api import Error as BrowserError

from tests.stories import PATIENCE, Program, Server, own_port, person, sign_in

NAME, PASSWORD = "ann", "the river is deep"
FAULTS = ("cut", "kill", "reload", "tab", "machine", "clock")
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

JUMP = """(seconds) => {
    const Before = Date;
    window.Date = class extends Before {
        constructor(...given) { super(...(given.length ? given : [Before.now() + 1000 * seconds])); }
        static now() { return Before.now() + 1000 * seconds; }
    };
}"""


class Pressing:
    """One run: `pressed` counts documents and grades, without what was given up where the page asked."""

    def __init__(self, folder: Path, browser: Browser, seed: int, presses: int, *, cards: bool) -> None:
        self.browser, self.presses, self.chance = browser, presses, random.Random(seed)
        self.program = Program(folder)
        self.pressed: Counter[tuple[str, int]] = Counter()
        self.happened: Counter[str] = Counter()
        self.due: list[str] = []
        _make_campaign(self.program, int(presses * ROOM) + 20, cards=cards)

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
        """What the log has; every row under its own uuid."""
        rows = self.program.judgments("rivers")
        assert len({row["uuid"] for row in rows}) == len(rows)
        return Counter((row["document_id"], row["grade"]) for row in rows)

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
        document_id = self.painted(page, None, healthy=healthy)
        if not document_id:
            return False
        grade = self.chance.randrange(len(GRADES))
        page.keyboard.press(str(grade))
        self.pressed[document_id, grade] += 1
        self.painted(page, document_id, healthy=healthy)
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
        try:
            found: str | None = page.evaluate(PAINTED)
        except BrowserError as error:
            if "because of a navigation" not in error.message:
                raise
            return None
        return found

    def few(self, page: Page, *, healthy: bool = True) -> None:
        for _ in range(self.chance.randint(1, 5)):
            if self.pressed.total() >= self.presses or not self.press(page, healthy=healthy):
                return

    def settle(self, page: Page) -> None:
        """Where another machine judged the same, decide by chance."""
        row = page.locator("#problem-list li").first
        while row.count():
            text = row.inner_text()
            document_id, _, rest = text.partition(" — your judgment here: ")
            mine = rest.partition(".")[0]
            assert "judged this document elsewhere" in rest, text
            is_mine = self.chance.random() < 0.5
            row.get_by_role("button").nth(0 if is_mine else 1).click()
            if not is_mine:
                self.pressed[document_id, GRADES[mine]] -= 1

    def saved(self, page: Page) -> None:
        for _ in range(int(PATIENCE / 0.1)):
            self.settle(page)
            if page.locator("#save-state").get_attribute("data-state") == "saved":
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


def _make_campaign(program: Program, count: int, *, cards: bool) -> None:
    """One topic with short documents, each named by its heading."""
    names = [f"n{number:04}" for number in range(count)]
    files = {
        "topics.jsonl": [json.dumps({"topic_id": "1", "title": "deep rivers"})],
        "documents.jsonl": [
            json.dumps({"document_id": name, "title": name, "text": f"It says {name} of a river."})
            for name in names
        ],
        "alpha.run": [
            f"1 Q0 {name} {rank} {10_000 - rank} alpha" for rank, name in enumerate(names, start=1)
        ],
    }
    for name, lines in files.items():
        (program.folder / name).write_text("\n".join(lines) + "\n")
    program.run("new", "rivers")
    for kind, file in (("topics", "topics.jsonl"), ("documents", "documents.jsonl"), ("runs", "alpha.run")):
        program.run("add", kind, "rivers", file)
    program.run("set", "rivers", "cards", "on" if cards else "off")
    program.run("pool", "rivers", "--depth", str(count), "--order", "document id")
    program.run("user", "add", NAME, "--password", PASSWORD)
    program.run("member", "add", "rivers", NAME, "--role", "assessor")
