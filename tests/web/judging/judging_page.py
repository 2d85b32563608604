"""What tests of the judging page do again and again: wait for a document, press keys, look into frame and log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from playwright.sync_api import FrameLocator, Page, expect

from tests.web.judging.outboxes import until
from workbench.core.records import Judgment
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments

SELECT = """([from, to]) => {
    const inside = document.querySelector("iframe.current").contentDocument;
    const walker = inside.createTreeWalker(inside.body, NodeFilter.SHOW_TEXT);
    const range = inside.createRange();
    let begun = false;
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const start = begun ? 0 : node.data.indexOf(from);
        if (start === -1) continue;
        if (!begun) range.setStart(node, start);
        begun = true;
        const end = node.data.indexOf(to, start);
        if (end === -1) continue;
        range.setEnd(node, end + to.length);
        inside.getSelection().removeAllRanges();
        inside.getSelection().addRange(range);
        return;
    }
    throw new Error(`no text from ${from} to ${to}`);
}"""

COLOURED = """(name) => {
    const { CSS } = document.querySelector("iframe.current").contentWindow;
    return [...(CSS.highlights.get(name) ?? [])].map(String);
}"""

PRESS = """(presses) => {
    const inside = document.querySelector("iframe.current").contentDocument;
    for (const press of presses) {
        const event = new KeyboardEvent("keydown", { bubbles: true, cancelable: true, ...press });
        inside.body.dispatchEvent(event);
    }
}"""

HEAR = """() => {
    window.heard = [];
    const said = (region) => {
        const copy = region.cloneNode(true);
        for (const silent of copy.querySelectorAll("[aria-hidden=true]")) silent.remove();
        return copy.textContent.replace(/\\s+/g, " ").trim();
    };
    for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
        new MutationObserver(() => said(region) && heard.push(said(region))).observe(region, {
            childList: true, characterData: true, subtree: true, attributes: region.role === "alert",
        });
    }
}"""
"""From now on `heard` has what a screen reader says of itself."""

SEEN_LINES = """(place) => {
    const { x, width } = document.querySelector(place).getBoundingClientRect();
    const isSeen = (y) => document.elementFromPoint(x + width / 2, y)?.closest(place);
    return Array.from({ length: innerHeight }, (_, y) => y).filter(isSeen).length / innerHeight;
}"""
"""The share of the window's height in which the documents are seen, and nothing over them."""


MOVING = """() => [...document.querySelectorAll("*")].filter((one) => {
    const { transitionDuration, animationName, scrollBehavior } = getComputedStyle(one);
    return parseFloat(transitionDuration) > 0 || animationName !== "none" || scrollBehavior === "smooth";
}).map((one) => one.outerHTML.slice(0, 80))"""
"""What of the page moves by itself, or would."""


def inside(page: Page) -> FrameLocator:
    """The document on the screen."""
    return page.frame_locator("iframe.current")


def can_judge(page: Page) -> None:
    """Wait until what is on the screen has been there for long enough to be judged."""
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")


def ready(page: Page, title: str) -> None:
    """Wait until this document can be judged."""
    # The heading also holds what only the title of a near duplicate has.
    expect(page.locator("#stage")).to_have_attribute("aria-label", title)
    can_judge(page)


def loaded_ahead(page: Page) -> None:
    """Wait until the documents around the one on the screen are there."""
    until(page, "document.querySelectorAll('iframe').length > 1")
    until(page, "[...document.querySelectorAll('iframe')].every((frame) => frame.title !== 'Document')")


def at_rest(page: Page) -> None:
    """Wait until a page that was just opened has nothing more to load, to send or to write around the document."""
    can_judge(page)
    loaded_ahead(page)
    saved(page)


def press(page: Page, *keys: str) -> None:
    """Press keys, each once what is on the screen can be judged."""
    for key in keys:
        can_judge(page)
        page.keyboard.press(key)


def press_at_once(page: Page, *presses: dict[str, Any]) -> None:
    """Presses in the frame without any time between them."""
    page.evaluate(PRESS, list(presses))


def select(page: Page, first: str, last: str) -> None:
    """Select in the document from the first such words to the next such words after them, as a mouse would."""
    page.evaluate(SELECT, [first, last])


def coloured(page: Page, name: str) -> list[str]:
    """The places of the document that are coloured under this name."""
    found = page.evaluate(COLOURED, name)
    assert isinstance(found, list)
    return found


def saved(page: Page) -> None:
    """Wait until the server has every judgment; what is said of it comes with the next document."""
    can_judge(page)
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")


def log(path: Path) -> list[Judgment]:
    """The judgments of a campaign in the order they were stored."""
    with open_campaign(path) as campaign:
        return list(judgments.log(campaign))


def short(path: Path) -> list[tuple[str, str, int | None]]:
    """The judgments of a campaign: document, kind, grade."""
    return [(row.document_id, row.kind, row.grade) for row in log(path)]
