"""A server that is stopped in the middle of an answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments

pytestmark = pytest.mark.browser

HALF = '{"stored": {'


def test_an_answer_that_breaks_off_is_none_and_the_judgment_is_sent_again(visit: Visit, small: Path) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    page.route(
        "**/api/judgments",
        lambda route: route.fulfill(status=201, content_type="application/json", body=HALF),
    )
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")
    page.keyboard.press("1")
    expect(page.locator("#save-state")).to_have_text("Offline, 1 kept here")
    page.unroute_all()
    page.evaluate("dispatchEvent(new Event('online'))")
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
    with open_campaign(small) as campaign:
        assert [row.grade for row in judgments.log(campaign)] == [1]
