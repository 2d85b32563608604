"""On paper: all that a page says, and nothing that only a screen needs."""

from __future__ import annotations

import io
from pathlib import Path
from unicodedata import normalize

import pytest
from playwright.sync_api import Page
from pypdf import PdfReader

from tests.fixture_types import JudgeAs, Visit
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

TWELVE = "m=nDCG@10&m=AP&m=P@10&m=RR&m=R@10&m=P@5&m=Bpref&m=Rprec&m=ERR@10&m=nDCG@20&m=RBP(p=0.8)&m=P@3"
PAGES = {
    "board": "Copy as CSV",
    f"board?{TWELVE}": "Page for print",
    "board/print": "Workbench",
    "compare?run=alpha&run=beta": "Runs by topic",
    "compare/pairs": "no other",
    "runs": "Withdraw runs",
    "topics": "Show",
    "dashboard": "Sign out",
    "stop": "Permanent address",
}
"""Each page, and something of the screen that is on no paper."""

A4 = 794 - 2 * 45
"""Pixels between the margins of a page, 12 mm each."""


@pytest.fixture(autouse=True)
def judged(small: Path, judging_as: JudgeAs) -> None:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Ben", "2", "d2", 1)


def printed(page: Page) -> str:
    """The text of a page on paper, without white space."""
    pages = PdfReader(io.BytesIO(page.pdf(prefer_css_page_size=True))).pages
    text = normalize("NFKC", "".join(part.extract_text() for part in pages))  # without ligatures
    return "".join(text.split())


def test_what_stands_on_a_page_stands_on_paper(visit: Visit) -> None:
    page = visit("/c/small/jobs", "Anna")
    address = page.url.removesuffix("jobs")
    for asked in PAGES:
        page.emulate_media(media="null")
        page.set_viewport_size({"width": 1280, "height": 720})
        page.goto(address + asked)
        assert_on_paper(page, asked)


def assert_on_paper(page: Page, asked: str) -> None:
    cells = page.locator("main :is(h1, h2, td, tbody th, summary + p)").evaluate_all(
        """(places) => places
            .filter((place) => !place.matches(".visually-hidden") && !place.querySelector("button, form, details"))
            .flatMap((place) => place.innerText.normalize("NFKC").split(/\\s+/))"""
    )
    words = printed(page)
    assert (asked, [cell for cell in cells if cell not in words]) == (asked, [])
    assert PAGES[asked].replace(" ", "") not in words
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 1032 if TWELVE in asked else A4, "height": 1000})
    assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]  # type: ignore[index]


def test_a_figure_that_was_never_in_sight_is_on_paper(visit: Visit) -> None:
    page = visit("/c/small/compare?run=alpha&run=beta", "Anna")
    assert page.locator("figure[data-figure*='compare-curves'][data-state]").count() == 0
    words = printed(page)
    assert "Interpolatedprecision,meanovertopics" in words
