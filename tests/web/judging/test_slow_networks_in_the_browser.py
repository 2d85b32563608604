"""The judging page on networks that are slow or gone, and with the same topic open elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask, request
from playwright.sync_api import Page, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import press, ready, saved, short
from tests.web.judging.outboxes import until
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = [f"e{number:02}" for number in range(1, 31)]


@pytest.fixture
def thirty(make_campaign: MakeCampaign) -> Path:
    """The campaign `thirty`: one topic with thirty documents."""
    texts = [Document(name, f"Title {name}", f"The text of {name}.") for name in NAMES]
    return make_campaign("thirty", [Topic("1", "rivers")], texts, {"alpha": {"1": NAMES}})


def all_ahead(page: Page, count: int) -> None:
    until(page, f"document.getElementById('ready-count').textContent === '{count}'")


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


def test_guidelines_that_change_while_documents_wait_reload_the_page_before_the_next_judgment(
    visit: Visit, thirty: Path
) -> None:
    page = visit("/c/thirty/judge?topic=1")
    ready(page, "Title e01")
    all_ahead(page, 30)
    with open_campaign(thirty) as campaign, campaign.write():
        settings.change(campaign, {"guidelines": "Other words."}, actor="Anna")
    page.keyboard.press("1")
    with page.expect_navigation():
        press(page, "1")  # the answer to the first one said that they have changed
    expect(page.locator("#new-guidelines")).to_be_visible()
    saved(page)
    assert [row[0] for row in short(thirty)][:1] == ["e01"]


def test_several_conflicts_are_settled_by_one_press(visit: Visit, thirty: Path) -> None:
    one = visit("/c/thirty/judge?topic=1")
    ready(one, "Title e01")
    all_ahead(one, 30)
    one.context.set_offline(True)
    other = visit("/c/thirty/judge?topic=1")  # another machine
    press(other, *"111")
    saved(other)
    press(one, *"000")
    one.context.set_offline(False)
    expect(one.locator("#problem-count")).to_have_text("3 judgments not stored")
    one.get_by_role("button", name="Keep all 3 made elsewhere").click()
    saved(one)
    expect(one.locator("#problems")).to_be_hidden()
    assert short(thirty) == [(name, "grade", 1) for name in NAMES[:3]]


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


def test_the_next_topic_is_fetched_once_the_last_judgment_of_this_one_is_stored(
    visit: Visit, app: Flask, make_campaign: MakeCampaign
) -> None:
    texts = [Document(name, f"Title {name}", f"The text of {name}.") for name in ("d1", "d2", "d3")]
    runs = {"alpha": {"1": ["d1", "d2"], "2": ["d3"]}}
    make_campaign("two", [Topic("1", "rivers"), Topic("2", "lakes")], texts, runs)
    asked: list[tuple[str, str]] = []

    @app.before_request
    def note() -> None:
        asked.append((request.path.rpartition("/")[2], request.args.get("topic", "")))

    page = visit("/c/two/judge?topic=1")
    ready(page, "Title d1")
    press(page, "0")
    assert ("judge", "2") not in asked
    press(page, "1")
    saved(page)
    expect(page.locator(".finished .next-topic")).to_be_focused()
    for _ in range(200):
        if ("judge", "2") not in asked:
            page.wait_for_timeout(50)
    assert asked.index(("judge", "2")) > max(at for at, (name, _) in enumerate(asked) if name == "judgments")
    page.keyboard.press("Enter")
    ready(page, "Title d3")
    assert asked.count(("judge", "2")) == 1
    page.keyboard.press("u")
    ready(page, "Title d2")
