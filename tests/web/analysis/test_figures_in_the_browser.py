"""Figures as a browser draws them, under the policy of every page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from flask import Flask, render_template_string, request
from playwright.sync_api import ConsoleMessage, Locator, Page, expect

from tests.fixture_types import JudgeAs, MakeCampaign, Visit
from tests.web.drawings import A_WHILE
from tests.web.judging.outboxes import until
from workbench.core.records import Document, Topic
from workbench.methods.charts.style import ACCENT, DARK, UNJUDGED
from workbench.storage.campaign import open_campaign
from workbench.web.access.rules import ORGANISERS, allowing

pytestmark = [pytest.mark.browser, pytest.mark.slow]


PAGE = """{% extends "base.html" %}{% from "macros.html" import figure %}
{% block scripts %}<script type="module" src="{{ url_for('static', filename='analysis/figures.js') }}"></script>
{% endblock %}
{% block main %}<h1>A page</h1>{{ figure("rivers", name, "What it shows", parameters) }}{% endblock %}"""
TOPICS = [Topic(str(number), f"river {number}") for number in range(1, 61)]
PHONE: dict[str, Any] = {"viewport": {"width": 390, "height": 844}, "is_mobile": True, "has_touch": True}
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'"


@pytest.fixture
def rivers(make_campaign: MakeCampaign, judging_as: JudgeAs) -> Path:
    """60 topics, two runs; of the first topic's two documents one is judged, and relevant."""
    path = make_campaign(
        "rivers",
        TOPICS,
        [Document("d1", "Ice", "Ice."), Document("d2", "Snow", "Snow.")],
        {
            "alpha": {topic.topic_id: ["d1", "d2"] for topic in TOPICS},
            "beta": {topic.topic_id: ["d2", "d1"] for topic in TOPICS},
        },
    )
    with open_campaign(path) as campaign:
        for topic in TOPICS:
            judging_as(campaign, "Ben", topic.topic_id, "d1", 1)
    return path


@pytest.fixture
def app(app: Flask) -> Flask:
    """The application with a page that shows any one figure."""

    def page(campaign: str, name: str) -> str:
        return render_template_string(PAGE, name=name, parameters=request.args.to_dict())

    app.add_url_rule("/c/<campaign>/show/<name>", "show", allowing(ORGANISERS)(page))
    return app


def shown(visit: Visit, asked: str, **options: Any) -> Page:
    """The page with a figure; a figure is drawn, or says why not, before this returns."""
    page = visit(f"/c/rivers/show/{asked}", "Anna", **options)
    expect(page.locator("figure[data-state]")).to_have_count(1, timeout=A_WHILE)
    return page


def picture(page: Page) -> Locator:
    return page.locator("figure[data-state=drawn] .figure-place svg.marks")


@pytest.mark.usefixtures("rivers")
def test_a_figure_is_drawn_and_the_policy_of_pages_is_kept(visit: Visit) -> None:
    page = shown(visit, "topics")
    told: list[str] = []

    def hear(message: ConsoleMessage) -> None:
        told.append(message.text)

    page.on("console", hear)
    answer = page.reload()
    assert answer is not None
    assert answer.headers["content-security-policy"].startswith(POLICY)
    assert "unsafe" not in answer.headers["content-security-policy"]
    expect(picture(page)).to_have_count(1, timeout=A_WHILE)
    expect(picture(page).locator(".mark-symbol path")).to_have_count(60)
    assert told == []


@pytest.mark.usefixtures("rivers")
def test_what_a_mark_stands_for_is_reported_beside_the_pointer(visit: Visit) -> None:
    page = shown(visit, "topic-map?topic=1")
    picture(page).locator(".mark-rect path").first.hover()
    tooltip = page.locator("#vg-tooltip-element.visible")
    expect(tooltip).to_contain_text("alpha")
    expect(tooltip).to_contain_text("Relevant")
    assert tooltip.evaluate("(box) => getComputedStyle(box).position") == "fixed"


@pytest.mark.usefixtures("rivers")
def test_a_figure_has_the_colours_of_its_page_and_changes_with_it(visit: Visit) -> None:
    page = shown(visit, "topics", color_scheme="light")
    dots = picture(page).locator(".mark-symbol path").first
    expect(dots).to_have_attribute("fill", ACCENT)
    page.emulate_media(color_scheme="dark")
    expect(dots).to_have_attribute("fill", DARK[ACCENT])
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert dots.get_attribute("fill") == ACCENT, "on paper, and at once"
    page.emulate_media(media="print", color_scheme="dark")
    ink = "getComputedStyle(document.body).color.match(/\\d+/g).map(Number)"
    assert max(page.evaluate(ink)) < 64, "dark letters"
    page.emulate_media(media="screen", color_scheme="dark")
    assert min(page.evaluate(ink)) > 192, "bright letters"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(dots).to_have_attribute("fill", DARK[ACCENT])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.usefixtures("rivers")
def test_what_nobody_judged_is_hatched(visit: Visit, scheme: str) -> None:
    page = shown(visit, "topic-map?topic=1", color_scheme=scheme)
    left = UNJUDGED if scheme == "light" else DARK[UNJUDGED]
    expect(picture(page).locator("pattern")).to_have_count(1)
    expect(
        picture(page).locator(f'pattern[width="4"] rect[width="1.2"][height="4"][fill="{left}"]')
    ).to_have_count(1)
    expect(picture(page).locator('.mark-rect [fill^="url(#unjudged"]')).to_have_count(2)
    expect(picture(page).locator(f'path[fill="{left}"]')).to_have_count(0)


@pytest.mark.parametrize("width", [1366, 390])
@pytest.mark.usefixtures("rivers")
def test_a_figure_of_topics_is_as_wide_as_its_place(visit: Visit, width: int) -> None:
    page = shown(visit, "topics", viewport={"width": width, "height": 768})
    place, inside = page.locator(".figure-place").bounding_box(), picture(page).bounding_box()
    assert place is not None
    assert inside is not None
    assert inside["width"] == pytest.approx(place["width"], abs=4)


@pytest.mark.usefixtures("rivers")
def test_a_wide_figure_is_scrolled_in_its_place_by_keys_too(visit: Visit) -> None:
    page = shown(visit, "leaderboard", **PHONE)
    place = page.locator(".figure-place")
    assert place.evaluate("(place) => place.scrollWidth > place.clientWidth")
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    place.focus()
    page.keyboard.press("ArrowRight")
    until(page, "document.querySelector('.figure-place').scrollLeft > 0")


@pytest.mark.usefixtures("rivers")
def test_without_scripts_the_picture_is_shown(visit: Visit) -> None:
    page = visit("/c/rivers/show/topic-map?topic=1", "Anna", java_script_enabled=False)
    image = page.locator("noscript img, figure img")
    expect(image).to_have_attribute("alt", "What it shows")
    assert page.request.get(image.evaluate("(image) => image.src")).headers["content-type"] == "image/svg+xml"
