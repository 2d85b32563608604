"""The judging page over plain HTTP on a network name, where browsers withhold what they keep for secure pages."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.fixture_types import MakeApp, SignIn, Visit
from tests.web.judging.judging_page import coloured, inside, log, press, ready, saved, select
from tests.web.judging.outboxes import until
from workbench.core.records import Rationale
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import bookmarks
from workbench.web.requests.allowed_hosts import AllowedHosts

pytestmark = pytest.mark.browser


NAME = "workbench.test"


@pytest.fixture
def app(make_app: MakeApp) -> Flask:
    """The application, which answers to NAME too."""
    return make_app(allowed=AllowedHosts(frozenset({NAME})))


@pytest.fixture
def page(visit: Visit, app: Flask, address: str, client_of: SignIn, small: Path) -> Page:
    """Ben's page of the campaign `small`, signed in at the network name."""
    page = visit("/c/small/", proxy={"server": address})
    cookie = client_of(app, "Ben").get_cookie("workbench_5000")
    assert cookie is not None
    page.context.add_cookies([{"name": cookie.key, "value": cookie.value, "url": f"http://{NAME}"}])
    return page


def test_judging_with_note_rationale_find_and_later_works_over_plain_http_on_a_network_name(
    page: Page, small: Path
) -> None:
    page.goto(f"http://{NAME}/c/small/judge?topic=1")
    assert page.evaluate("[isSecureContext, crypto.randomUUID, crypto.subtle]") == [False, None, None]
    ready(page, "Document 1")
    press(page, "c")
    page.keyboard.type("seen over plain HTTP")
    page.keyboard.press("Escape")
    select(page, "text", "document")
    press(page, "m")
    assert coloured(page, "rationale") == ["text of document"]
    press(page, "/")
    page.keyboard.type("document 1")
    expect(page.locator("#find-count")).to_have_text("1 of 2")  # in the title and in the text
    page.keyboard.press("Escape")
    press(page, "1")
    ready(page, "Document 2")
    press(page, "l")
    ready(page, "Document 3")
    page.locator("#term").fill("text")
    page.keyboard.press("Enter")
    expect(inside(page).locator("mark.own")).to_have_text("text")
    saved(page)
    (row,) = log(small)
    assert (row.document_id, row.grade, row.comment) == ("d1", 1, "seen over plain HTTP")
    assert row.rationales == (Rationale("text", 4, 20, "text of document"),)
    until(page, "!Object.keys(localStorage).some((key) => key.includes(':later:'))")
    with open_campaign(small) as campaign:
        assert bookmarks.of_topic(campaign, "Ben", "1") == {"d2"}


def test_without_a_secure_address_the_page_says_that_the_tab_must_stay_open(page: Page) -> None:
    page.goto(f"http://{NAME}/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.locator("#save-state").click()
    expect(page.locator("#offline-words")).to_contain_text("Keep this tab open while there is no network")
    page.get_by_role("link", name="Offline judging").click()
    expect(page.locator("#offline-state")).to_contain_text("needs an https address")
    expect(page.get_by_role("button", name="Download")).to_have_count(0)
