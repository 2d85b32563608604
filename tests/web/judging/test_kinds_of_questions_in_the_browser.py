"""Several labels are turned on and off by their keys, and a number is typed; Enter saves either."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.judging.judging_page import log, ready, saved
from workbench.campaign.assessing import queue
from workbench.campaign.questions import declare
from workbench.core.records import LABELS, WEIGHT, Grade, Question
from workbench.formats.answers.banks import Bank, Nugget
from workbench.formats.scale import parse_weights
from workbench.storage.campaign import Campaign, open_campaign
from workbench.storage.campaign.collection import nuggets

pytestmark = pytest.mark.browser

PARTS = Question(
    "parts", "Which parts?", (), answered=LABELS, counts=((0, 0), (1, 2), (2, 3), (4, 4)), asked_from=1
)
TYPES = Question(
    "types", "Of which types?", (), answered=LABELS, labels=(Grade(1, "News"), Grade(2, "Advert", "Sells"))
)
WORTH = Question("worth", "How much?", tuple(parse_weights("0..10")), answered=WEIGHT, asked_from=1)
AVOID = Question("avoid", "How harmful?", tuple(parse_weights("-10..0")), answered=WEIGHT)


@pytest.fixture
def asked(small: Path) -> Path:
    with open_campaign(small) as campaign:
        for question in (PARTS, WORTH):
            declare(campaign.by("Anna"), question)
        bank(campaign, "Deep.", "بارد.")
    return small


def bank(campaign: Campaign, *texts: str) -> None:
    with campaign.write():
        made = Bank("1", tuple(Nugget(text, f"n{text}") for text in texts), "argue")
        nuggets.put(campaign.by("Anna"), made)


def question(page: Page, title: str) -> None:
    expect(page.locator(".judge-side .asked b")).to_have_text(title)
    expect(page.locator("#document")).to_have_attribute("aria-busy", "false")


def given(path: Path) -> list[tuple[str, str, str, int | None, int | None]]:
    return [(row.topic_id, row.document_id, row.kind, row.grade, row.chosen) for row in log(path)]


def order(path: Path, topic_id: str) -> list[str]:
    """The documents of a topic as Ben is shown them: those of questions are shuffled."""
    with open_campaign(path) as campaign:
        return [item.document_id for item in queue(campaign, topic_id, "Ben")]


def ticked(page: Page) -> list[str]:
    return page.locator("#grades [data-label][aria-checked=true] .grade-name").all_inner_texts()


def test_labels_and_a_number_are_asked_on_one_screen_with_relevance(visit: Visit, asked: Path) -> None:
    page = visit("/c/small/judge?topic=1")
    ready(page, "Document 1")
    page.keyboard.press("1")
    question(page, "Which parts?")
    page.keyboard.press("1")
    page.keyboard.press("2")
    assert ticked(page) == ["Deep.", "بارد."]
    page.keyboard.press("1")
    assert ticked(page) == ["بارد."]
    page.keyboard.press("7")  # no label
    expect(page.locator("#said[data-kind=ignored]")).to_be_visible()
    page.keyboard.press("Enter")
    question(page, "How much?")
    page.keyboard.press("Enter")  # nothing is typed
    expect(page.locator("#said[data-kind=ignored]")).to_be_visible()
    for key in ("1", "1", "Enter", "Backspace", "0", "Enter"):  # 11 is too much
        page.keyboard.press(key)
    ready(page, "Document 2")
    page.keyboard.press("1")
    question(page, "Which parts?")
    assert ticked(page) == []
    page.keyboard.press("Enter")  # none is an answer
    question(page, "How much?")
    page.locator("#weight").fill("3")
    page.locator("#weight").press("Enter")
    ready(page, "Document 3")
    saved(page)
    assert given(asked) == [
        ("1", "d1", "grade", 1, None),
        ("1!parts", "d1", "grade", 2, 0b10),
        ("1!worth", "d1", "grade", 10, None),
        ("1", "d2", "grade", 1, None),
        ("1!parts", "d2", "grade", 0, 0),
        ("1!worth", "d2", "grade", 3, None),
    ]


def test_what_was_chosen_is_there_after_undo_and_is_asked_again_when_a_nugget_came(
    visit: Visit, asked: Path
) -> None:
    with open_campaign(asked) as campaign:
        declare(campaign.by("Anna"), PARTS._replace(asked_from=None))
    first, second, *_ = order(asked, "1!parts")
    page = visit("/c/small/judge?topic=1!parts")
    ready(page, f"Document {first[1]}")
    page.locator("#grades button", has_text="Deep.").click()
    page.keyboard.press("Enter")
    ready(page, f"Document {second[1]}")
    page.keyboard.press("u")
    ready(page, f"Document {first[1]}")
    assert ticked(page) == ["Deep."]
    page.keyboard.press("2")
    page.locator("#grades button", has_text="Save").click()
    ready(page, f"Document {second[1]}")
    saved(page)
    with open_campaign(asked) as campaign:
        bank(campaign, "Deep.", "بارد.", "Wide.")
    page.goto(page.url.split("?")[0] + "?topic=1!parts")
    ready(page, f"Document {first[1]}")
    assert ticked(page) == ["Deep.", "بارد."]
    page.keyboard.press("3")
    page.keyboard.press("Enter")
    ready(page, f"Document {second[1]}")
    page.keyboard.press("x")
    page.keyboard.press("x")
    saved(page)
    assert given(asked) == [
        ("1!parts", first, "grade", 2, 0b1),
        ("1!parts", first, "grade", 3, 0b11),
        ("1!parts", first, "grade", 3, 0b111),
        ("1!parts", second, "can't tell", None, None),
    ]


def test_a_number_below_0_needs_no_sign_and_answers_are_kept_without_the_network(
    visit: Visit, small: Path
) -> None:
    with open_campaign(small) as campaign:
        for question_ in (AVOID, TYPES):
            declare(campaign.by("Anna"), question_)
    first, second, third, *_ = order(small, "1!avoid")
    page = visit("/c/small/judge?topic=1!avoid")
    ready(page, f"Document {first[1]}")
    page.context.set_offline(True)
    page.keyboard.press("4")
    page.keyboard.press("Enter")
    ready(page, f"Document {second[1]}")
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    ready(page, f"Document {third[1]}")
    page.keyboard.press("ArrowLeft")
    ready(page, f"Document {second[1]}")
    expect(page.locator("#weight")).to_have_value("0")
    page.keyboard.press("1")  # in the place of what is there
    page.keyboard.press("0")
    page.keyboard.press("Enter")
    page.context.set_offline(False)
    saved(page)
    page.goto(page.url.split("?")[0] + "?topic=1!types")
    first, second, *_ = order(small, "1!types")
    ready(page, f"Document {first[1]}")
    page.keyboard.press("2")
    page.keyboard.press("Enter")
    ready(page, f"Document {second[1]}")
    saved(page)
    assert [row[2:] for row in given(small)] == [
        ("grade", -4, None),
        ("grade", 0, None),
        ("grade", -10, None),
        ("grade", 1, 0b10),
    ]
