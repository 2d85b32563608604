"""A server that was restored from an older backup, and the browsers that know what it has lost."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.judging.judging_page import loaded_ahead, press, ready, saved
from tests.web.judging.outboxes import (
    all_sent,
    copy_of,
    cut,
    in_database,
    log,
    restore,
    stored,
    until,
    with_outbox,
)
from workbench.campaign import assessing
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def page(visit: Visit, small: Path) -> Page:
    return with_outbox(visit("/c/small/", intercepted=True))


def test_a_server_restored_from_an_older_backup_gets_back_what_it_lost(
    page: Page, small: Path, tmp_path: Path, app: Flask
) -> None:
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    older = copy_of(small, tmp_path)
    first = log(small)[0].seq
    page.evaluate("(seq) => judge('d1', 0, seq)", first)
    all_sent(page)
    page.evaluate("judge('d2', 1)")
    all_sent(page)
    page.evaluate("(seq) => judge('d1', 1, seq)", log(small)[1].seq)
    all_sent(page)
    restore(app, small, older)
    assert stored(small) == [("d1", 1)]
    all_sent(with_outbox(page))
    assert stored(small) == [("d1", 1), ("d1", 0), ("d2", 1), ("d1", 1)]
    rows = log(small)
    assert [row.replaces for row in rows] == [None, rows[0].seq, None, rows[1].seq]
    assert page.evaluate("stored") == [["d1", 0], ["d2", 1], ["d1", 1]]


def test_a_page_that_was_open_while_its_server_was_restored_notices(
    page: Page, small: Path, tmp_path: Path, app: Flask
) -> None:
    older = copy_of(small, tmp_path)
    for document_id in ("d1", "d2"):
        page.evaluate("(documentId) => judge(documentId, 1)", document_id)
        all_sent(page)
    restore(app, small, older)
    page.evaluate("judge('d3', 0)")
    until(page, "stored.length === 5")
    assert sorted(stored(small)) == [("d1", 1), ("d2", 1), ("d3", 0)]


def test_a_change_of_a_judgment_that_the_server_lost_waits_for_it(
    page: Page, small: Path, tmp_path: Path, app: Flask
) -> None:
    older = copy_of(small, tmp_path)
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    (lost,) = log(small)
    restore(app, small, older)
    page.evaluate("(seq) => judge('d1', 0, seq)", lost.seq)
    all_sent(page)
    rows = log(small)
    assert (rows[0].uuid, rows[0].document_id) == (lost.uuid, "d1")
    assert [(row.grade, row.replaces) for row in rows] == [(1, None), (0, rows[0].seq)]


def judged_by_anna(path: Path) -> None:
    with open_campaign(path) as campaign:
        shown = assessing.show(campaign, "1", "d6", "Anna")
        sent = shown.judged("d6", uuid="11111111-0000-4000-8000-000000000000", grade=1)
        assessing.judge(campaign, sent, assessor="Anna")


def test_what_came_back_at_another_place_of_the_log_can_be_changed_without_a_quarrel(
    visit: Visit, small: Path, tmp_path: Path, app: Flask
) -> None:
    older = copy_of(small, tmp_path)
    judged_by_anna(small)
    page = visit("/c/small/judge?topic=1", intercepted=True)
    ready(page, "Document 1")
    press(page, "1")
    saved(page)
    cut(page)
    press(page, "1")
    expect(page.locator("#save-state")).to_have_text("Offline, 1 kept here")
    ready(page, "Document 3")
    loaded_ahead(page)  # nothing is asked of the server any more when it is stopped
    restore(app, small, older)
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    saved(page)
    press(page, "u", "u")
    ready(page, "Document 1")
    press(page, "0")
    saved(page)
    rows = log(small)
    assert [(row.document_id, row.grade) for row in rows] == [("d1", 1), ("d2", 1), ("d1", 0)]
    assert rows[2].replaces == rows[0].seq


def test_receipts_are_kept_for_fourteen_days(page: Page, small: Path) -> None:
    page.evaluate("judge('d1', 1)")
    all_sent(page)
    (receipt,) = in_database(page, "receipts")
    assert (receipt["seq"], receipt["judgment"]["document_id"]) == (log(small)[0].seq, "d1")
    page.evaluate("const now = Date.now; Date.now = () => now() + 13.9 * 86_400_000; 0")
    page.evaluate("outbox.receipts.use(outbox.database)")
    assert len(in_database(page, "receipts")) == 1
    page.evaluate("const then = Date.now; Date.now = () => then() + 0.2 * 86_400_000; 0")
    page.evaluate("outbox.receipts.use(outbox.database)")
    assert in_database(page, "receipts") == []
