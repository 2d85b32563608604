"""Pages in Chinese and Arabic on screen: they fit, run the right way, and break no rule of axe-core."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.axe import complaints
from tests.web.judging.judging_page import ready
from workbench.campaign.submission_rules import Rules, change_rules
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.people import members

pytestmark = [pytest.mark.browser, pytest.mark.usefixtures("small")]

PAGES = [
    ("Ben", "/account"),
    ("Ben", "/c/small/own-topics"),
    ("Ben", "/c/small/judge?topic=1"),
    ("Ben", "/c/small/own-judgments"),
    ("Paul", "/c/small/own-runs"),
    ("Paul", "/c/small/submit"),
    ("Paul", "/nowhere"),
]


@pytest.fixture
def open_for_runs(small: Path) -> None:
    """`small`, open for submissions for a day more; Paul is a participant, of team Alpha."""
    with open_campaign(small) as campaign:
        with campaign.write():
            members.put(campaign.by("Anna"), "Paul", "participant", team="Alpha")
        rules = Rules(is_open=True, limit=2, deadline=datetime.now(UTC) + timedelta(days=1))
        change_rules(campaign.by("Anna"), rules)


@pytest.mark.slow
@pytest.mark.usefixtures("open_for_runs")
@pytest.mark.parametrize("code", ["ar", "zh-CN"])
@pytest.mark.parametrize(("who", "where"), PAGES)
def test_pages_fit_and_are_accessible(visit: Visit, who: str, where: str, code: str) -> None:
    page = visit(where, who, locale=code)
    expect(page.locator("html")).to_have_attribute("dir", "rtl" if code == "ar" else "ltr")
    assert complaints(page, where) == []


def test_on_arabic_pages_the_left_arrow_leads_on(visit: Visit) -> None:
    page = visit("/c/small/judge?topic=1", locale="ar")
    ready(page, "Document 1")
    page.keyboard.press("ArrowLeft")
    ready(page, "Document 2")
    page.keyboard.press("ArrowRight")
    ready(page, "Document 1")
    grades = page.locator("#grades button")
    grades.first.focus()
    page.keyboard.press("ArrowLeft")
    expect(grades.nth(1)).to_be_focused()
