"""axe-core finds nothing on any page of an assessor: in light at a desk and in dark on a phone.

The text of documents is theirs, so a judging page is looked at without what is in its frames; the frame of a plain
document, which is all ours but for the words, is looked at by itself.
"""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pyotp
import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.axe import complaints
from workbench.campaign.assessor_settings import change_terms
from workbench.core.records import Document, Grade, Topic
from workbench.people.accounts import begin_session, open_accounts
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings

pytestmark = [pytest.mark.browser, pytest.mark.slow, pytest.mark.usefixtures("rivers")]

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
GRADES = (
    Grade(-2, "Spam", "Made for machines."),
    Grade(0, "Not relevant", "Nothing about rivers that freeze."),
    Grade(1, "Partly relevant", "Names a river, or says why it freezes."),
    Grade(2, "Relevant", "Names a river and says when it freezes."),
    Grade(3, "Highly relevant", "All about it."),
)
OTHER = "Nothing is said here of what is looked for; it is a paragraph about something else altogether. " * 4
WANTED = "Rivers freeze late in a mild winter; the frozen river was crossed on foot."
LONG = "\n\n".join([*[OTHER] * 30, WANTED, *[OTHER] * 30])


@pytest.fixture
def rivers(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """Ben has judged d2 and d5 of six: d1 is long, d2 has fields, d3 is empty, d4 has no text, d6 is nearly d5."""
    twin = [f"word{number}" for number in range(60)]
    path = make_campaign(
        "rivers",
        [
            Topic("1", "frozen rivers", "Which rivers freeze?", "Named rivers only."),
            Topic("2", "\u0623\u0646\u0647\u0627\u0631 \u0645\u062a\u062c\u0645\u062f\u0629"),
        ],
        [
            Document("d1", "A winter on the river", LONG),
            Document("d2", "Ice", WANTED, fields={"date": "1996-02-11", "source": "The Almanac"}),
            Document("d3", "Nothing", ""),
            Document("d5", "Ferries", " ".join([WANTED, *twin])),
            Document("d6", "Ferries again", " ".join([WANTED, *twin, "ends"])),
        ],
        {"alpha": {"1": ["d1", "d2", "d3", "d4", "d5", "d6"], "2": ["d1"]}},
        grades=GRADES,
    )
    with open_campaign(path) as campaign:
        with campaign.write():
            settings.change(campaign.by("Anna", NOW), {"guidelines": "Judge what stands there."})
        change_terms(campaign, "Ben", "1", add="winter")
        for topic_id, document_id, grade in [("1", "d5", 2), ("1", "d2", 0), ("1", "d2", 1)]:
            judging_as(campaign, "Ben", topic_id, document_id, grade, comment="Names the Rhine.")
    return path


def here(page: Page, title: str) -> None:
    """Wait until a document has been on the screen for long enough to be judged."""
    expect(page.frame_locator("iframe.current").locator("h1")).to_have_text(title)
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")


def judging(visit: Visit, document_id: str, title: str, **options: Any) -> Page:
    page = visit(f"/c/rivers/judge?topic=1&document={document_id}", **options)
    here(page, title)
    return page


def test_signing_in(browser: Browser, address: str) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/sign-in")
    problems = complaints(page, "the sign-in page")
    page.get_by_label("Name").fill("Ben")
    page.get_by_label("Password", exact=True).fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_be_visible()
    problems += complaints(page, "the sign-in page after a wrong password")
    context.close()
    assert problems == []


def test_an_account_with_a_second_factor(
    visit: Visit, browser: Browser, instance: Path, address: str
) -> None:
    with open_accounts(instance) as accounts:
        begin_session(accounts.by("", "2001:db8::17:4"), "Ben", browser="Safari on an iPhone")
    page = visit("/account")
    expect(page.get_by_role("button", name="Sign out all other sessions")).to_be_visible()
    problems = complaints(page, "an account with two sessions")
    page.get_by_role("link", name="Set up a second factor").click()
    page.get_by_label("The code that the app shows now").fill("none")
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("alert")).to_be_visible()
    problems += complaints(page, "setting up a second factor after a wrong code")
    secret = page.locator("input[name=secret]").input_value()
    page.get_by_label("The code that the app shows now").fill(pyotp.TOTP(secret).now())
    page.get_by_role("button", name="Set up").click()
    expect(page.get_by_role("heading", name="Recovery codes")).to_be_visible()
    problems += complaints(page, "the recovery codes")
    with open_accounts(instance) as accounts:
        accounts.db.execute(
            "UPDATE session SET confirmed_at = '2020-01-01T00:00:00+00:00' WHERE name = 'Ben'"
        )
    page.goto(f"{address}/account/second-factor")
    expect(page.get_by_role("heading", name="Confirm your identity")).to_be_visible()
    problems += complaints(page, "confirming by password and code")
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"{address}/sign-in")
    page.get_by_label("Name").fill("Ben")
    page.get_by_label("Password", exact=True).fill("ben's password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("heading", name="Enter the code")).to_be_visible()
    problems += complaints(page, "signing in by a code")
    context.close()
    assert problems == []


PAGES = {
    "the list of campaigns": "/",
    "the topics of a campaign": "/c/rivers/",
    "a campaign without a pool": "/c/robust/",
    "offline judging": "/c/rivers/offline",
    "the history": "/c/rivers/history?versions=1",
    "a history that nothing matches": "/c/rivers/history?q=nowhere",
    "a history without a judgment": "/c/robust/history",
    "one’s own work": "/c/rivers/work",
    "a page that is not there": "/c/rivers/nothing",
    "a page that is not for Ben": "/c/rivers/board",
}


def test_pages_to_read(visit: Visit, address: str) -> None:
    page = visit("/")
    problems = []
    for where, path in PAGES.items():
        page.goto(address + path)
        problems += complaints(page, where)
    assert problems == []


def test_documents_to_judge(visit: Visit) -> None:
    page = judging(visit, "d1", "A winter on the river")
    problems = complaints(page, "a long document with own terms")
    for title, where in [
        ("Ice", "a judged document with a note"),
        ("Nothing", "an empty document"),
        ("Ferries", "a judged document with a near duplicate"),
        ("Ferries again", "a document with a judged near duplicate"),
    ]:
        page.keyboard.press("j")
        here(page, title)
        problems += complaints(page, where)
    assert problems == []


def test_what_an_assessor_leaves_on_the_page(visit: Visit) -> None:
    page = judging(visit, "d1", "A winter on the river")
    page.keyboard.press("/")
    page.keyboard.type("crossed")
    expect(page.locator("#find-count")).to_have_text("1 of 1")
    problems = complaints(page, "the find bar with a place found")
    page.keyboard.type(" nowhere")
    expect(page.locator("#find-count")).to_have_text("Not found")
    problems += complaints(page, "the find bar with nothing found")
    page.keyboard.press("Escape")
    page.locator("#note").fill("Names no river.")
    paragraph = page.frame_locator("iframe.current").locator(".document-text > p").first
    paragraph.evaluate("(paragraph) => getSelection().selectAllChildren(paragraph)")
    tools = page.get_by_role("button", name="Reading tools")
    if tools.is_visible():
        tools.click()
    page.locator("[data-action=rationale]").click()
    expect(page.locator("#rationales li")).to_have_count(1)
    page.get_by_label("Mark another word").fill("ferry")
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.locator(".term.own")).to_have_count(2)
    here(page, "A winter on the river")
    problems += complaints(page, "a note, an own term and a rationale before the judgment")
    assert problems == []


