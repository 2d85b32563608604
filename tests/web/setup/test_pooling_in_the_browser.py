"""A pool is planned and made in a browser, with and without a wide window."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.axe import found
from tests.web.drawings import all_drawn
from workbench.campaign.ingest import add_runs
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.collection import pools

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def grown(small: Path, tmp_path: Path) -> Path:
    """The campaign `small` with one more run, whose two documents for topic 2 are not pooled yet."""
    (tmp_path / "gamma.run").write_text("2 Q0 d5 1 9 gamma\n2 Q0 d6 2 8 gamma\n", encoding="utf-8")
    with open_campaign(small) as campaign:
        add_runs(campaign.by("Anna"), [str(tmp_path / "gamma.run")])
    return small


def test_a_pool_is_counted_and_then_made(grown: Path, visit: Visit) -> None:
    page = visit("/c/small/pool", "Anna")
    page.get_by_role("spinbutton", name="Depth").fill("1")
    page.get_by_label("Judgments per hour").fill("3")
    page.get_by_role("button", name="Preview").click()
    expect(page.locator(".lead")).to_contain_text("it would grow by 1, from 8 to 9.")
    expect(page.locator(".lead + p")).to_contain_text(
        "9 pairs are left to judge: 3.0 hours at an assumed 3 per hour"
    )
    all_drawn(page)
    expect(page.locator("figure[data-state=drawn]").first).to_be_visible()
    page.get_by_role("button", name="Add 1 pair").click()
    expect(page.get_by_role("status")).to_have_text("Pool 2 created: 1 new pair.")
    expect(page.locator(".lead")).to_contain_text("9 pairs in 2 topics are pooled")
    with open_campaign(grown) as campaign:
        assert [pool.pairs for pool in pools.all_pools(campaign)] == [8, 1]


@pytest.mark.parametrize(("width", "scheme"), [(1440, "light"), (390, "dark")])
def test_the_page_is_accessible_and_as_wide_as_its_window(
    grown: Path, visit: Visit, width: int, scheme: str
) -> None:
    page = visit("/c/small/pool", "Anna", viewport={"width": width, "height": 900}, color_scheme=scheme)
    all_drawn(page)
    expect(page.locator("figure[data-state=drawn]").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert found(page, "pool") == []
