"""The judging page while network, server or browser fail, or change hands; each test is named after the fault."""

from __future__ import annotations

import re
from pathlib import Path
from time import monotonic
from typing import Any

import pytest
from flask import Flask
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import loaded_ahead, ready
from tests.web.judging.leaving import leave
from tests.web.judging.outboxes import SignIn, become, log, stored
from workbench.core.records import Document, Topic

pytestmark = [pytest.mark.browser, pytest.mark.slow]


NO_DATABASE = "Object.defineProperty(window, 'indexedDB', { get() { throw new Error('none here'); } })"
SAVING = re.compile("/api/(judgments|receipts)")
A_WHILE = 120_000
"""Milliseconds until what does not come is taken for lost; between two attempts the page waits up to 37 seconds."""


@pytest.fixture
def long(make_campaign: MakeCampaign) -> Path:
    """The campaign `long`: one topic with thirty documents, n01 to n30."""
    names = [f"n{number:02}" for number in range(1, 31)]
    texts = [Document(name, name, f"The text of {name}.") for name in names]
    return make_campaign("long", [Topic("1", "rivers")], texts, {"alpha": {"1": names}})


def judge(page: Page, title: str, key: str) -> None:
    ready(page, title)
    page.keyboard.press(key)


def says(page: Page, words: str) -> None:
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")
    if words == "Saved":  # the words come a moment after the state
        expect(page.locator("#save-state")).to_have_attribute("data-state", "saved", timeout=A_WHILE)
    expect(page.locator("#save-state")).to_have_text(words, timeout=A_WHILE)


def happened(page: Page, what: list[Any]) -> None:
    """Wait for something that a route writes down."""
    for _ in range(500):
        if what:
            return
        page.wait_for_timeout(20)
    raise AssertionError("nothing was written down within 10 s")


def test_a_network_that_is_cut_for_twenty_judgments(visit: Visit, long: Path) -> None:
    page = visit("/c/long/judge?topic=1", intercepted=True)
    ready(page, "n01")
    page.route(SAVING, lambda route: route.abort())
    meant = [(f"n{number:02}", number % 2) for number in range(1, 21)]
    for name, grade in meant:
        judge(page, name, str(grade))
    says(page, "Offline, 20 kept here")
    assert log(long) == []
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    says(page, "Saved")
    assert stored(long) == meant
    judge(page, "n21", "1")
    says(page, "Saved")
    assert stored(long) == [*meant, ("n21", 1)]


