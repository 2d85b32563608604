"""The fixtures that other tests stand on."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser


@pytest.mark.browser
def test_the_browser_paints_a_page(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_content("<h1>Judge this</h1>")
    assert page.locator("h1").inner_text() == "Judge this"
    context.close()
