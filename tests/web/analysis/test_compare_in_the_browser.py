"""Comparing in a real browser: chosen by a form, drawn, looked at closely, and saved."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.drawings import A_WHILE, drawn
from tests.web.menu import choose
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(autouse=True)
def judged(small: Path, judging_as: JudgeAs) -> None:
    """alpha has AP 1 and 1/2, beta 0 and 1."""
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Ben", "2", "d2", 1)


def there(page: Page, name: str) -> None:
    """Wait until the figure of this name can be seen."""
    figure = page.locator(f"figure[data-figure*='{name}']")
    drawn(figure)
    expect(figure.locator(".figure-place svg").first).to_be_visible()


def test_two_runs_are_chosen_compared_and_their_chart_saved_as_svg(visit: Visit, tmp_path: Path) -> None:
    page = visit("/c/small/board", "Anna")
    choose(page, "Results", "Compare runs")
    form = page.get_by_role("form", name="Runs to compare")
    form.get_by_role("combobox", name="Baseline").select_option("alpha")
    form.get_by_role("combobox", name="with").select_option("beta")
    form.get_by_role("combobox", name="by").fill("RR")
    form.get_by_role("button", name="Compare").click()
    # RR: alpha 1 and 1/2, beta 0 and 1
    expect(page.locator(".lead")).to_contain_text("beta is behind alpha by 0.2500 RR (0.5000 against 0.7500)")
    expect(page).to_have_url(re.compile("run=alpha&run=beta"))
    there(page, "compare-topics")
    with page.expect_download(timeout=A_WHILE) as saving:
        page.locator("figure[data-figure*='compare-topics']").get_by_role("link", name="SVG").click()
    file = tmp_path / "saved.svg"
    saving.value.save_as(file)
    text = file.read_text(encoding="utf-8")
    assert text.startswith("<svg")
    assert "Difference in RR" in text
    there(page, "compare-curves")


def test_a_topic_is_looked_at_closely(visit: Visit) -> None:
    page = visit("/c/small/compare?run=alpha&run=beta", "Anna")
    page.get_by_text("All 2 topics as a table").click()
    page.get_by_role("link", name="2", exact=True).click()
    expect(page.locator("#closer")).to_contain_text(
        "On topic 2 (warm lakes), beta has AP 1.0000 and alpha 0.5000"
    )
    page.get_by_role("combobox", name="Topic").select_option("1")
    page.get_by_role("form", name="Topic").get_by_role("button", name="Show").click()
    expect(page.locator("#closer")).to_contain_text("beta has AP 0.0000 and alpha 1.0000")


def test_a_file_of_judgments_is_compared_with_and_its_chart_is_there_without_scripts(
    visit: Visit, tmp_path: Path
) -> None:
    file = tmp_path / "second.qrels"
    file.write_text("1 0 d6 1\n2 0 d1 1\n", encoding="utf-8")
    page = visit("/c/small/compare/boards", "Anna", java_script_enabled=False)
    page.get_by_label("qrels file").set_input_files(file)
    page.get_by_role("button", name="Compare", exact=True).nth(1).click()
    expect(page.locator(".lead")).to_contain_text("AP by the campaign and AP by second.qrels order 2 runs")
    picture = page.get_by_role("img", name="The runs in their order")
    page.wait_for_load_state("load")
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")
