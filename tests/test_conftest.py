"""The fixtures that other tests stand on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from workbench.storage.campaign import create_campaign, open_campaign


@pytest.mark.browser
def test_the_browser_paints_a_page(browser: Browser) -> None:
    context = browser.new_context()
    page = context.new_page()
    page.set_content("<h1>Judge this</h1>")
    assert page.locator("h1").inner_text() == "Judge this"
    context.close()


def test_a_new_campaign_is_as_another_process_makes_it(tmp_path: Path) -> None:
    paths = tmp_path / "here.db", tmp_path / "there.db"
    create_campaign(paths[0]).close()
    code = "import sys; from workbench.storage.campaign import create_campaign; create_campaign(sys.argv[1]).close()"
    subprocess.run([sys.executable, "-c", code, paths[1]], check=True)
    held = []
    for path in paths:
        with open_campaign(path) as campaign:
            held.append(list(campaign.db.conn.iterdump()))
    assert held[0] == held[1]
