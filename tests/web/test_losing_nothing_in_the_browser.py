"""What could lose, double or misattribute a judgment in a real browser, tried out."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from workbench.campaign import judgments, open_campaign
from workbench.records import Document, Judgment, Topic

pytestmark = pytest.mark.browser

MakeCampaign = Callable[..., Path]
Visit = Callable[..., Page]


@pytest.fixture
def pages(make_campaign: MakeCampaign) -> Path:
    """The campaign `pages`: one topic with three web pages, p1 to p3."""
    names = ["p1", "p2", "p3"]
    return make_campaign(
        "pages",
        [Topic("1", "rivers")],
        [Document(name, name, f"<p>The words of {name}</p>", "text/html") for name in names],
        {"alpha": {"1": names}},
    )


def ready(page: Page, title: str) -> None:
    expect(page.locator("#document h1")).to_have_text(title)
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")


def saved(page: Page) -> None:
    expect(page.locator("#save-state")).to_have_text("Saved")


def log(path: Path) -> list[Judgment]:
    with open_campaign(path) as campaign:
        return list(judgments.log(campaign))


def short(path: Path) -> list[tuple[str, str, str, int | None, str]]:
    return [(row.assessor, row.document_id, row.kind, row.grade, row.comment) for row in log(path)]


@pytest.mark.parametrize("failure", ["no answer", "404", "500", "another page"])
def test_a_web_page_whose_frame_did_not_load_cannot_be_judged(
    visit: Visit, pages: Path, failure: str
) -> None:
    def fail(route: Route) -> None:
        if failure == "no answer":
            route.abort()
        elif failure == "another page":
            route.fulfill(
                status=200, content_type="text/html", body="<p>Please sign in to the wireless network"
            )
        else:
            route.fulfill(status=int(failure), content_type="text/html", body="<p>An error")

    page = visit("/c/pages/judge?topic=1")
    page.route(re.compile("document-frame.*p2"), fail)
    page.reload()
    ready(page, "p1")
    page.keyboard.press("1")
    expect(page.locator("#document")).to_contain_text("could not be loaded")
    page.keyboard.press("1")
    page.wait_for_timeout(400)
    page.keyboard.press("1")
    saved(page)
    assert [row[1] for row in short(pages)] == ["p1"]
    page.unroute_all()
    ready(page, "p2")
    expect(page.frame_locator("iframe:not(.waiting)").locator("p")).to_have_text("The words of p2")
    page.keyboard.press("0")
    ready(page, "p3")
    saved(page)
    assert [row[1] for row in short(pages)] == ["p1", "p2"]