def test_the_end_of_a_topic(visit: Visit) -> None:
    page = judging(visit, "d1", "A winter on the river")
    for title, key in [("A winter on the river", "3"), ("Nothing", "0"), ("Ferries again", "s")]:
        here(page, title)
        page.keyboard.press(key)
    expect(page.locator(".finished h2")).to_be_visible()
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    assert complaints(page, "a topic that is done") == []


def test_dialogs(visit: Visit) -> None:
    page = judging(visit, "d1", "A winter on the river")
    problems = []
    for dialog in ("keys", "preferences", "guidelines", "unsent"):
        page.evaluate("(id) => document.getElementById(id).showModal()", dialog)
        problems += complaints(page, f"the dialog “{dialog}”")
        page.keyboard.press("Escape")
    assert problems == []


def test_notices(visit: Visit) -> None:
    page = judging(visit, "d1", "A winter on the river", intercepted=True)
    refusal = {"reason": "unknown pair", "message": "topic 1 has no document d1 any more"}
    page.route("**/api/judgments", lambda route: route.fulfill(status=404, json=refusal))
    page.keyboard.press("2")
    expect(page.locator("#problems")).to_be_visible()
    problems = complaints(page, "a judgment that was refused")
    page.unroute("**/api/judgments")
    other = page.context.new_page()
    other.goto(page.url)
    expect(page.locator("#other-tab")).to_be_visible()
    problems += complaints(page, "a topic that is open in another tab")
    other.close()
    page.bring_to_front()
    here(page, "Nothing")
    page.context.clear_cookies()
    page.keyboard.press("0")
    expect(page.locator("dialog.sign-in-again")).to_be_visible()
    problems += complaints(page, "the dialog of signing in again")
    page.get_by_role("button", name="Not now").last.click()
    expect(page.locator("#signed-out")).to_be_visible()
    problems += complaints(page, "a page that is signed out")
    assert problems == []


def test_the_frame_of_a_plain_document(visit: Visit) -> None:
    page = judging(visit, "d6", "Ferries again", intercepted=True)
    address = "/c/rivers/document-frame?topic=1&document=d6"
    page.route(f"**{address}", lambda route: serve_with_scripts(route))
    page.goto(urljoin(page.url, address))
    expect(page.locator("h1")).to_have_text("Ferries again")
    assert complaints(page, "a document by itself") == []


def serve_with_scripts(route: Route) -> None:
    """A frame's policy allows no script at all, and axe is one: the same page without the policy."""
    answer = route.fetch()
    headers = {name: value for name, value in answer.headers.items() if name != "content-security-policy"}
    route.fulfill(response=answer, headers=headers)
