"""Adjudicating by hand: one key settles, the next conflict comes, u takes back; and without JavaScript."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import JudgeAs, Visit
from tests.sentences import says
from workbench.campaign.questions import declare
from workbench.core.records import WEIGHT, Question
from workbench.formats.scale import parse_weights
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.grades import adjudications

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def campaign(small: Path, judging_as: JudgeAs) -> Campaign:
    """Ben and Carla differ on d1, d2 and d3 of topic 1."""
    opened = open_campaign(small)
    for document_id in ("d1", "d2", "d3"):
        for name, grade in (("Ben", 1), ("Carla", 0)):
            judging_as(opened, name, "1", document_id, grade)
    return opened


def shown(page: Page) -> str:
    """The document on the screen, once it may be settled."""
    expect(page.locator("#decide")).to_have_attribute("data-ready", "yes")
    return str(page.locator("input[name=document]").input_value())


def test_one_key_settles_and_the_next_conflict_comes(visit: Visit, campaign: Campaign) -> None:
    page = visit("/c/small/adjudicate", "Anna")
    first = shown(page)
    page.keyboard.press("1")
    expect(page.locator(".settled-last")).to_contain_text("Relevant")
    second = shown(page)
    assert second != first
    found = adjudications.of_pair(campaign, "1", first)
    assert found is not None
    assert found.grade == 1
    page.keyboard.press("u")
    expect(page.locator("input[name=document]")).to_have_value(first)
    shown(page)
    assert adjudications.of_pair(campaign, "1", first) is None


def test_keys_count_in_the_document_and_not_while_a_note_is_written(visit: Visit, campaign: Campaign) -> None:
    page = visit("/c/small/adjudicate", "Anna")
    first = shown(page)
    page.keyboard.press("c")
    page.keyboard.type("1 of 2 is right")
    page.keyboard.press("Escape")
    expect(page.locator("#note")).not_to_be_focused()
    page.frame_locator("#frame").locator("body").click()
    page.keyboard.press("0")
    expect(page.locator(".settled-last")).to_contain_text("Not relevant")
    found = adjudications.of_pair(campaign, "1", first)
    assert found is not None
    assert (found.grade, found.comment) == (0, "1 of 2 is right")


def test_a_reason_that_is_too_long_is_neither_cut_nor_sent(visit: Visit, campaign: Campaign) -> None:
    page = visit("/c/small/adjudicate", "Anna")
    first = shown(page)
    note = page.locator("#note")
    note.fill("𝟙" * 10_001)
    page.frame_locator("#frame").locator("body").click()
    page.keyboard.press("0")
    expect(note).to_be_focused()
    assert says(note.evaluate("field => field.validationMessage"), "10,001", "10,000")
    assert note.input_value() == "𝟙" * 10_001
    assert adjudications.in_force(campaign) == {}
    note.fill("𝟙" * 10_000)
    page.keyboard.press("Escape")
    page.keyboard.press("0")
    expect(page.locator(".settled-last")).to_contain_text("Not relevant")
    found = adjudications.of_pair(campaign, "1", first)
    assert found is not None
    assert found.comment == "𝟙" * 10_000


def test_j_goes_on_and_k_goes_back_without_settling(visit: Visit, campaign: Campaign) -> None:
    page = visit("/c/small/adjudicate", "Anna")
    first = shown(page)
    page.keyboard.press("j")
    expect(page.locator("input[name=document]")).not_to_have_value(first)
    shown(page)
    page.keyboard.press("k")
    expect(page.locator("input[name=document]")).to_have_value(first)
    assert adjudications.in_force(campaign) == {}


def test_all_of_it_works_without_javascript(visit: Visit, campaign: Campaign) -> None:
    page = visit("/c/small/adjudicate", "Anna", java_script_enabled=False)
    first = page.locator("input[name=document]").input_value()
    page.get_by_role("button", name="Not relevant").click()
    expect(page.locator(".settled-last")).to_contain_text("Not relevant")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("input[name=document]")).to_have_value(first)
    assert adjudications.in_force(campaign) == {}


def test_a_number_of_many_is_typed(visit: Visit, small: Path, judging_as: JudgeAs) -> None:
    opened = open_campaign(small)
    declare(
        opened.by("Anna"), Question("worth", "How much?", tuple(parse_weights("-20..20")), answered=WEIGHT)
    )
    for name, grade in (("Ben", 1), ("Carla", 20)):
        judging_as(opened.asking("worth"), name, "1!worth", "d1", grade)
    page = visit("/c/small/adjudicate?question=worth&topic=1!worth&document=d1", "Anna")
    shown(page)
    expect(page.locator("#decide .grade")).to_have_count(1)
    number = page.locator("#number")
    number.fill("21")
    number.press("Enter")
    assert adjudications.of_pair(opened, "1!worth", "d1") is None
    number.fill("-7")
    number.press("Enter")
    expect(page.locator("#decide")).to_have_count(0)
    found = adjudications.of_pair(opened, "1!worth", "d1")
    assert found is not None
    assert found.grade == -7
