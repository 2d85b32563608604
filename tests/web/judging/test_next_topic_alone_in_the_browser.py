"""When the judging page has the browser fetch the next topic's page, without a server."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HTML = """<section id=document></section><div id=place></div><template id=finished-template><section class=finished>
<a class=next-topic href="/c/two/judge?topic=2&amp;after=1">Next</a></section></template>"""

NEXT = """async () => {
    const { NextTopic } = await import("/static/judging/next_topic.js");
    window.open = 3;
    window.waiting = [];
    window.page = {
        data: { early: true, guideline_version: 2 }, outbox: { database: {} },
        queue: { counts: () => ({ open: window.open }) },
        preferences: { listen: (listener) => (window.preferred = listener), waiting: () => waiting },
    };
    window.next = new NextTopic(page);
    const ahead = () => [...document.querySelectorAll(".next-topic[data-ahead]")];
    window.fetched = () => ahead().map((link) => link.getAttribute("href"));
    window.finish = (isSaved) => {
        place.replaceChildren(document.getElementById("finished-template").content.cloneNode(true));
        place.querySelector("a").toggleAttribute("data-ahead", isSaved);
    };
    window.stored = () => (next.stored(), fetched());
}"""

ADDRESS = "/c/two/judge?topic=2&after=1"


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of(HTML, NEXT)


def test_it_is_fetched_once_when_three_documents_are_left(page: Page) -> None:
    assert page.evaluate("(window.open = 4, stored())") == []
    assert page.evaluate("(window.open = 3, stored())") == [ADDRESS]
    assert page.evaluate("(window.open = 2, stored())") == [ADDRESS]
    assert page.evaluate("(finish(true), fetched())") == [ADDRESS, ADDRESS]


@pytest.mark.parametrize(
    "change",
    [
        "page.data.early = false",
        "page.outbox.database = null",
        "waiting.push('size')",
        "document.getElementById('finished-template').content.querySelector('a').remove()",
        "document.getElementById('finished-template').remove()",
    ],
)
def test_it_is_not_fetched_where_it_could_not_know_what_is_judged_meanwhile(page: Page, change: str) -> None:
    assert page.evaluate(f"({change}, stored())") == []


def test_what_was_fetched_before_preferences_changed_is_not_used(page: Page) -> None:
    page.evaluate("(preferred(), stored(), preferred())")
    assert page.evaluate("fetched()") == []
    assert page.evaluate("stored()") == [f"{ADDRESS}&again=1"]
    page.evaluate("(finish(true), preferred())")
    assert page.evaluate("fetched()") == []
    assert page.evaluate("place.querySelector('a').getAttribute('href')") == f"{ADDRESS}&again=2"


def test_what_was_fetched_before_the_guidelines_changed_is_fetched_once_more(page: Page) -> None:
    assert page.evaluate("(stored(), next.heardGuidelines(2), stored())") == [ADDRESS]
    assert page.evaluate("(next.heardGuidelines(3), fetched())") == []
    assert page.evaluate("(stored(), next.heardGuidelines(3), stored())") == [f"{ADDRESS}&again=1"]


def test_also_what_is_fetched_once_the_topic_is_complete_is_given_up_for_other_preferences(
    page: Page,
) -> None:
    page.evaluate("(finish(true), preferred())")
    assert page.evaluate("[fetched(), place.querySelector('a').getAttribute('href')]") == [
        [], f"{ADDRESS}&again=1",
    ]  # fmt: skip


def test_after_four_minutes_it_is_fetched_again(page: Page) -> None:
    assert page.evaluate("stored()") == [ADDRESS]
    page.clock.run_for(240_000)
    assert page.evaluate("stored()") == [ADDRESS]
    page.clock.run_for(1)
    assert page.evaluate("stored()") == [f"{ADDRESS}&again=1"]


def test_the_link_is_neither_seen_nor_reached(page: Page) -> None:
    page.evaluate("stored()")
    link = page.locator("#document a")
    assert [link.get_attribute(name) for name in ("aria-hidden", "tabindex")] == ["true", "-1"]
    assert "visually-hidden" in str(link.get_attribute("class"))
