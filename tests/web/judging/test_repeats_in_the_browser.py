"""Documents that come again on the judging page, and norming sessions, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Route, expect

from tests.fixture_types import Visit
from tests.web.axe import found
from tests.web.judging.judging_page import press, ready, saved, short
from workbench.analysis.norming import open_norming, reveal_norming
from workbench.campaign.assessing import set_repeats
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import judgments

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_a_document_that_comes_again_looks_like_any_other_and_never_counts(visit: Visit, small: Path) -> None:
    with open_campaign(small) as campaign:
        set_repeats(campaign.by("Anna"), 1.0, 2, 0)
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    for key, title in (("1", "Document 2"), ("0", "Document 3"), ("1", "Document 4")):
        press(page, key)
        ready(page, title)
        saved(page)
    expect(page.locator("#progress")).to_have_text("3 of 7 judged")
    expect(page.locator("#recent li")).to_have_count(2)
    press(page, "1")
    ready(page, "Document 5")
    saved(page)
    press(page, "1")
    ready(page, "Document 1")
    expect(page.locator("#mine")).to_have_text("")
    press(page, "0")
    ready(page, "Document 2")
    saved(page)
    assert short(small)[-1] == ("d1", "repeat", 0)
    with open_campaign(small) as campaign:
        assert next(judgments.each_of_view_of_qrels(campaign))[1:] == ("d1", 1)
    expect(page).to_have_url(re.compile("document=d2$"))
    page.goto(page.url.replace("d2", "d1"))
    ready(page, "Document 1")
    expect(page.locator("#mine")).to_contain_text("Not relevant")
    press(page, "1")
    saved(page)
    assert short(small)[-1] == ("d1", "repeat", 1)


def test_a_document_comes_again_also_where_the_answer_that_says_so_was_lost(
    visit: Visit, small: Path
) -> None:
    with open_campaign(small) as campaign:
        set_repeats(campaign.by("Anna"), 1.0, 2, 0)
    page = visit("/c/small/judge?topic=1", intercepted=True)

    def stored_and_cut(route: Route) -> None:
        route.fetch()
        route.abort()

    press(page, "1", "0")
    ready(page, "Document 3")
    saved(page)
    page.route("**/api/judgments", stored_and_cut, times=1)
    press(page, "1")
    expect(page.locator("#save-state")).to_have_attribute("data-state", "offline")
    saved(page)
    expect(page.locator("#progress")).to_have_text("3 of 7 judged")


def test_a_norming_session_is_judged_on_the_same_page_and_stays_apart(visit: Visit, small: Path) -> None:
    with open_campaign(small) as campaign:
        open_norming(campaign.by("Anna"), "1", ["d2", "d1"])
    page = visit("/c/small/")
    page.get_by_role("link", name="judge its 2 documents").click()
    page.get_by_role("link", name="Judge these documents").click()
    ready(page, "Document 2")
    press(page, "1")
    ready(page, "Document 1")
    expect(page).to_have_url(re.compile(r"judge\?norming=1&document=d1$"))
    saved(page)
    page.reload()
    ready(page, "Document 1")
    press(page, "0")
    expect(page.locator(".finished")).to_contain_text("Session complete")
    saved(page)
    assert short(small) == [("d2", "norming", 1), ("d1", "norming", 0)]
    page.goto(page.url.split("?")[0] + "?topic=1")
    ready(page, "Document 1")
    expect(page.locator("#progress")).to_have_text("0 of 6 judged")


@pytest.mark.parametrize("width", [1440, 390])
def test_the_page_of_a_session_can_be_used_by_all(
    visit: Visit, address: str, small: Path, width: int
) -> None:
    page = visit("/c/small/norming", "Anna", viewport={"width": width, "height": 900})
    steps = (
        lambda campaign: open_norming(campaign.by("Anna"), "1", ["d2", "d1"]),
        lambda campaign: reveal_norming(campaign.by("Anna")),
    )
    for step in steps:
        with open_campaign(small) as campaign:
            step(campaign)
        page.goto(f"{address}/c/small/norming")
        assert found(page, "norming") == []
        assert page.evaluate("document.documentElement.scrollWidth") == width
