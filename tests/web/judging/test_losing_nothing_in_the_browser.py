"""What could lose, double or misattribute a judgment in a real browser, tried out."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import ready, saved
from tests.web.judging.outboxes import SignIn, become
from workbench.core.records import Document, Judgment, Topic
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments
from workbench.web.judging import texts

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def pages(make_campaign: MakeCampaign) -> Path:
    """The campaign `pages`: one topic with three web pages, p1 to p3."""
    names = ["p1", "p2", "p3"]
    return make_campaign(
        "pages",
        [Topic("1", "rivers")],
        [Document(name, name, f"<p>The words of {name}</p>", "text/html") for name in names],
        {"alpha": {"1": names}},
    )


def beside(page: Page, document: str) -> str:
    """The address of another document of the topic that a page shows."""
    return f"{page.url.split('&')[0]}&document={document}"


def log(path: Path) -> list[Judgment]:
    with open_campaign(path) as campaign:
        return list(judgments.log(campaign))


def short(path: Path) -> list[tuple[str, str, str, int | None, str]]:
    return [(row.assessor, row.document_id, row.kind, row.grade, row.comment) for row in log(path)]


@pytest.mark.parametrize("failure", ["no answer", "500", "another page"])
def test_a_web_page_whose_frame_did_not_load_cannot_be_judged(
    visit: Visit, pages: Path, failure: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "FIRST", 0)

    def fail(route: Route) -> None:
        if failure == "no answer":
            route.abort()
        elif failure == "another page":
            route.fulfill(
                status=200, content_type="text/html", body="<p>Please sign in to the wireless network"
            )
        else:
            route.fulfill(status=int(failure), content_type="text/html", body="<p>An error")

    page = visit("/c/pages/judge?topic=1", intercepted=True)
    page.route(re.compile("document-frame.*p2"), fail)
    page.route("**/api/texts", lambda route: route.abort())  # each document comes in a frame of its own
    page.reload()
    ready(page, "p1")
    page.keyboard.press("1")
    expect(page.locator("#document")).to_contain_text("not be loaded")
    page.keyboard.press("1")
    page.wait_for_timeout(400)
    page.keyboard.press("1")
    saved(page)
    assert [row[1] for row in short(pages)] == ["p1"]
    page.unroute_all()
    ready(page, "p2")
    expect(page.frame_locator("iframe.current").locator("main p")).to_have_text("The words of p2")
    page.keyboard.press("0")
    ready(page, "p3")
    saved(page)
    assert [row[1] for row in short(pages)] == ["p1", "p2"]


def test_a_page_left_open_never_shows_or_stores_what_the_next_person_judged(
    visit: Visit, small: Path, app: Flask, client_of: SignIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(texts, "FIRST", 0)
    bens = visit("/c/small/judge?topic=1&document=d2", intercepted=True)
    bens.route(
        re.compile("document=d1|api/texts"), lambda route: route.abort()
    )  # or it would be here already
    bens.reload()
    ready(bens, "Document 2")
    become(bens, app, client_of, "Carla")
    carlas = bens.context.new_page()
    carlas.goto(beside(bens, "d1"))
    ready(carlas, "Document 1")
    carlas.locator("#note").fill("Carla's own words")
    carlas.keyboard.press("Escape")
    carlas.keyboard.press("1")
    saved(carlas)
    bens.unroute_all()
    bens.bring_to_front()
    bens.keyboard.press("ArrowLeft")
    carla_is_here = bens.get_by_role("heading", name="Carla is signed")
    expect(carla_is_here).to_be_visible()
    expect(bens.locator("#signed-out")).to_be_visible()
    expect(bens.locator("#note")).to_have_value("")
    become(bens, app, client_of, "Ben")
    bens.evaluate(
        "document.dispatchEvent(new Event('visibilitychange'))"
    )  # as when somebody comes back to the window
    ready(bens, "Document 1")
    expect(carla_is_here).to_be_hidden()  # no key counts before that
    bens.keyboard.press("0")
    saved(bens)
    assert short(small) == [("Carla", "d1", "grade", 1, "Carla's own words"), ("Ben", "d1", "grade", 0, "")]


def test_what_one_judged_in_another_tab_is_marked_before_it_is_judged_again(
    visit: Visit, small: Path
) -> None:
    first = visit("/c/small/judge?topic=1&document=d1")
    ready(first, "Document 1")
    second = first.context.new_page()
    second.goto(beside(first, "d6"))
    ready(second, "Document 6")
    second.keyboard.press("1")
    saved(second)
    first.bring_to_front()
    for number in range(2, 7):
        first.keyboard.press("ArrowRight")
        ready(first, f"Document {number}")
    expect(first.locator("#mine")).to_contain_text("You judged this: Relevant")
    expect(first.locator("#progress")).to_contain_text("1 of 6")


def test_what_another_tab_sent_can_be_judged_again_without_a_quarrel(visit: Visit, small: Path) -> None:
    first = visit("/c/small/judge?topic=1&document=d1", intercepted=True)
    ready(first, "Document 1")
    first.route(re.compile("api/judgments"), lambda route: route.abort())
    first.keyboard.press("1")
    expect(first.locator("#save-state")).to_contain_text("kept here")
    second = first.context.new_page()
    second.goto(beside(first, "d6"))
    ready(second, "Document 6")
    saved(second)
    first.bring_to_front()
    first.unroute_all()
    saved(first)
    first.keyboard.press("u")
    ready(first, "Document 1")
    first.keyboard.press("0")
    saved(first)
    expect(first.locator("#problems")).to_be_hidden()
    assert [(row.document_id, row.grade) for row in log(small)] == [("d1", 1), ("d1", 0)]


def test_a_judgment_that_replaces_nothing_any_more_can_still_be_stored(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1&document=d1", intercepted=True)
    ready(page, "Document 1")

    def with_wrong_seq(route: Route) -> None:
        sent = route.request.post_data_json
        route.continue_(post_data={**sent, "replaces": 1})  # type: ignore[dict-item]

    page.route(re.compile("api/judgments"), with_wrong_seq, times=1)
    page.keyboard.press("1")
    expect(page.locator("#problems")).to_contain_text("1 judgment not stored")
    page.evaluate(
        """() => new Promise((resolve) => {
            const request = indexedDB.open("workbench");
            request.onsuccess = () => {
                const transaction = request.result.transaction("outbox", "readwrite");
                const store = transaction.objectStore("outbox");
                transaction.oncomplete = () => resolve();
                store.getAll().onsuccess = ({ target: { result: [entry] } }) => {
                    entry.judgment.replaces = 1;
                    store.put(entry);
                };
            };
        })"""
    )
    page.once("dialog", lambda asked: asked.accept())
    page.reload()
    page.get_by_role("button", name="Store Relevant").click()
    saved(page)
    assert [(row.document_id, row.grade, row.replaces) for row in log(small)] == [("d1", 1, None)]


def test_what_was_judged_after_a_refusal_is_what_the_page_offers_to_store(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1&document=d1", intercepted=True)
    ready(page, "Document 1")
    refused = {"reason": "replaced elsewhere", "message": "", "current": None}
    page.route(re.compile("api/judgments"), lambda route: route.fulfill(status=409, json=refused), times=1)
    page.keyboard.press("1")
    expect(page.get_by_role("button", name="Store Relevant")).to_be_visible()
    page.keyboard.press("u")
    ready(page, "Document 1")
    page.keyboard.press("0")
    page.get_by_role("button", name="Store Not relevant").click()
    saved(page)
    assert [(row.document_id, row.grade) for row in log(small)] == [("d1", 1), ("d1", 0)]


def test_a_page_keeps_what_is_judged_while_the_campaigns_file_is_gone_and_sends_it_once_it_is_back(
    visit: Visit, pages: Path
) -> None:
    page = visit("/c/pages/judge?topic=1")
    ready(page, "p1")
    page.keyboard.press("1")
    saved(page)
    ready(page, "p2")
    expect(page.locator("iframe[title='Document']")).to_have_count(0)  # the next ones are here already
    aside = pages.with_name("pages.aside")
    pages.rename(aside)
    page.keyboard.press("0")
    expect(page.locator("#save-state")).to_have_text("Offline, 1 kept here")
    expect(page.locator("#problems")).to_be_hidden()
    aside.rename(pages)
    saved(page)
    ready(page, "p3")
    page.keyboard.press("1")
    saved(page)
    assert short(pages) == [
        ("Ben", "p1", "grade", 1, ""),
        ("Ben", "p2", "grade", 0, ""),
        ("Ben", "p3", "grade", 1, ""),
    ]
