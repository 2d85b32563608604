"""Where a page is only touched its texts name buttons and no keys; the list of keys says that they are a keyboard's."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, Visit
from tests.sentences import says
from tests.web.judging.judging_page import ready
from workbench.campaign import training
from workbench.campaign.changing_settings import change_settings
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.assigning.training import PRACTICE, TrainingPair

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TOPIC = "/c/small/judge?topic=1"
TOUCHED: dict[str, Any] = {"has_touch": True, "is_mobile": True}
PHONE = {**TOUCHED, "viewport": {"width": 390, "height": 844}}
TABLET = {**TOUCHED, "viewport": {"width": 1180, "height": 820}}


@pytest.fixture(params=[PHONE, TABLET], ids=["phone", "tablet"])
def touched(request: pytest.FixtureRequest, visit: Visit, small: Path) -> Page:
    """A judging page that is only touched, at its first document."""
    page = visit(TOPIC, **request.param)
    ready(page, "Document 1")
    return page


def is_wide(page: Page) -> bool:
    """Whether it is the tablet."""
    return (page.viewport_size or PHONE["viewport"])["width"] > 860


def keys_of(page: Page, place: str = "body") -> list[str]:
    """The keys that can be seen there."""
    return page.locator(f"{place} kbd:visible").all_inner_texts()


def test_the_page_names_no_key_but_the_button_of_preferences_has_its_face(touched: Page) -> None:
    assert keys_of(touched) == (["?"] if is_wide(touched) else [])
    assert "Esc" not in touched.locator("body").inner_text()
    lefts = (
        "(shapes) => shapes.map((one) => one.getBoundingClientRect().left - one.closest('button').offsetLeft)"
    )
    assert len(set(touched.locator(".grade .shape").evaluate_all(lefts))) <= 2


def test_guidelines_and_reasons_name_their_grades_and_buttons(touched: Page) -> None:
    touched.locator("#topic summary").tap()  # on a phone the guidelines are in it
    touched.locator("[data-action=guidelines]:visible").first.tap()
    guidelines = touched.get_by_role("dialog", name="Guidelines")
    expect(guidelines).to_contain_text("Not relevant")
    assert keys_of(touched, "#guidelines") == []
    guidelines.get_by_role("button", name="Close").tap()
    touched.locator("[data-action='cannot tell']").tap()
    expect(touched.get_by_role("dialog", name="Why can’t you")).to_be_visible()
    said = touched.locator("#reasons li").all_inner_texts()
    assert said == ["Language", "Unreadable", "Needs context", "Topic unclear"]


def test_a_tap_opens_preferences_without_keys_and_the_list_of_keys_is_for_a_keyboard(touched: Page) -> None:
    touched.keyboard.press("?")
    keys = touched.get_by_role("dialog", name="Keys")
    expect(keys.get_by_text("For a keyboard,")).to_be_visible()
    assert "x" in keys_of(touched, "#keys")
    keys.get_by_role("button", name="Close", exact=True).tap()
    if is_wide(touched):
        touched.locator(".key-button").tap()
    else:
        touched.get_by_role("button", name="Reading tools").tap()
        touched.locator(".reading .letters").tap()
    preferences = touched.get_by_role("dialog", name="Preferences")
    assert keys_of(touched, "#preferences") == []
    assert "stay after grading" in preferences.inner_text()
    expect(preferences.get_by_role("button", name="Change keys")).to_be_hidden()
    preferences.get_by_role("button", name="Tour of").tap()
    expect(touched.get_by_role("dialog", name="Tour of")).to_be_visible()
    expect(preferences).to_be_hidden()


def test_a_complete_topic_names_the_button_undo(touched: Page) -> None:
    for _ in range(6):
        expect(touched.locator("#document")).to_have_attribute("aria-busy", "false")
        touched.wait_for_timeout(400)
        touched.locator("[data-grade='1']").tap()
    expect(touched.locator(".finished h2")).to_have_text("Topic complete")
    assert says(touched.locator(".finished").inner_text())


@pytest.mark.parametrize("look", [PHONE, TABLET], ids=["phone", "tablet"])
def test_cards_practice_and_adjudication_name_no_keys(
    visit: Visit, small: Path, judging_as: JudgeAs, look: dict[str, Any]
) -> None:
    with open_campaign(small) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
        for name, document_id, grade in (("Ben", "d1", 1), ("Carla", "d1", 0), ("Carla", "d2", 1)):
            judging_as(campaign, name, "1", document_id, grade)
        training.choose_pair(campaign.by("Anna"), TrainingPair("1", "d2", PRACTICE, 1, "It names one."))
    page = visit(TOPIC, **look)
    expect(page.locator(".shown > .card[aria-current]")).to_be_visible()
    assert keys_of(page) == ["?"]
    page = visit("/c/small/practice", **look)
    expect(page.locator(".grade").first).to_be_visible()
    assert keys_of(page) == (["?"] if look is TABLET else [])
    page = visit("/c/small/adjudicate", "Anna", **look)
    expect(page.locator(".grade").first).to_be_visible()
    assert keys_of(page) == []
    assert "Esc" not in page.locator("body").inner_text()


def test_with_a_keyboard_and_a_mouse_keys_are_named_beside_their_buttons(visit: Visit, small: Path) -> None:
    page = visit(TOPIC)
    ready(page, "Document 1")
    assert {"0", "1", "x", "l", "u", "?", "c"} <= set(keys_of(page))
    expect(page.locator("#keys .by-touch")).to_be_hidden()
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()
    expect(page.locator("#keys .by-touch")).to_be_hidden()


def test_the_button_of_preferences_has_a_face_also_when_it_has_no_key(visit: Visit, small: Path) -> None:
    page = visit(TOPIC)
    ready(page, "Document 1")
    page.locator(".key-button").click()
    page.get_by_role("button", name="key of: Keys").click()
    page.get_by_role("button", name="No key").click()
    expect(page.locator(".key-button kbd")).to_be_hidden()
    face = page.locator(".key-button").evaluate("(one) => getComputedStyle(one, '::before').content")
    assert face == '"?"'
