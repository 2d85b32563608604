"""Assessors' pages in German, whose words are long, and in Arabic, from right to left: on a phone and at a desk nothing
is wider than the window, no buttons lie over each other, and axe-core finds nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Browser, BrowserContext, Route, expect

from tests.fixture_types import SignIn
from tests.web.axe import complaints
from workbench.web.requests.catalogues import script

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CODES = ("de", "ar")
OVERLAPS = """() => {
    const boxes = [...document.querySelectorAll(".actions button, .masthead a, .masthead button, .strip > *")]
        .filter((each) => each.checkVisibility())
        .map((each) => [each.innerText, each.getBoundingClientRect()]);
    return boxes.flatMap(([one, a], at) => boxes.slice(at + 1)
        .filter(([, b]) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
            && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 1)
        .map(([other]) => `${one} over ${other}`));
}"""
CUT = """() => [...document.querySelectorAll(".actions button")]
    .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
    .map((each) => each.innerText)"""


@pytest.fixture(params=CODES)
def reader(
    request: pytest.FixtureRequest, small: Path, app: Flask, client_of: SignIn, browser: Browser, address: str
) -> Iterator[BrowserContext]:
    client = client_of(app, "Ben")
    cookie = client.get_cookie(app.config["SESSION_COOKIE_NAME"])
    assert cookie is not None
    context = browser.new_context(locale=request.param, base_url=address)
    context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": address}])
    yield context
    context.close()


@pytest.mark.parametrize(
    "path", ["judge?topic=1", "own-topics", "history", "guidelines", "offline", "nuggets"]
)
def test_a_page_in_another_language_fits_its_window_and_breaks_no_rule(
    reader: BrowserContext, path: str
) -> None:
    page = reader.new_page()
    page.goto(f"/c/small/{path}")
    if "judge" in path:
        expect(page.locator("#document")).to_have_attribute("aria-busy", "false")
    assert complaints(page, path) == []
    for width in (390, 1366):
        page.set_viewport_size({"width": width, "height": 800})
        assert (width, page.evaluate(OVERLAPS), page.evaluate(CUT)) == (width, [], [])


def test_what_scripts_say_on_the_judging_page_is_in_its_catalogue(reader: BrowserContext) -> None:
    def marked(code: str) -> str:
        said = json.loads(script(code).removeprefix("globalThis.workbenchMessages = ").rstrip(";\n"))
        said["messages"] = {
            key: f"⟦{key}⟧" if isinstance(text, str) else dict.fromkeys(text, f"⟦{key}⟧")
            for key, text in said["messages"].items()
        }
        return f"globalThis.workbenchMessages = {json.dumps(said)};"

    def answer(body: str, route: Route) -> None:
        route.fulfill(body=body, content_type="text/javascript")

    page = reader.new_page()
    for code in CODES:
        page.route(f"**/messages.{code}.js", partial(answer, marked(code)))
    page.goto("/c/small/judge?topic=1")
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")
    for place in ("#progress", "#save-words", "#ready"):
        expect(page.locator(place)).to_contain_text("⟦")
    page.keyboard.press("k")
    expect(page.locator("#said")).to_contain_text("⟦")
