"""The judging page on networks that are slow or gone, and with the same topic open elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, Response, request
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import press, ready, saved, short
from tests.web.judging.outboxes import until
from workbench.campaign.assessing import set_repeats
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import documents
from workbench.storage.campaign.organising import settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = [f"e{number:02}" for number in range(1, 31)]


@pytest.fixture
def thirty(make_campaign: MakeCampaign) -> Path:
    """The campaign `thirty`: one topic with thirty documents."""
    texts = [Document(name, f"Title {name}", f"The text of {name}.") for name in NAMES]
    return make_campaign("thirty", [Topic("1", "rivers")], texts, {"alpha": {"1": NAMES}})


def all_ahead(page: Page, count: int) -> None:
    until(page, f"document.getElementById('ready-count').textContent === '{count}'")


def go_on(page: Page) -> None:
    """From a complete topic to the next one."""
    expect(page.locator(".finished .next-topic")).to_be_focused()
    page.keyboard.press("Enter")


def test_a_topic_is_judged_without_a_network_and_each_key_is_stored_once_it_is_back(
    visit: Visit, thirty: Path
) -> None:
    page = visit("/c/thirty/judge?topic=1")
    ready(page, "Title e01")
    all_ahead(page, 30)
    page.context.set_offline(True)
    keys = ["01"[number % 2] for number in range(len(NAMES))]
    press(page, *keys)
    expect(page.locator(".finished")).to_be_visible()
    expect(page.locator("#save-state")).to_have_text("Offline, 30 kept here")
    assert short(thirty) == []
    page.context.set_offline(False)
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    assert short(thirty) == [(name, "grade", int(key)) for name, key in zip(NAMES, keys, strict=True)]


def test_a_judgment_needs_one_request_once_documents_are_loaded_ahead(visit: Visit, thirty: Path) -> None:
    page = visit("/c/thirty/judge?topic=1")
    ready(page, "Title e01")
    all_ahead(page, 30)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url) if "/c/" in request.url else None)
    press(page, *"0101010101")
    saved(page)
    asked = [url for url in requests if not url.startswith(("about:", "data:"))]
    assert len(asked) <= 20, asked
    assert sum("/api/judgments" in url for url in asked) == 10


@pytest.mark.parametrize("cards", ["off", "on"])
def test_the_first_judging_page_takes_few_requests_and_a_hundred_kilobytes(
    app: Flask, visit: Visit, thirty: Path, cards: str
) -> None:
    with open_campaign(thirty) as campaign:
        change_settings(campaign.by("Anna"), {"cards": cards})
    page = visit("/c/thirty/")
    page.context.new_cdp_session(page).send("Network.clearBrowserCache")
    requests: list[str] = []
    app.before_request_funcs[None].append(lambda: requests.append(request.path))
    page.goto(page.url.replace("/c/thirty/", "/c/thirty/judge?topic=1"))
    page.wait_for_selector("#document[aria-busy=false], .shown > .card[aria-current]")
    page.wait_for_load_state("networkidle")
    assert 4 <= len(requests) <= 15, requests
    loaded = page.evaluate(
        """[...performance.getEntriesByType("navigation"), ...performance.getEntriesByType("resource")]
        .reduce((sum, { transferSize }) => sum + transferSize, 0)"""
    )
    assert 30_000 < loaded < 100_000


def test_guidelines_that_change_while_documents_wait_reload_the_page_before_the_next_judgment(
    visit: Visit, thirty: Path
) -> None:
    page = visit("/c/thirty/judge?topic=1")
    ready(page, "Title e01")
    all_ahead(page, 30)
    with open_campaign(thirty) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"guidelines": "Other words."})
    with page.expect_response("**/api/judgments") as answer:
        page.keyboard.press("1")
    answer.value.finished()
    with page.expect_navigation():
        press(page, "1")  # the answer to the first one said that they have changed
    expect(page.locator("#new-guidelines")).to_be_visible()
    saved(page)
    assert [row[0] for row in short(thirty)][:1] == ["e01"]


def test_the_first_conflict_takes_over_what_was_judged_elsewhere(visit: Visit, thirty: Path) -> None:
    one = visit("/c/thirty/judge?topic=1")
    ready(one, "Title e01")
    all_ahead(one, 30)
    other = visit("/c/thirty/judge?topic=1")
    press(other, *"11111")
    saved(other)
    press(one, "0")
    expect(one.locator("#problem-count")).to_have_text("1 judgment not stored")
    expect(one.locator("#progress")).to_contain_text("5 of 30")
    expect(one.locator("#other-machine")).to_be_visible()
    one.get_by_role("button", name="Store Not relevant").click()
    saved(one)
    assert short(thirty)[-1] == ("e01", "grade", 0)


Asked = list[tuple[str, str]]


@pytest.fixture
def asked(app: Flask) -> Asked:
    """The last part of every address that was requested, and the topic in it, once what is answered is made."""
    found: Asked = []

    @app.after_request
    def note(answer: Response) -> Response:
        found.append((request.path.rpartition("/")[2], request.args.get("topic", "")))
        return answer

    return found


@pytest.fixture
def two(make_campaign: MakeCampaign) -> Path:
    """The campaign `two`: topic 1 with five documents, a1 to a5, and topic 2 with two, b1 and b2."""
    texts = [
        Document(name, f"Title {name}", f"The text of {name}.")
        for name in ("a1", "a2", "a3", "a4", "a5", "b1", "b2")
    ]
    runs = {"alpha": {"1": ["a1", "a2", "a3", "a4", "a5"], "2": ["b1", "b2"]}}
    return make_campaign("two", [Topic("1", "rivers"), Topic("2", "lakes")], texts, runs)


def comes(page: Page, asked: Asked, topic: str) -> None:
    """Wait until the page of a topic is made."""
    for _ in range(200):
        if ("judge", topic) not in asked:
            page.wait_for_timeout(50)
    assert ("judge", topic) in asked


def test_the_next_topic_is_fetched_with_the_last_documents_and_undo_leads_back_to_each_of_them(
    visit: Visit, asked: Asked, two: Path
) -> None:
    page = visit("/c/two/judge?topic=1")
    press(page, "0")
    saved(page)
    page.wait_for_timeout(300)
    assert ("judge", "2") not in asked
    press(page, "1")
    comes(page, asked, "2")
    assert asked.count(("judgments", "")) == 2
    press(page, "0", "u")
    ready(page, "Title a3")
    press(page, "1", "0", "1")
    go_on(page)
    ready(page, "Title b1")
    assert asked.count(("judge", "2")) == 1
    expect(page.locator("#progress")).to_contain_text("0 of 2")
    press(page, "0")
    ready(page, "Title b2")
    for name in ("b1", "a5", "a4", "a3", "a2", "a1"):
        page.keyboard.press("u")
        ready(page, f"Title {name}")


def test_the_last_judgment_of_a_topic_may_be_on_its_way_when_one_goes_on(visit: Visit, two: Path) -> None:
    page = visit("/c/two/judge?topic=1", intercepted=True)
    press(page, "0", "0", "0", "0")
    saved(page)
    page.route("**/api/judgments", lambda route: None, times=1)
    with page.expect_request("**/api/judgments"):
        press(page, "1")
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    go_on(page)
    ready(page, "Title b1")
    saved(page)
    assert short(two)[4:] == [("a5", "grade", 1)]
    assert asked == []


def test_undo_leads_to_a_judgment_of_another_topic_that_is_on_its_way_without_a_question(
    visit: Visit, two: Path
) -> None:
    page = visit("/c/two/judge?topic=1", intercepted=True)
    press(page, "0", "0", "0", "0")
    saved(page)
    on_their_way: list[Route] = []
    page.route("**/api/judgments", lambda route: on_their_way.append(route))
    asked: list[str] = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    with page.expect_request("**/api/judgments"):
        press(page, "1")
    go_on(page)
    press(page, "1", "u")
    ready(page, "Title b1")
    with page.expect_request("**/api/judgments"):
        press(page, "u")
        ready(page, "Title a5")
    expect(page.locator("#mine")).to_have_text("You judged this: Relevant")
    press(page, "0")
    assert short(two)[4:] == []
    page.unroute("**/api/judgments")
    on_their_way[-1].continue_()
    saved(page)
    assert short(two)[4:] == [("a5", "grade", 1), ("b1", "grade", 1), ("a5", "grade", 0)]
    assert asked == []


def test_undo_without_the_server_stays_on_the_page_where_nothing_was_downloaded(
    visit: Visit, two: Path
) -> None:
    page = visit("/c/two/judge?topic=1")
    press(page, "0")
    saved(page)
    page.goto(page.url.partition("?")[0] + "?topic=2")
    ready(page, "Title b1")
    all_ahead(page, 2)
    page.context.set_offline(True)
    press(page, "1")
    ready(page, "Title b2")
    for _ in range(3):
        press(page, "u")
        ready(page, "Title b1")
    expect(page.locator("#said")).to_contain_text("Nothing more to")
    page.context.set_offline(False)
    saved(page)
    press(page, "u")
    ready(page, "Title a1")


def test_on_cards_the_next_topic_is_fetched_ahead_and_undo_leads_back_too(
    visit: Visit, asked: Asked, two: Path
) -> None:
    with open_campaign(two) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    page = visit("/c/two/judge?topic=1")
    press(page, "0", "0")
    comes(page, asked, "2")
    press(page, "0", "0", "0")
    go_on(page)
    expect(page.locator("#progress")).to_contain_text("0 of 2")
    assert asked.count(("judge", "2")) == 1
    page.keyboard.press("u")
    page.wait_for_url("**topic=1&document=a5**")


def test_the_last_topic_that_was_fetched_ahead_offers_no_other_one(
    visit: Visit, asked: Asked, two: Path
) -> None:
    page = visit("/c/two/judge?topic=1")
    press(page, "0", "0")
    comes(page, asked, "2")
    press(page, "0", "0", "0")
    go_on(page)
    ready(page, "Title b1")
    press(page, "0", "0")
    expect(page.locator(".finished")).to_contain_text("the last topic")
    assert asked.count(("judge", "2")) == 1


def test_the_next_topic_has_the_preferences_that_changed_after_it_was_fetched(
    visit: Visit, asked: Asked, two: Path
) -> None:
    page = visit("/c/two/judge?topic=1")
    press(page, "0", "0")
    comes(page, asked, "2")
    before = int(page.locator("[data-size]").text_content().split()[0])
    press(page, "+", "0", "0", "0")
    go_on(page)
    ready(page, "Title b1")
    expect(page.locator("[data-size]")).to_have_text(f"{before + 1} px")


def test_a_text_that_changed_after_the_next_topic_was_fetched_is_not_judged_as_it_was(
    visit: Visit, asked: Asked, two: Path
) -> None:
    page = visit("/c/two/judge?topic=1")
    press(page, "0", "0")
    comes(page, asked, "2")
    with open_campaign(two) as campaign, campaign.write():
        row = documents.document_row(Document("b1", "Title b1, corrected", "Another text."))
        change = "UPDATE document SET title = ?, text = ?, text_hash = ? WHERE document = 'b1'"
        campaign.db.conn.execute(change, [row[1], row[2], row[5]])
    press(page, "0", "0", "0")
    go_on(page)
    ready(page, "Title b1")
    press(page, "1")
    page.get_by_role("button", name="Open document").click()
    ready(page, "Title b1, corrected")
    press(page, "0")
    saved(page)
    assert short(two)[5:] == [("b1", "grade", 0)]
    assert asked.count(("judge", "2")) == 1


def test_guidelines_that_changed_after_the_next_topic_was_fetched_come_with_it(
    visit: Visit, asked: Asked, two: Path
) -> None:
    page = visit("/c/two/judge?topic=1")
    press(page, "0", "0")
    comes(page, asked, "2")
    press(page, "0", "0")
    saved(page)
    with open_campaign(two) as campaign:
        change_settings(campaign.by("Anna"), {"guidelines": "Other words."})
    press(page, "0")
    saved(page)
    go_on(page)
    ready(page, "Title b1")
    expect(page.locator("#guidelines")).to_contain_text("Other words.")


def test_where_documents_are_shown_twice_the_next_topic_is_fetched_after_the_last_judgment(
    visit: Visit, asked: Asked, two: Path
) -> None:
    with open_campaign(two) as campaign:
        set_repeats(campaign.by("Anna"), 1, 100, 1)
    page = visit("/c/two/judge?topic=1")
    press(page, "0", "0", "0", "0", "0")
    saved(page)
    comes(page, asked, "2")
    assert asked.index(("judge", "2")) > max(at for at, (name, _) in enumerate(asked) if name == "judgments")
