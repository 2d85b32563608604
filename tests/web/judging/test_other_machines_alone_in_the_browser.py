"""Rows of the log that another machine made are kept apart from those this browser sent, without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

MACHINES = """async () => {
    const { OtherMachines } = await import("/static/judging/other_machines.js");
    window.outbox = { next: undefined, told: new Map([["u1", 12]]), receipts: { newest: async () => [{ seq: 13 }] } };
    window.refreshed = 0;
    window.focused = 0;
    window.machines = new OtherMachines(10, () => outbox, async () => void (refreshed += 1), () => (focused += 1));
    window.isSaid = () => !document.getElementById("other-machine").hidden;
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of("<p id=other-machine hidden><button id=other-machine-close>", MACHINES)


def found(page: Page, *rows: int) -> list[object]:
    """Whether the notice is there half a second after these rows were found, and how often the queue was asked for."""
    page.evaluate("(rows) => rows.forEach((seq) => machines.found(seq))", list(rows))
    page.clock.run_for(500)
    return list(page.evaluate("Promise.resolve().then(() => {}).then(() => [isSaid(), refreshed])"))


def test_a_row_that_neither_the_page_nor_this_browser_knows_is_from_another_machine(page: Page) -> None:
    assert found(page, 0, 9, 10) == [False, 0]
    assert found(page, 12, 13) == [False, 0]
    assert found(page, 12, 14, 13) == [True, 1]


def test_the_notice_stays_and_the_queue_is_asked_for_once_more_for_each_further_row(page: Page) -> None:
    assert found(page, 15) == [True, 1]
    assert found(page, 14, 15) == [True, 1]
    assert found(page, 16, 18) == [True, 2]
    assert found(page, 17) == [True, 2]


def test_a_notice_that_was_closed_comes_again_for_a_newer_row_alone(page: Page) -> None:
    assert found(page, 15) == [True, 1]
    page.get_by_role("button").click()
    assert page.evaluate("[isSaid(), focused]") == [False, 1]
    assert found(page, 14, 15) == [False, 1]
    assert found(page, 16) == [True, 2]


def test_tabs_of_this_browser_have_half_a_second_to_say_what_they_stored(page: Page) -> None:
    page.evaluate("machines.found(14)")
    page.clock.run_for(499)
    assert page.evaluate("[isSaid(), refreshed]") == [False, 0]
    page.evaluate("void outbox.told.set('u2', 14)")
    assert found(page) == [False, 0]
    assert found(page, 14) == [False, 0]


def test_while_something_is_on_its_way_nothing_is_concluded(page: Page) -> None:
    page.evaluate("void (outbox.next = {})")
    assert found(page, 14) == [False, 0]
    page.evaluate("void (outbox.next = undefined)")
    page.clock.run_for(10_000)
    assert found(page) == [False, 0]
    assert found(page, 0) == [True, 1]


def test_without_a_database_what_the_tabs_say_counts(page: Page) -> None:
    page.evaluate("void (outbox.receipts.newest = () => Promise.reject(new Error('no database')))")
    assert found(page, 12) == [False, 0]
    assert found(page, 13) == [True, 1]
