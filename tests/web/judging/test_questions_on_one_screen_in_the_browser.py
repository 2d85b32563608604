"""A question about a document is asked on the page of its relevance, with the same document and the same keys."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.judging.judging_page import log, ready, saved
from workbench.campaign.questions import declare
from workbench.core.records import Grade, Question
from workbench.storage.campaign import open_campaign

pytestmark = pytest.mark.browser

READABLE = Question(
    "readable", "Readable?", (Grade(0, "Hard"), Grade(5, "Easy")), relevant_from=5, asked_from=1
)
TRUST = Question("trust", "Trustworthy?", (Grade(0, "No"), Grade(1, "Yes")))

FRAME = "document.querySelector('iframe.current').dataset.same = 'yes'"
IS_SAME = "document.querySelector('iframe.current').dataset.same === 'yes'"


@pytest.fixture
def asked(small: Path) -> Path:
    with open_campaign(small) as campaign:
        for question in (READABLE, TRUST):
            declare(campaign.by("Anna"), question)
    return small


def question(page: Page, title: str) -> None:
    """Wait until the question is on the panel, and can be answered."""
    expect(page.locator(".judge-side .asked b")).to_have_text(title)
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")


def given(path: Path) -> list[tuple[str, str, str, int | None]]:
    return [(row.topic_id, row.document_id, row.kind, row.grade) for row in log(path)]


def test_after_a_grade_its_questions_are_asked_about_the_same_document_then_comes_the_next(
    visit: Visit, asked: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.evaluate(FRAME)
    page.keyboard.press("1")
    question(page, "Readable?")
    assert page.evaluate(IS_SAME)
    expect(page.locator("#grades button")).to_have_text([re.compile("Hard"), re.compile("Easy")])
    expect(page.locator("#grades button[aria-checked=true]")).to_have_count(0)
    page.keyboard.press("1")  # no grade of this question
    expect(page.locator("#said[data-kind=ignored]")).to_be_visible()
    page.keyboard.press("5")
    question(page, "Trustworthy?")
    assert page.evaluate(IS_SAME)
    page.locator("#grades button", has_text="Yes").click()
    ready(page, "Document 2")
    expect(page.locator(".judge-side .asked")).to_have_count(0)
    page.keyboard.press("0")  # of what is not relevant one question is asked alone
    question(page, "Trustworthy?")
    page.keyboard.press("x")
    page.keyboard.press("x")  # without a reason
    ready(page, "Document 3")
    saved(page)
    assert given(asked) == [
        ("1", "d1", "grade", 1),
        ("1!readable", "d1", "grade", 5),
        ("1!trust", "d1", "grade", 1),
        ("1", "d2", "grade", 0),
        ("1!trust", "d2", "can't tell", None),
    ]
    expect(page.locator("#progress")).to_have_text("2 of 6 judged")


def test_undo_and_other_documents_lead_away_from_a_question_which_then_waits_in_its_topic(
    visit: Visit, asked: Path
) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.keyboard.press("1")
    question(page, "Readable?")
    page.keyboard.press("u")
    expect(page.locator(".judge-side .asked")).to_have_count(0)
    expect(page.locator("#mine")).to_have_text("You judged this: Relevant")
    ready(page, "Document 1")
    page.keyboard.press("0")
    question(page, "Trustworthy?")
    page.keyboard.press("ArrowRight")
    ready(page, "Document 2")
    expect(page.locator(".judge-side .asked")).to_have_count(0)
    page.keyboard.press("1")
    question(page, "Readable?")
    saved(page)
    assert given(asked) == [("1", "d1", "grade", 1), ("1", "d1", "grade", 0), ("1", "d2", "grade", 1)]
    page.goto(page.url.split("?")[0] + "?topic=1!trust")
    ready(page, "Document 1")


def test_without_an_answer_of_the_server_one_goes_on_and_what_was_answered_is_not_asked_again(
    visit: Visit, asked: Path
) -> None:
    page = visit("/c/small/judge?topic=1", intercepted=True)
    ready(page, "Document 1")
    page.route(re.compile(r"topic=1%21(readable|trust)"), lambda route: route.abort())
    page.keyboard.press("1")
    ready(page, "Document 2")
    page.unroute_all()
    page.keyboard.press("0")
    question(page, "Trustworthy?")
    page.keyboard.press("1")
    ready(page, "Document 3")
    page.keyboard.press("ArrowLeft")
    ready(page, "Document 2")
    page.keyboard.press("0")
    ready(page, "Document 3")
    saved(page)
    assert [row[0] for row in given(asked)] == ["1", "1", "1!trust", "1"]
