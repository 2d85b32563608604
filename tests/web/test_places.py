"""Every page of a campaign is declared once: its place in the menu, and the name in menu, title, heading and links."""

from __future__ import annotations

from collections import Counter

import pytest
from flask import Flask
from flask.testing import FlaskClient
from lxml import html

from tests.fixture_types import Post
from tests.web.test_organisers_pages_in_the_browser import ADDRESSES
from tests.web.test_organisers_pages_in_the_browser import rivers as rivers
from workbench.web.access.rules import rule_of
from workbench.web.places import GROUPS, PLACES, Place, way_to

pytestmark = pytest.mark.usefixtures("rivers")

OWN_HEADER = {"judge.page", "preview.page", "training.practice", "adjudication.pair"}
"""Pages without a masthead; the topic is their heading."""

NOT_PAGES = {
    "campaigns.home",
    "jump.find",
    "check_pages.page",
    "document_view.frame",
    "document_view.page_image",
    "preview.document",
    "training.document",
    "figures.file",
    "board.file",
    "downloads.download",
    "publish.bundle",
    "publish.comparison",
    "publish.sheets",
    "assignments.export",
    "own_work.hours",
    "submissions.receipt",
}
"""What organisers get by GET and is a file, or a part of a page."""


def by_address() -> dict[str, Place]:
    """The declared page at each address that the browser looks at, and of the judging page."""
    found = {}
    for endpoint, addresses in (ADDRESSES | {"judge.page": ["judge?topic=1"]}).items():
        for path in addresses:
            (place,) = (
                each
                for each in PLACES
                if each.endpoint == endpoint and each.kind in ("", path.rpartition("/")[2])
            )
            found[path] = place
    return found


def test_every_page_of_an_organiser_is_in_one_group_or_led_to_by_one_that_is(app: Flask) -> None:
    pages = {
        rule.endpoint
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/c/<campaign>/")
        and "/api/" not in rule.rule
        and "GET" in (rule.methods or ())
        if "organiser" in (((found := rule_of(app, rule.endpoint)) and found.roles) or ())
    }
    declared = {place.endpoint for place in PLACES if place.endpoint in pages}
    assert (pages - NOT_PAGES) ^ declared == set()
    for place in (each for each in PLACES if each.endpoint in pages):
        top = way_to(place)[-1]
        assert top.group in GROUPS or top.endpoint == "dashboard.page", place
        assert not (place.group and place.under), place


def test_a_form_that_is_refused_shows_the_name_of_its_page(anna: FlaskClient, post: Post) -> None:
    for path, name in {"delete/topic": "Delete unused topics", "compare/boards": "Two leaderboards"}.items():
        page = html.fromstring(post(anna, f"/c/rivers/{path}", document="none").text)
        assert [heading.text_content() for heading in page.iter("h1")] == [name]


def test_no_two_pages_have_the_same_name() -> None:
    assert [name for name, count in Counter(place.name for place in PLACES).items() if count > 1] == []


@pytest.mark.parametrize("path", by_address())
def test_menu_title_and_heading_say_the_same(anna: FlaskClient, path: str) -> None:
    place = by_address()[path]
    page = html.fromstring(anna.get(f"/c/rivers/{path}", follow_redirects=True).text)
    title, _, campaign = page.findtext("head/title").rpartition(" · ")
    assert campaign == "The rivers campaign"
    assert title == place.name or title.startswith(f"{place.name} "), title
    if place.endpoint in OWN_HEADER:
        return
    (heading,) = page.iter("h1")
    said = " ".join(heading.text_content().split())
    assert said == place.name or said.startswith(f"{place.name} "), said
    if place.endpoint == "board.printed":
        return
    top = way_to(place)[-1]
    current = page.xpath("//nav[@class='menu']//a[@aria-current]")
    assert [link.text for link in current] == [top.name]
    assert [link.get("aria-current") for link in current] == ["page" if top == place else "true"]
    assert page.xpath("//summary[@aria-current]/text()") == ([top.group] if top.group else [])
