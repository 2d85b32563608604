"""Nuggets are written, merged and accepted by keyboard, on a small screen and in the dark."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.fixture_types import Visit
from tests.web.axe import complaints
from tests.web.judging.test_nuggets import bank
from tests.web.judging.test_nuggets import stored as stored

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_bank_is_worked_on_by_keyboard_alone(visit: Visit, stored: Path) -> None:
    page = visit("/c/small/nuggets/topic?topic=1", "Ben")
    page.get_by_role("button", name="Accept nugget 3").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_be_visible()
    page.locator("#text-new").focus()
    page.keyboard.type("It is long.")
    page.keyboard.press("Tab")
    page.keyboard.type("v")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("#nugget-4")).to_contain_text("vital")
    for number in (2, 4):
        page.get_by_label(f"Merge nugget {number}").focus()
        page.keyboard.press("Space")
    page.locator("#merge button").focus()
    page.keyboard.press("Enter")
    expect(page.locator(".nuggets > li")).to_have_count(3)
    assert [each.text for each in bank(stored)] == ["How deep?", "It is cold.", "It is wide."]
    assert not any(each.proposed for each in bank(stored))


def test_it_fits_a_small_screen_and_axe_finds_nothing(visit: Visit, stored: Path) -> None:
    small: ViewportSize = {"width": 390, "height": 800}
    page = visit("/c/small/nuggets/topic?topic=1", "Ben", viewport=small)
    page.get_by_text("Change nugget 1").click()
    page.locator(".nugget-versions summary").first.click()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert complaints(page, "topic") == []
    page.emulate_media(color_scheme="dark")
    assert complaints(page, "topic") == []
    page.set_viewport_size(small)
    page.goto(page.url.replace("/topic?topic=1", ""))
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    assert complaints(page, "list") == []
    page.emulate_media(color_scheme="light")
    assert complaints(page, "list") == []
