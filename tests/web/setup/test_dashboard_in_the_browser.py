"""The dashboard in a browser: its figure is drawn, its links lead on, it fits and is accessible."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.axe import found
from tests.web.drawings import drawn
from tests.web.setup.test_dashboard import judge
from workbench.campaign.ingest import add_runs
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def busy(small: Path, tmp_path: Path) -> Path:
    """The campaign `small` with judgments of two people, a conflict, and a run with a warning."""
    now = datetime.now(UTC)
    (tmp_path / "gamma.run").write_text("1 Q0 d1 1 2 gamma\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        for number in range(1, 5):
            judge(campaign, "1", f"d{number}", number % 2, "Ben", now - timedelta(days=5 - number))
        judge(campaign, "1", "d1", 0, "Carla", now)
        add_runs(campaign.by("Anna", now), [str(tmp_path / "gamma.run")])
    return small


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_the_dashboard_is_accessible_and_fits(visit: Visit, busy: Path, scheme: str, width: int) -> None:
    options = {"color_scheme": scheme, "viewport": {"width": width, "height": 900}}
    page = visit("/c/small/dashboard", "Anna", bypass_csp=True, **options)
    drawn(page.locator(".figure"))
    assert found(page, "the dashboard") == []
    assert not page.evaluate("document.documentElement.scrollWidth > document.documentElement.clientWidth")


def test_the_figure_of_days_is_drawn_under_the_pages_own_policy(visit: Visit, busy: Path) -> None:
    page = visit("/c/small/dashboard", "Anna")
    drawn(page.locator(".figure"))
    figure = page.locator(".figure-place svg")
    expect(figure).to_be_visible()
    expect(figure).to_contain_text("Judgments (in a day)")
    expect(figure).to_contain_text("Carla")


def test_a_topic_with_a_conflict_leads_to_the_pairs_that_differ(visit: Visit, busy: Path) -> None:
    page = visit("/c/small/dashboard", "Anna")
    page.locator(".entry", has_text="conflicting grades").get_by_role("link", name="1", exact=True).click()
    expect(page).to_have_url(page.url.split("/c/")[0] + "/c/small/judgments?topic=1&look=conflict")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Judgments of topic 1")


def test_the_settings_can_be_saved_wherever_one_is_in_them(visit: Visit, small: Path) -> None:
    page = visit("/c/small/settings", "Anna", viewport={"width": 1440, "height": 900})
    save = page.get_by_role("button", name="Save settings")
    fields = page.get_by_label("Fields of documents")
    expect(save).to_be_in_viewport(ratio=1)
    fields.focus()
    field, bar = fields.bounding_box(), save.bounding_box()
    assert field is not None
    assert bar is not None
    assert field["y"] + field["height"] <= bar["y"], "the bar covers no field that has the focus"
