"""An organiser looks at the runs, opens one, withdraws it and restores it; its figures are drawn."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import JudgeAs, Visit
from tests.web.axe import complaints
from tests.web.drawings import all_drawn
from tests.web.menu import choose
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture(autouse=True)
def judged(small: Path, judging_as: JudgeAs) -> Path:
    with open_campaign(small) as campaign:
        judging_as(campaign, "Ben", "1", "d1", 1)
        judging_as(campaign, "Ben", "2", "d2", 0)
    return small


def test_a_run_is_withdrawn_after_a_second_look_and_restored(visit: Visit) -> None:
    page = visit("/c/small/runs", "Anna")
    page.get_by_role("link", name=re.compile("Withdraw +alpha")).click()
    expect(page.get_by_text("its pooled documents stay pooled")).to_be_visible()
    page.get_by_role("textbox", name="Reason (for the log)").last.fill("sent twice")
    page.get_by_role("button", name="Withdraw alpha").click()
    expect(page.get_by_role("heading", name="Withdrawn")).to_be_visible()
    expect(page.get_by_text("sent twice")).to_be_visible()
    choose(page, "Results", "Leaderboard")
    expect(page.get_by_role("rowheader", name="beta")).to_be_visible()
    expect(page.get_by_role("rowheader", name="alpha")).to_have_count(0)
    choose(page, "Set up", "Runs")
    page.get_by_role("link", name=re.compile("Restore +alpha")).click()
    page.get_by_role("button", name="Restore alpha").click()
    expect(page.get_by_text("Rank 1 of 2 runs by AP")).to_be_visible()


def test_a_run_is_looked_at_topic_by_topic(visit: Visit) -> None:
    page = visit("/c/small/runs", "Anna")
    page.get_by_role("link", name="alpha", exact=True).click()
    page.wait_for_url("**/run?run=alpha")
    all_drawn(page)
    page.get_by_text("Topics as a table").click()
    page.get_by_role("row", name="1 frozen rivers").get_by_role("link").click()
    expect(page.get_by_role("heading", name="alpha on topic 1")).to_be_visible()
    page.get_by_role("link", name="Document 1", exact=True).click()
    expect(page).to_have_url(re.compile(r"/c/small/pair\?topic=1&document=d1$"))


def test_documents_and_withdrawn_runs_are_accessible_and_fit_a_phone(visit: Visit) -> None:
    page = visit("/c/small/run?run=beta&ask", "Anna")
    page.get_by_role("button", name="Withdraw beta").click()
    expect(page.get_by_role("heading", name="Withdrawn")).to_be_visible()
    told = []
    for path in ("runs", "run?run=beta", "run?run=alpha&topic=1", "run?run=beta&topic=1"):
        page.goto(page.url.partition("/c/")[0] + f"/c/small/{path}")
        all_drawn(page)
        told += complaints(page, path)
    assert told == []