def test_a_machine_without_any_network_keeps_what_was_judged_over_a_restart_of_the_browser(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    expect(page.locator("iframe")).to_have_count(4)  # this one, and the next three
    loaded_ahead(page)
    page.context.set_offline(True)
    for number in range(1, 4):
        judge(page, f"Document {number}", "1")
    says(page, "Offline, 3 kept here")
    address, context = page.url, page.context
    page.close(run_before_unload=False)
    context.set_offline(False)
    again = context.new_page()
    again.goto(address)
    expect(again.locator("#progress")).to_contain_text("3 of 6")
    says(again, "Saved")
    assert stored(small) == [("d1", 1), ("d2", 1), ("d3", 1)]


def test_a_page_that_is_left_with_judgments_waiting_asks_first(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    page.route(SAVING, lambda route: route.abort())
    judge(page, "Document 1", "1")
    says(page, "Offline, 1 kept here")
    with page.expect_event("dialog") as asked:
        page.close(run_before_unload=True)
    assert asked.value.type == "beforeunload"
    asked.value.dismiss()
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    says(page, "Saved")


@pytest.mark.slow
def test_a_server_that_takes_ten_seconds_for_an_answer(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    held: list[Route] = []
    page.route("**/api/judgments", lambda route: held.append(route), times=1)
    judge(page, "Document 1", "1")
    begun = monotonic()
    judge(page, "Document 2", "0")
    page.wait_for_timeout(max(0, 10_000 - 1_000 * (monotonic() - begun)))
    says(page, "2 waiting")
    assert len(held) == 1
    held[0].continue_()
    says(page, "Saved")
    assert stored(small) == [("d1", 1), ("d2", 0)]


@pytest.mark.slow
def test_a_server_that_answers_after_the_page_has_given_the_answer_up(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)

    def store_and_be_silent(route: Route) -> None:
        route.fetch()

    page.route("**/api/judgments", store_and_be_silent, times=1)
    judge(page, "Document 1", "1")
    judge(page, "Document 2", "0")
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved", timeout=A_WHILE)
    assert stored(small) == [("d1", 1), ("d2", 0)]


@pytest.mark.slow
def test_what_is_acknowledged_while_the_next_page_is_on_its_way_is_not_asked_again(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    held: list[Route] = []
    made: list[tuple[Route, APIResponse]] = []
    page.route("**/api/judgments", lambda route: held.append(route), times=1)
    page.route("**/judge?*", lambda route: made.append((route, route.fetch())), times=1)
    page.on("dialog", lambda dialog: dialog.accept())
    judge(page, "Document 1", "1")
    happened(page, held)
    page.evaluate("setTimeout(() => location.replace('?topic=1'), 0)")
    happened(page, made)
    held[0].continue_()
    page.wait_for_timeout(
        1_000
    )  # the page that is left hears the answer; Playwright cannot look at it any more
    route, without_the_judgment = made[0]
    route.fulfill(response=without_the_judgment)
    judge(page, "Document 2", "0")
    says(page, "Saved")
    assert stored(small) == [("d1", 1), ("d2", 0)]


def test_a_server_that_fails_for_a_while(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    page.route("**/api/judgments", lambda route: route.fulfill(status=500, body="<h1>Oh no"), times=2)
    judge(page, "Document 1", "1")
    judge(page, "Document 2", "0")
    judge(page, "Document 3", "1")
    says(page, "Saved")
    assert stored(small) == [("d1", 1), ("d2", 0), ("d3", 1)]


def test_a_browser_without_a_database_shows_the_next_document_only_when_the_server_has_the_last(
    visit: Visit, small: Path
) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    page.add_init_script(NO_DATABASE)
    page.reload()
    held: list[Route] = []
    page.route("**/api/judgments", lambda route: held.append(route), times=1)
    judge(page, "Document 1", "1")
    expect(page.locator("#save-state")).to_contain_text("(only while this")
    while not held:
        page.wait_for_timeout(20)
    page.keyboard.press("0")
    page.wait_for_timeout(400)
    page.keyboard.press("0")
    expect(page.frame_locator("iframe.current").locator("h1")).to_have_text("Document 1")
    held[0].continue_()
    judge(page, "Document 2", "0")
    says(page, "Saved")
    assert stored(small) == [("d1", 1), ("d2", 0)]


def test_two_people_one_after_the_other_in_one_browser(
    visit: Visit, small: Path, app: Flask, client_of: SignIn
) -> None:
    bens = visit("/c/small/judge?topic=1", intercepted=True)
    bens.route(SAVING, lambda route: route.abort())
    for number in (1, 2, 3):
        judge(bens, f"Document {number}", "1")
    says(bens, "Offline, 3 kept here")
    context, address = bens.context, bens.url.split("&")[0]
    become(bens, app, client_of, "Carla")
    bens.close(run_before_unload=False)
    carlas = context.new_page()
    carlas.goto(address)
    expect(carlas.locator("#others")).to_contain_text("Ben’s 3 wait")
    expect(carlas.locator("#progress")).to_contain_text("0 of 6")
    judge(carlas, "Document 1", "0")
    says(carlas, "Saved")
    assert [(row.assessor, row.document_id, row.grade) for row in log(small)] == [("Carla", "d1", 0)]
    become(carlas, app, client_of, "Ben")
    carlas.goto(address)
    says(carlas, "Saved")
    expect(carlas.locator("#others")).to_be_hidden()
    assert [(row.assessor, row.document_id, row.grade) for row in log(small)] == [
        ("Carla", "d1", 0),
        ("Ben", "d1", 1),
        ("Ben", "d2", 1),
        ("Ben", "d3", 1),
    ]


def test_two_tabs_on_one_topic(visit: Visit, small: Path) -> None:
    first = visit("/c/small/judge?topic=1")
    ready(first, "Document 1")
    expect(first.locator("#other-tab")).to_be_hidden()
    second = first.context.new_page()
    second.goto(first.url)
    expect(second.locator("#other-tab")).to_be_visible()
    elsewhere = first.context.new_page()
    elsewhere.goto(first.url.split("?")[0] + "?topic=2")
    expect(elsewhere.frame_locator("iframe.current").locator("h1")).to_be_visible()
    expect(elsewhere.locator("#other-tab")).to_be_hidden()
    judge(second, "Document 1", "1")
    says(second, "Saved")
    expect(first.locator("#progress")).to_contain_text("1 of 6")
    leave(first)
    expect(second.locator("#other-tab")).to_be_hidden()


def test_unsent_judgments_travel_to_another_machine_as_a_file(
    visit: Visit, small: Path, tmp_path: Path
) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    page.route(SAVING, lambda route: route.abort())
    judge(page, "Document 1", "1")
    judge(page, "Document 2", "0")
    says(page, "Offline, 2 kept here")
    page.locator("#save-state").click()
    with page.expect_download() as download:
        page.get_by_role("button", name="Export unsent").click()
    file = tmp_path / download.value.suggested_filename
    download.value.save_as(file)

    elsewhere = visit("/c/small/judge?topic=1")
    ready(elsewhere, "Document 1")
    elsewhere.locator("#save-state").click()
    elsewhere.locator("#import-unsent").set_input_files(file)
    expect(elsewhere.locator("#import-result")).to_have_text("2 judgments imported.")
    says(elsewhere, "Saved")
    assert stored(small) == [("d1", 1), ("d2", 0)]
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    says(page, "Saved")
    assert stored(small) == [("d1", 1), ("d2", 0)]
