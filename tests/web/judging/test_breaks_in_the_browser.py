"""The judging page offers a break after so many documents or minutes, as the assessor chose, else the organiser."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.judging.judging_page import press, ready
from workbench.campaign.changing_settings import change_settings
from workbench.storage.campaign import open_campaign

pytestmark = pytest.mark.slow


def test_a_break_comes_after_the_organisers_number_of_documents_and_judging_goes_on(
    visit: Visit, small: Path
) -> None:
    with open_campaign(small) as campaign:
        change_settings(campaign.by("Anna"), {"break-documents": 1})
    page = visit("/c/small/judge?topic=1", "Ben")
    ready(page, "Document 1")
    press(page, "1")
    dialog = page.get_by_role("dialog", name="Time for")
    expect(dialog).to_be_visible()
    expect(dialog).to_contain_text("You judged 1 document")
    page.keyboard.press("2")  # dropped: the dialog stands over the page
    expect(page.locator("#progress")).to_contain_text("1 of")
    page.keyboard.press("Enter")
    expect(dialog).to_be_hidden()
    expect(page.locator("#save-state")).to_have_attribute("data-state", "saved")
