"""A model's label on the judging page, once one's own grade is stored, in a real browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.fixture_types import Visit
from tests.web.axe import found
from tests.web.judging.judging_page import press, ready, saved, short
from tests.web.judging.test_second_look import label
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.grades import shown_labels
from workbench.storage.campaign.organising import settings

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def test_the_label_comes_after_the_grade_and_one_key_judges_again(visit: Visit, small: Path) -> None:
    label(small, second_look_control="0")
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    line = page.locator("#second-look")
    expect(line).to_be_hidden()
    press(page, "0")
    ready(page, "Document 2")
    expect(line).to_contain_text(re.compile("Document 1.*gpt.*Relevant"))
    assert found(page, "second look") == []
    press(page, ",")
    ready(page, "Document 1")
    expect(line).to_be_hidden()
    press(page, "1")
    ready(page, "Document 2")
    saved(page)
    expect(line).to_be_hidden()
    assert [row for row in short(small) if row[1] != "model"] == [
        ("d1", "grade", 0),
        ("d1", "second look", 1),
    ]


def test_the_next_judgment_or_keeping_takes_the_line_away(visit: Visit, small: Path) -> None:
    label(small, second_look_control="0")
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    press(page, "1")
    expect(page.locator("#second-look")).to_be_visible()
    page.get_by_role("button", name="Keep", exact=True).click()
    expect(page.locator("#second-look")).to_be_hidden()
    press(page, "0")
    expect(page.locator("#second-look")).to_contain_text("Document 2")


def test_of_a_control_pair_nothing_is_shown(visit: Visit, small: Path) -> None:
    label(small, second_look_seed="4")
    with open_campaign(small) as campaign:
        rules = settings.read(campaign)
    control = next(each for each in ("d1", "d2", "d3") if shown_labels.is_control(rules, "1", each))
    page = visit(f"/c/small/judge?topic=1&document={control}")
    ready(page, f"Document {control[1:]}")
    with page.expect_response("**/api/second-look") as answered:
        press(page, "1")
    assert answered.value.json() == {"judge": None, "grade": None}
    expect(page.locator("#second-look")).to_be_hidden()
