"""From a card to the page of its document, and back to the next card."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Dialog, Page, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.web.judging.judging_page import can_judge, log, press, ready, saved, short
from tests.web.judging.outboxes import until
from workbench.campaign.changing_settings import change_settings
from workbench.core.records import Document, Topic
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NAMES = [f"d{number}" for number in range(1, 7)]
TALL = "\n\n".join(f"Line {number} of a long text." for number in range(200))
ALONE = re.compile(r"\?topic=1&document=")
CARDS = re.compile(r"\?topic=1$")


@pytest.fixture
def rivers(make_campaign: MakeCampaign) -> Path:
    """Six documents as cards, of which d2 is taller than any screen."""
    texts = [Document(name, f"Title {name}", TALL if name == "d2" else "Ice.") for name in NAMES]
    path = make_campaign("rivers", [Topic("1", "deep rivers")], texts, {"alpha": {"1": NAMES}})
    with open_campaign(path) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    return path


def current(page: Page, title: str) -> None:
    """Wait until this card is the one that the next key judges."""
    expect(page).to_have_url(CARDS)
    expect(page.locator(".shown > .card[aria-current]")).to_have_attribute("aria-label", title)


def sent(page: Page) -> None:
    """Wait until the server has every judgment, also where the current card is too tall to be judged."""
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")


def cards(page: Page) -> list[tuple[str, str]]:
    """The cards on the screen, each with what is said of its judgment, once all of them are there."""
    expect(page.locator(".shown > .card.coming")).to_have_count(0)
    shown = page.locator(".shown > .card").all()
    return [(str(one.get_attribute("aria-label")), one.locator(".card-state").inner_text()) for one in shown]


def opened(visit: Visit) -> Page:
    """The page of the document d2, which was opened from its card once d1 was judged."""
    page = visit("/c/rivers/judge?topic=1")
    press(page, "1")
    current(page, "Title d2")
    page.get_by_role("link", name="Open Title d2 alone").click()
    ready(page, "Title d2")
    return page


@pytest.mark.parametrize(
    ("keys", "state", "judged"),
    [(["0"], "Not relevant", [("d2", "grade", 0)]), (["x", "x"], "Can’t tell", [("d2", "can't tell", None)])],
)
def test_a_document_that_was_opened_from_the_cards_leads_back_to_the_next_one_once_it_is_judged(
    visit: Visit, rivers: Path, keys: list[str], state: str, judged: list[tuple[str, str, int | None]]
) -> None:
    page = opened(visit)
    for key in keys:
        page.keyboard.press(key)
    current(page, "Title d3")
    page.get_by_role("link", name="Open Title d6 alone").wait_for()
    assert cards(page) == [("Title d2", state), *[(f"Title d{number}", "") for number in (3, 4, 5, 6)]]
    press(page, "u")
    expect(page.locator(".card[aria-current]")).to_have_attribute("aria-label", "Title d2")
    sent(page)
    assert short(rivers) == [("d1", "grade", 1), *judged]


def test_a_document_that_was_opened_from_the_cards_leads_back_to_them_when_it_is_postponed(
    visit: Visit, rivers: Path
) -> None:
    page = opened(visit)
    page.keyboard.press("l")
    current(page, "Title d3")
    page.get_by_role("link", name="Open Title d6 alone").wait_for()
    later = [("Title d2", "Postponed")]
    assert cards(page) == [(f"Title d{number}", "") for number in (3, 4, 5, 6)] + later
    assert short(rivers) == [("d1", "grade", 1)]


def test_what_the_server_does_not_have_yet_is_sent_by_the_page_of_cards(visit: Visit, rivers: Path) -> None:
    page = opened(visit)
    asked: list[Dialog] = []
    page.on("dialog", lambda dialog: asked.append(dialog))
    page.route("**/api/judgments", lambda route: route.abort())
    page.keyboard.press("1")
    current(page, "Title d3")
    assert cards(page)[0] == ("Title d2", "Relevant")
    assert short(rivers) == [("d1", "grade", 1)]
    page.unroute("**/api/judgments")
    press(page, "0")
    saved(page)
    assert short(rivers) == [("d1", "grade", 1), ("d2", "grade", 1), ("d3", "grade", 0)]
    assert asked == [], "nothing that could be lost"


def test_without_the_network_one_judges_on_alone_and_goes_back_when_the_server_responds(
    visit: Visit, rivers: Path
) -> None:
    page = opened(visit)
    until(page, "document.querySelectorAll('iframe').length > 2")
    page.context.set_offline(True)
    page.keyboard.press("1")
    ready(page, "Title d3")
    press(page, "l")
    ready(page, "Title d4")
    expect(page.locator("#save-state")).to_have_text("Offline, 1 kept here")
    page.context.set_offline(False)
    saved(page)
    press(page, "0")
    current(page, "Title d5")
    saved(page)
    assert short(rivers) == [("d1", "grade", 1), ("d2", "grade", 1), ("d4", "grade", 0)]


def test_a_server_that_takes_too_long_is_not_waited_for(visit: Visit, rivers: Path) -> None:
    page = opened(visit)
    until(page, "document.querySelectorAll('iframe').length > 2")
    page.route("**/session", lambda route: None)
    page.keyboard.press("1")
    ready(page, "Title d3")
    expect(page).to_have_url(ALONE)
    saved(page)
    assert short(rivers) == [("d1", "grade", 1), ("d2", "grade", 1)]


def test_a_downloaded_topic_is_judged_one_at_a_time_until_the_network_is_back(
    visit: Visit, rivers: Path
) -> None:
    page = visit("/c/rivers/offline")
    page.get_by_role("button", name="Download").click()
    expect(page.locator("#offline-state")).to_contain_text("without a network")
    until(page, "navigator.serviceWorker.controller")
    page.goto(page.url.replace("/offline", "/judge?topic=1"))
    press(page, "1")
    current(page, "Title d2")
    sent(page)
    page.context.set_offline(True)
    page.keyboard.press("f")
    ready(page, "Title d2")
    press(page, "1")
    ready(page, "Title d3")
    page.reload()
    ready(page, "Title d3")
    page.context.set_offline(False)
    saved(page)
    press(page, "0")
    current(page, "Title d4")
    saved(page)
    assert short(rivers) == [("d1", "grade", 1), ("d2", "grade", 1), ("d3", "grade", 0)]


def test_who_stays_after_grading_stays_and_goes_back_by_the_link_or_escape(
    visit: Visit, rivers: Path
) -> None:
    page = opened(visit)
    press(page, "y", "1")
    expect(page.locator("#mine")).to_contain_text("You judged this: Relevant")
    saved(page)
    ready(page, "Title d2")
    page.get_by_role("banner").get_by_role("link", name="Back to").click()
    current(page, "Title d3")
    assert cards(page)[0] == ("Title d2", "Relevant")
    page.keyboard.press("f")
    ready(page, "Title d3")
    page.keyboard.press("Escape")
    current(page, "Title d3")
    assert cards(page)[0] == ("Title d3", "")
    assert short(rivers) == [("d1", "grade", 1), ("d2", "grade", 1)]


def test_undo_on_the_page_of_a_document_shows_the_one_before_and_its_new_grade_leads_back_too(
    visit: Visit, rivers: Path
) -> None:
    page = opened(visit)
    press(page, "u")
    ready(page, "Title d1")
    expect(page.locator("#mine")).to_contain_text("You judged this: Relevant")
    page.reload()
    press(page, "0")
    current(page, "Title d2")
    sent(page)
    assert short(rivers) == [("d1", "grade", 1), ("d1", "grade", 0)]


def test_the_offer_of_a_break_is_answered_before_the_cards_come_back(visit: Visit, rivers: Path) -> None:
    with open_campaign(rivers) as campaign:
        change_settings(campaign.by("Anna"), {"break-documents": "2"})
    page = opened(visit)
    page.keyboard.press("1")
    expect(page.get_by_role("dialog", name="break")).to_be_visible()
    expect(page).to_have_url(ALONE)
    page.keyboard.press("Enter")
    current(page, "Title d3")


def test_a_document_that_was_opened_from_elsewhere_is_followed_by_the_next_one_alone(
    visit: Visit, rivers: Path
) -> None:
    page = visit("/c/rivers/judge?topic=1&document=d4")
    ready(page, "Title d4")
    page.keyboard.press("Escape")
    press(page, "1")
    ready(page, "Title d5")
    expect(page).to_have_url(ALONE)
    saved(page)
    assert [row.document_id for row in log(rivers)] == ["d4"]


def test_a_near_duplicate_of_what_was_judged_alone_has_its_card_for_itself(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    text = "The river froze from bank to bank in the night, and in the morning children walked over it to their school"
    copies = [Document(name, "Winter", f"{text} in the {name}.") for name in ("south", "west", "north")]
    names = [one.document_id for one in copies]
    path = make_campaign("winter", [Topic("1", "ice")], copies, {"alpha": {"1": names}})
    with open_campaign(path) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    page = visit("/c/winter/judge?topic=1")
    expect(page.locator(".card[aria-current]")).to_have_attribute(
        "aria-label", "Winter, and 2 near duplicates"
    )
    page.keyboard.press("f")
    press(page, "1")
    current(page, "Winter, and 1 near duplicate")
    can_judge(page)
    assert cards(page) == [("Winter", "Relevant"), ("Winter, and 1 near duplicate", "")]


def test_where_most_cards_are_taller_than_the_screen_their_links_are_at_hand_and_one_may_judge_one_at_a_time(
    visit: Visit, make_campaign: MakeCampaign
) -> None:
    text = "The river froze from bank to bank in the night. " * 40
    made = [Document(name, f"Title {name}", text if name != "d3" else "Ice.") for name in NAMES[:4]]
    names = [one.document_id for one in made]
    path = make_campaign("tall", [Topic("1", "rivers")], made, {"alpha": {"1": names}})
    with open_campaign(path) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    page = visit("/c/tall/judge?topic=1", viewport={"width": 390, "height": 844})
    current(page, "Title d1")
    expect(page.get_by_text("the screen?")).to_be_visible()
    for by in (0, 300):
        page.locator("#cards").evaluate("(place, by) => place.scrollBy(0, by)", by)
        expect(page.get_by_role("link", name="Open Title d1 alone")).to_be_in_viewport(ratio=1)
    page.get_by_role("link", name="Judge one").click()
    for title, following in (("Title d1", "Title d2"), ("Title d2", "Title d3")):
        ready(page, title)
        page.get_by_role("radio", name="Relevant", exact=True).click()
        ready(page, following)
    page.set_viewport_size({"width": 1600, "height": 1200})
    page.get_by_role("banner").get_by_role("link", name="Back to").click()
    current(page, "Title d3")
    expect(page.get_by_text("the screen?")).to_be_hidden()
