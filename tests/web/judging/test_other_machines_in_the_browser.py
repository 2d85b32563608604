"""One account that judges one topic on two machines: each page says so, and shows what was judged on the other."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import HEAR, press, ready, saved, short
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TOPIC = "/c/ten/judge?topic=1"
NAMES = [f"e{number:02}" for number in range(1, 11)]
LOOKED = 700
"""Milliseconds after which the page has looked for other machines."""

NO_CHANNEL = "delete window.BroadcastChannel"

one_by_one = pytest.mark.parametrize("ten", ["off"], indirect=True)
"""For what the session knows, whatever shows it."""


@pytest.fixture(params=["off", "on"], ids=["page", "cards"])
def ten(make_campaign: MakeCampaign, request: pytest.FixtureRequest) -> Path:
    """The campaign `ten`: one topic with ten documents, judged one by one or as cards."""
    texts = [Document(name, f"Title {name}", f"The text of {name}.") for name in NAMES]
    path = make_campaign("ten", [Topic("1", "rivers")], texts, {"alpha": {"1": NAMES}})
    with open_campaign(path) as campaign:
        change_settings(campaign.by("Anna"), {"cards": request.param})
    return path


def judged_there(visit: Visit, document_id: str) -> Page:
    """Another machine, on which this document was judged."""
    there = visit(f"{TOPIC}&document={document_id}")
    ready(there, f"Title {document_id}")
    press(there, "1")
    saved(there)
    return there


def unaware(page: Page) -> None:
    """All is saved, and the page knows of no other machine."""
    saved(page)
    page.wait_for_timeout(LOOKED)
    expect(page.locator("#other-machine")).to_be_hidden()


def test_with_the_next_judgment_it_is_said_and_what_was_judged_there_is_not_offered(
    visit: Visit, ten: Path
) -> None:
    page = visit(TOPIC)
    press(page, "0")
    unaware(page)
    judged_there(visit, "e04")
    unaware(page)
    press(page, "0")
    expect(page.locator("#other-machine")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("3 of 10")
    press(page, "0", "0")
    saved(page)
    expect(page.locator("#problems")).to_be_hidden()
    assert short(ten) == [
        ("e01", "grade", 0),
        ("e04", "grade", 1),
        ("e02", "grade", 0),
        ("e03", "grade", 0),
        ("e05", "grade", 0),
    ]


def test_the_notice_is_heard_once_and_closed_by_a_key_which_leads_back_to_the_document(
    visit: Visit, ten: Path
) -> None:
    page = visit(TOPIC)
    unaware(page)
    judged_there(visit, "e04")
    page.evaluate(HEAR)
    press(page, "0", "0")
    expect(page.locator("#other-machine")).to_be_visible()
    saved(page)
    heard = page.evaluate("heard")
    assert len([words for words in heard if words.startswith("You also judge")]) == 1
    page.locator("#other-machine-close").focus()
    page.keyboard.press("Enter")
    expect(page.locator("#other-machine")).to_be_hidden()
    assert page.evaluate("document.activeElement.matches('.stage, .card[aria-current]')")
    press(page, "0")
    unaware(page)
    expect(page.locator("#progress")).to_contain_text("4 of 10")


@one_by_one
@pytest.mark.parametrize("script", ["", NO_CHANNEL], ids=["heard", "unheard"])
def test_two_tabs_of_one_browser_are_one_machine(visit: Visit, ten: Path, script: str) -> None:
    page = visit("/c/ten/")
    page.context.add_init_script(script)
    page.goto(page.url.replace("/c/ten/", TOPIC))
    press(page, "0")
    tab = page.context.new_page()
    tab.goto(f"{page.url.split('?')[0]}?topic=1&document=e05")
    ready(tab, "Title e05")
    press(tab, "1")
    saved(tab)
    press(page, "0")
    unaware(page)
    press(tab, "1")
    unaware(tab)


@one_by_one
def test_after_a_reload_with_what_it_left_on_its_way_it_is_the_same_machine(visit: Visit, ten: Path) -> None:
    page = visit(TOPIC, intercepted=True)
    page.on("dialog", lambda dialog: dialog.accept())
    press(page, "0", "0")
    saved(page)
    page.route("**/api/judgments", lambda route: (route.fetch(), None)[1], times=1)
    press(page, "0")
    page.wait_for_timeout(500)
    page.reload()
    press(page, "0")
    unaware(page)
    press(page, "u", "1")
    unaware(page)
    assert len(short(ten)) == 5


@one_by_one
def test_a_judgment_that_is_sent_again_after_its_answer_was_lost_is_no_other_machine_s(
    visit: Visit, ten: Path
) -> None:
    page = visit(TOPIC, intercepted=True)

    def stored_and_cut(route: Route) -> None:
        route.fetch()
        route.abort()

    press(page, "0")
    saved(page)
    page.route("**/api/judgments", stored_and_cut, times=1)
    press(page, "0", "0", "1")
    unaware(page)
    page.context.set_offline(True)
    press(page, "1", "1")
    page.context.set_offline(False)
    press(page, "1")
    unaware(page)
    assert [document_id for document_id, *_ in short(ten)] == NAMES[:7]


@one_by_one
def test_a_judgment_that_was_cleared_on_the_other_machine_is_to_be_given_again(
    visit: Visit, ten: Path
) -> None:
    page = visit(TOPIC)
    press(page, "0", "0")
    saved(page)
    there = visit(f"{TOPIC}&document=e01")
    ready(there, "Title e01")
    there.get_by_role("button", name="Clear").click()
    saved(there)
    press(page, *"00000000")
    expect(page.locator("#other-machine")).to_be_visible()
    expect(page.locator("#progress")).to_contain_text("9 of 10")
    press(page, "1")
    expect(page.locator(".finished")).to_be_visible()
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    expect(page.locator("#problems")).to_be_hidden()
    assert short(ten)[-1] == ("e01", "grade", 1)
    assert short(ten)[2] == ("e01", "cleared", None)
