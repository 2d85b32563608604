"""A campaign is deleted and made again under its name, with the same content, while judgments wait in a browser."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.judging.judging_page import press, ready
from tests.web.judging.outboxes import all_sent, cut, log, restore, stored, until, with_outbox
from tests.web.judging.test_offline_in_the_browser import downloaded

pytestmark = [pytest.mark.browser, pytest.mark.slow]

WORDS = "This was judged in another campaign that had the same name."


@pytest.fixture
def asked() -> list[str]:
    """The requests of the page about receipts."""
    return []


@pytest.fixture
def waiting(visit: Visit, small: Path, asked: list[str]) -> Page:
    """Ben's page of topic 1, on which d1 and d2 were judged without a network; nothing was ever acknowledged."""
    page = visit("/c/small/judge?topic=1", intercepted=True)
    page.on("request", lambda request: asked.append(request.url) if "receipts" in request.url else None)
    ready(page, "Document 1")
    cut(page)
    press(page, "1", "0")
    expect(page.locator("#save-state")).to_have_text("Offline, 2 kept here")
    return page


def refused(page: Page, number: int) -> None:
    expect(page.locator("#problem-list li")).to_have_count(number, timeout=20_000)
    expect(page.locator("#problem-list li").first).to_contain_text(WORDS)
    expect(page.locator("#save-state")).to_have_text("Problem, see below")


def test_a_new_page_keeps_them_aside_and_the_documents_are_open_in_the_new_campaign(
    waiting: Page, small: Path, small_again: Path, app: Flask, asked: list[str]
) -> None:
    restore(app, small, small_again)
    waiting.unroute_all()
    waiting.on("dialog", lambda dialog: dialog.accept())
    waiting.goto(waiting.url.partition("&document")[0])
    refused(waiting, 2)
    ready(waiting, "Document 1")
    assert (log(small), asked) == ([], [])
    with waiting.expect_download() as download:
        waiting.locator("#problem-way").get_by_role("button", name="Export unsent").click()
    entries = json.loads(Path(download.value.path()).read_text(encoding="utf-8"))["entries"]
    assert [(each["judgment"]["document_id"], each["judgment"]["grade"]) for each in entries] == [
        ("d1", 1),
        ("d2", 0),
    ]
    press(waiting, "0")
    ready(waiting, "Document 2")
    until(waiting, "document.querySelectorAll('#problem-list li').length === 2")
    first, second = waiting.locator("#problem-list li").all()
    second.get_by_role("button", name="Store in").click()
    refused(waiting, 1)
    first.get_by_role("button", name="Discard").click()
    expect(waiting.locator("#save-state")).to_have_text("Saved")
    assert stored(small) == [("d1", 0), ("d2", 0)]


def test_a_page_that_is_still_open_stores_nothing_and_leads_to_the_new_campaign(
    waiting: Page, small: Path, small_again: Path, app: Flask, asked: list[str]
) -> None:
    restore(app, small, small_again)
    waiting.unroute_all()
    waiting.evaluate("dispatchEvent(new Event('online'))")
    refused(waiting, 2)
    press(waiting, "1")
    refused(waiting, 3)
    assert (log(small), asked) == ([], [])
    with waiting.expect_navigation():
        waiting.get_by_role("button", name="Reload").first.click()
    expect(waiting.get_by_role("button", name="Store all 3 in this campaign")).to_be_visible()
    expect(waiting.locator("#progress")).to_contain_text("0 of 6")
    waiting.get_by_role("button", name="Discard all 3").click()
    expect(waiting.locator("#save-state")).to_have_text("Saved")
    assert log(small) == []


def test_what_was_judged_in_a_downloaded_copy_is_kept_aside(
    visit: Visit, small: Path, small_again: Path, app: Flask
) -> None:
    page = downloaded(visit, "small")
    page.context.set_offline(True)
    page.get_by_role("link", name="Judge offline (8)").click()
    ready(page, "Document 1")
    press(page, "1")
    ready(page, "Document 2")
    restore(app, small, small_again)
    page.context.set_offline(False)
    refused(page, 1)
    assert log(small) == []


def test_receipts_of_the_earlier_campaign_send_nothing_into_the_new_one(
    visit: Visit, small: Path, small_again: Path, app: Flask
) -> None:
    page = with_outbox(visit("/c/small/", intercepted=True))
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    cut(page)
    page.evaluate("judge('d2', 1)")
    until(page, "outbox.state.state === 'offline'")
    restore(app, small, small_again)
    page.unroute_all()
    with_outbox(page)
    until(page, "outbox.state.state === 'problem'")
    assert page.evaluate("outbox.entries().map(({ uuid, refused }) => refused.reason)") == [
        "another campaign"
    ]
    assert log(small) == []
