"""What the outbox in the browser keeps, sends, shares between tabs and leaves to its owner."""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page

from tests.fixture_types import SignIn, Visit
from tests.web.judging.outboxes import (
    HARNESS,
    all_sent,
    become,
    cut,
    in_database,
    join,
    log,
    stored,
    until,
    with_outbox,
)

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def opened(page: Page, account: str = "Ben") -> Page:
    """Load the outbox anew, with the browser's database, which may come late."""
    with_outbox(page, account)
    until(page, "outbox.receipts.database")
    return page


@pytest.fixture
def page(visit: Visit, small: Path) -> Page:
    return opened(visit("/c/small/", intercepted=True))


def test_what_is_added_stands_in_the_database_before_it_counts_as_safe(page: Page) -> None:
    cut(page)
    uuid = page.evaluate("judge('d1', 1)")
    (entry,) = in_database(page)
    assert (entry["uuid"], entry["campaign"], entry["account"]) == (uuid, "small", "Ben")
    assert page.evaluate("outbox.state.durable") is True


def test_what_waits_is_sent_in_order_by_the_page_that_is_opened_next(page: Page, small: Path) -> None:
    cut(page)
    page.evaluate(
        """async () => {
            const first = await judge("d2", 1);
            await judge("d1", 0);
            await judge("d2", 0, null, first);
        }"""
    )
    until(page, "outbox.entries().length === 3")
    page.unroute_all()
    all_sent(opened(page))
    assert stored(small) == [("d2", 1), ("d1", 0), ("d2", 0)]
    assert [row.replaces for row in log(small)][:2] == [None, None]
    assert log(small)[2].replaces == log(small)[0].seq
    assert in_database(page) == []


def test_a_document_that_is_judged_back_and_forth_is_stored_whole_a_little_later(
    page: Page, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("workbench.campaign.assessing.storing.MOST_ROWS", 5)
    monkeypatch.setattr("workbench.campaign.assessing.storing.WINDOW", timedelta(seconds=5))
    cut(page)
    page.evaluate(
        """async () => {
            let last = null;
            for (let grade = 0; grade < 8; grade++) last = await judge("d1", grade % 2, null, last);
            await judge("d2", 1);
        }"""
    )
    page.unroute_all()
    page.evaluate("outbox.attempts.hurry()")
    until(page, "outbox.entries().length === 4")
    assert page.evaluate("[outbox.state.state, outbox.state.refused.length]") == ["saving", 0]
    all_sent(page)
    assert stored(small) == [("d1", grade % 2) for grade in range(8)] + [("d2", 1)]


def test_without_a_database_a_judgment_is_safe_only_when_the_server_has_it(visit: Visit, small: Path) -> None:
    page = visit("/c/small/", intercepted=True)
    page.add_init_script(
        "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('none here'); } })"
    )
    with_outbox(page)
    cut(page)
    page.evaluate("window.isSafe = false; judge('d1', 1).then(() => (window.isSafe = true)); 0")
    until(page, "outbox.state.state === 'offline'")
    assert page.evaluate("[isSafe, outbox.state.durable, outbox.state.waiting]") == [False, False, 1]
    join(page)
    until(page, "isSafe")
    assert stored(small) == [("d1", 1)]


def test_a_database_that_is_full_keeps_nobody_from_saving(page: Page, small: Path) -> None:
    page.evaluate(
        """IDBObjectStore.prototype.put = function () {
            throw new DOMException("full", "QuotaExceededError");
        }; 0"""
    )
    page.evaluate("judge('d1', 1)")
    assert stored(small) == [("d1", 1)]
    all_sent(page)


def test_two_tabs_share_what_waits_and_hear_what_was_stored(page: Page, small: Path) -> None:
    page.context.route(re.compile("/api/(judgments|receipts)"), lambda route: route.abort())
    other = page.context.new_page()
    other.goto(page.url)
    other.evaluate(HARNESS, "Ben")
    page.evaluate("judge('d1', 1)")
    until(other, "waiting().length === 1")
    page.context.unroute_all()
    other.evaluate("outbox.attempts.hurry()")
    page.evaluate("outbox.attempts.hurry()")
    all_sent(other)
    all_sent(page)
    for tab in (page, other):
        until(tab, "stored.length === 1")
    assert stored(small) == [("d1", 1)]


def test_a_page_of_the_first_person_sends_nothing_while_the_second_is_signed_in(
    page: Page, small: Path, app: Flask, client_of: SignIn
) -> None:
    become(page, app, client_of, "Carla")
    page.evaluate("outbox.add({ uuid: crypto.randomUUID(), topic_id: '1', document_id: 'd1' }, null)")
    until(page, "outbox.state.state === 'signed out'")
    assert log(small) == []
    assert page.evaluate("outbox.entries().length") == 1
