"""A page learns that the server was updated, by itself, without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<head><meta name=edition content=e1><meta name=form content=f1></head><div class=alerts><p>Alert</p></div>
<main>Text</main><input id=field>"""

VERSION = """async () => {
    const version = await import("/static/page_version.js");
    const headers = (edition) => new Headers(edition === null ? {} : { "X-Workbench-Edition": edition });
    window.answered = (edition) => version.heard(headers(edition));
    window.version = version;
    window.leaves = 0;
    window.may = true;
    window.watch = (when) => version.watchOver(() => may, () => leaves++, when);
    window.line = () => [...document.querySelectorAll("#newer")].map((one) => one.textContent.trim()).join();
    window.hide = (hidden) => {
        Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    };
}"""
TOLD = "The server was updated while this page was open. "


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of(PAGE, VERSION)


def test_a_page_says_once_that_another_edition_answers(page: Page) -> None:
    page.evaluate("watch('It reloads soon.')")
    assert page.evaluate("version.FORM") == {"X-Workbench-Form": "f1", "X-Workbench-Edition": "e1"}
    assert page.evaluate("(answered(null), answered('e1'), version.renew(), [line(), leaves])") == ["", 0]
    assert page.evaluate("(answered('e2'), line())") == f"{TOLD}It reloads soon. Reload"
    assert page.evaluate("(answered('e2'), answered('e3'), line())") == f"{TOLD}It reloads soon. Reload"
    assert page.evaluate("document.querySelector('.alerts').firstChild.id") == "newer"
    page.locator("#newer button").click()
    assert page.evaluate("leaves") == 1


def test_a_page_without_an_edition_says_nothing(page_of: PageOf) -> None:
    page = page_of("<main>Text</main>")
    page.evaluate(VERSION)
    assert page.evaluate("(answered('e2'), [version.FORM, line()])") == [{}, ""]


def test_a_page_is_left_when_nothing_is_lost_and_once_for_each_edition(page: Page) -> None:
    page.evaluate("watch(), void (may = false), answered('e2')")
    assert page.evaluate("(version.renew(), leaves)") == 0
    assert page.evaluate("(may = true, version.renew(), leaves)") == 1
    assert page.evaluate("(version.renew(), leaves)") == 1
    assert page.evaluate("(answered('e3'), version.renew(), leaves)") == 2
    assert page.evaluate("(answered('e4'), hide(true), leaves)") == 3
    assert page.evaluate("(hide(false), leaves)") == 3
    page.evaluate("void (Storage.prototype.getItem = () => { throw new Error('none'); })")
    assert page.evaluate("(answered('e5'), version.renew(), leaves)") == 3


def test_a_page_that_is_hidden_when_it_hears_of_it_goes_at_once(page: Page) -> None:
    page.evaluate("watch(), hide(true), answered('e2')")
    assert page.evaluate("leaves") == 1


def test_a_page_that_is_only_read_goes_when_it_was_not_touched_for_a_minute(page: Page) -> None:
    page.evaluate("answered('e2')")
    page.clock.run_for(45_000)
    for event in ("keydown", "pointerdown", "wheel"):
        page.evaluate(
            f"document.querySelector('main').dispatchEvent(new Event('{event}', {{ bubbles: true }}))"
        )
        page.clock.run_for(45_000)
    assert page.evaluate("line()") == f"{TOLD} Reload"
    with page.expect_navigation():
        page.clock.run_for(30_000)


def test_a_page_into_which_something_was_typed_stays(page: Page) -> None:
    page.locator("#field").fill("x")
    page.evaluate("answered('e2'), hide(true)")
    page.clock.run_for(600_000)
    assert page.evaluate("line()") == f"{TOLD} Reload"
    with page.expect_navigation():
        page.locator("#newer button").click()
