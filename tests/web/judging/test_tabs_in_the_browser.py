"""Two tabs on one topic know of each other, and of each other's end."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.fixture_types import Visit
from tests.web.judging.leaving import leave
from tests.web.judging.outboxes import until

pytestmark = pytest.mark.browser


OPEN = """async (topic) => {
    const { Tabs } = await import("/static/tabs.js");
    window.heard = [];
    window.tabs = new Tabs(topic, (count) => heard.push(count));
}"""


def another_tab(page: Page, topic: str) -> Page:
    tab = page.context.new_page()
    tab.goto(page.url)
    tab.evaluate(OPEN, topic)
    return tab


def test_the_second_tab_on_a_topic_learns_of_the_first_and_of_its_end(visit: Visit, small: Path) -> None:
    first = visit("/c/small/")
    first.evaluate(OPEN, "topic 1")
    second = another_tab(first, "topic 1")
    until(second, "heard.join() === '1'")
    until(first, "heard.join() === '1'")
    third = another_tab(first, "topic 1")
    until(third, "heard.at(-1) === 2")
    leave(first)
    until(second, "heard.join() === '1,2,1'")
    leave(third)
    until(second, "heard.join() === '1,2,1,0'")
