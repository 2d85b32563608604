"""A page that is open while the server is updated: it says so, loses nothing, and is loaded anew when that is safe."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import Visit
from tests.web.judging.judging_page import ready
from tests.web.judging.outboxes import stored

pytestmark = [pytest.mark.browser, pytest.mark.slow]


AFTER = "0123456789ab"
"""The edition of the updated server."""
# The page's own module: one at another address would be a second one, which says everything once more.
ASK = """() => {
    const [edition] = /^.*[/]static[/][^/]+[/]/.exec(document.querySelector("script[type=module]").src);
    return import(`${edition}session.js`).then(({ sessionState }) => sessionState());
}"""
OPENED = "document.querySelector('meta[name=edition]').content"
# With time between the two, the page may try to send once more, and is then loaded anew by itself.
CLOSE_AND_LOAD = """() => {
    document.querySelector("dialog[open]").close();
    document.querySelector("#newer button").click();
}"""


def judge(page: Page, title: str, key: str = "1") -> None:
    ready(page, title)
    page.keyboard.press(key)


def judging(visit: Visit) -> Page:
    """Ben's judging page after the first judgment, when it has asked all that it asks by itself."""
    page = visit("/c/small/judge?topic=1", intercepted=True)
    judge(page, "Document 1")
    ready(page, "Document 2")
    saved(page)
    return page


def saved(page: Page) -> None:
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")


def test_a_judging_page_of_before_the_update_says_so_and_is_reloaded_with_the_next_judgment(
    app: Flask, visit: Visit, small: Path
) -> None:
    page = judging(visit)
    app.config["EDITION"] = AFTER
    judge(page, "Document 2")
    expect(page.locator("#newer")).to_contain_text("server was updated")
    assert page.evaluate(OPENED) != AFTER
    judge(page, "Document 3", "0")
    expect(page.locator("meta[name=edition]")).to_have_attribute("content", AFTER)
    judge(page, "Document 4")
    ready(page, "Document 5")
    saved(page)
    expect(page.locator("#newer")).to_have_count(0)
    assert stored(small) == [("d1", 1), ("d2", 1), ("d3", 0), ("d4", 1)]


def test_what_a_page_sends_that_is_not_understood_any_more_is_kept_and_sent_by_the_new_page(
    app: Flask, visit: Visit, small: Path
) -> None:
    page = judging(visit)
    app.config.update(EDITION=AFTER, OLDEST_FORM=2, FORM=2)
    judge(page, "Document 2", "0")
    expect(page.locator("meta[name=form]")).to_have_attribute("content", "2")
    ready(page, "Document 3")
    saved(page)
    assert stored(small) == [("d1", 1), ("d2", 0)]


def test_a_page_with_an_open_dialog_waits_and_can_be_reloaded_by_hand(
    app: Flask, visit: Visit, small: Path
) -> None:
    page = judging(visit)
    app.config.update(EDITION=AFTER, OLDEST_FORM=2, FORM=2)
    waiting: list[Route] = []
    page.route("**/api/judgments", lambda route: waiting.append(route))
    judge(page, "Document 2", "0")
    ready(page, "Document 3")
    page.keyboard.press("?")
    expect(page.locator("dialog[open]")).to_be_visible()
    page.unroute("**/api/judgments")
    for route in waiting:
        route.continue_()
    expect(page.locator("#save-state")).to_have_text("Old page, 1 kept here")
    assert stored(small) == [("d1", 1)]
    page.evaluate(CLOSE_AND_LOAD)
    expect(page.locator("meta[name=form]")).to_have_attribute("content", "2")
    ready(page, "Document 3")
    saved(page)
    assert stored(small) == [("d1", 1), ("d2", 0)]


def test_two_versions_that_answer_by_turns_do_not_make_a_page_restless(
    app: Flask, visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    page.route(
        "**/api/judgments",
        lambda route: route.fulfill(
            response=(answer := route.fetch()), headers={**answer.headers, "x-workbench-edition": "other"}
        ),
    )
    loads: list[str] = []
    page.on("load", lambda loaded: loads.append(loaded.url))
    judge(page, "Document 1")
    expect(page.locator("#newer")).to_be_visible()
    with page.expect_event("load"):
        judge(page, "Document 2")
    for number in range(3, 6):
        judge(page, f"Document {number}")
    ready(page, "Document 6")
    saved(page)
    assert len(loads) == 1
    expect(page.locator("#newer")).to_be_visible()


def ask(page: Page) -> None:
    """Have the page ask the server for something, as it does by itself now and then."""
    page.evaluate(ASK)


def test_an_organisers_page_offers_to_be_reloaded(app: Flask, visit: Visit, small: Path) -> None:
    page = visit("/c/small/board", "Anna")
    app.config["EDITION"] = AFTER
    ask(page)
    page.get_by_role("button", name="Reload").click()
    expect(page.locator("meta[name=edition]")).to_have_attribute("content", AFTER)


def test_a_page_that_is_not_touched_is_reloaded_by_itself(app: Flask, visit: Visit, small: Path) -> None:
    page = visit("/c/small/board", "Anna")
    page.clock.install()
    page.mouse.click(5, 5)
    app.config["EDITION"] = AFTER
    ask(page)
    expect(page.locator("#newer")).to_be_visible()
    page.clock.run_for(30_000)
    expect(page.locator("#newer")).to_be_visible()
    page.clock.run_for(60_000)
    expect(page.locator("meta[name=edition]")).to_have_attribute("content", AFTER)
