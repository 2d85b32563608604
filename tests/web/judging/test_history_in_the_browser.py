"""The history page in a real browser: found by a form, with and without JavaScript, and led back to the document."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, Visit
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def judged(small: Path, judging_as: JudgeAs) -> None:
    """d1 was not relevant first, is relevant now; d2 has a note."""
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 0)
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Ben", "1", "d2", 0, comment="Über Seen")


@pytest.mark.usefixtures("judged")
@pytest.mark.parametrize("scripts", [True, False])
def test_a_judgment_is_found_and_opened(visit: Visit, scripts: bool) -> None:
    page = visit("/c/small/", java_script_enabled=scripts)
    page.get_by_role("link", name="Your judgments").last.click()
    expect(page.get_by_role("status")).to_have_text("You judged 2 documents.")
    page.get_by_label("Search").fill("über")
    page.get_by_label("Judged").select_option("0")
    page.get_by_role("button", name="Show").click()
    expect(page.get_by_role("status")).to_have_text("You judged 2 documents; 1 matches.")
    expect(page.locator(".judged-row")).to_contain_text("Über Seen")
    page.get_by_role("link", name="Document 2").click()
    expect(page).to_have_url(re.compile(r"/c/small/judge\?topic=1&document=d2$"))


@pytest.mark.usefixtures("judged")
def test_earlier_versions_are_unfolded(visit: Visit) -> None:
    page = visit("/c/small/history")
    earlier = page.locator(".judged-earlier li")
    expect(earlier).to_be_hidden()
    page.get_by_text("1 earlier version").click()
    expect(earlier).to_contain_text("Not relevant")


@pytest.mark.usefixtures("judged")
def test_times_are_those_of_the_readers_clock(visit: Visit) -> None:
    page = visit("/c/small/history", timezone_id="Asia/Tokyo", locale="de-DE")
    expect(page.locator(".judged-row > .judged-time").first).to_have_text("1. März 2026, 21:00 GMT+9")
    plain = visit("/c/small/history", java_script_enabled=False)
    expect(plain.locator(".judged-row > .judged-time").first).to_have_text("1 Mar 2026, 12:00 UTC")
