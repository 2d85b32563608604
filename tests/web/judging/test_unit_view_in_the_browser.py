"""Judging answers in a real browser: one key for each unit, with the answer and what it cites in sight."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from urllib.parse import urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import MakeCampaign, Visit
from tests.made_answers import REEFS, YEARS, answer
from tests.web.axe import found
from tests.web.judging.judged_answers import (
    ARABIC,
    BANK,
    COOL,
    SLOW,
    SPAN,
    TEXTS,
    answers_campaign,
    ask_spans,
    campaign_of,
    many_answers,
    unit_of,
)
from tests.web.judging.judging_page import can_judge, coloured, inside, log, press, ready, saved, select
from tests.web.test_accessibility_in_the_browser import serve_with_scripts
from workbench.formats.answers.banks import Nugget

pytestmark = pytest.mark.browser

PHONE = {"viewport": {"width": 390, "height": 844}}


@pytest.fixture
def rag(make_campaign: MakeCampaign) -> Path:
    """The campaign `rag`."""
    return answers_campaign(make_campaign)


def test_fifty_units_take_fifty_keys(visit: Visit, make_campaign: MakeCampaign) -> None:
    path = many_answers(make_campaign)
    page = visit("/c/rag/judge?topic=17!nuggets")
    keys = [*"0121"] * 12 + [*"20"]
    press(page, *keys)
    expect(page.locator(".finished")).to_be_visible()
    saved(page)
    assert [str(row.grade) for row in log(path)] == keys
    assert len({row.document_id for row in log(path)}) == len(keys) == 50


def test_a_document_that_contradicts_takes_one_key_too(visit: Visit, rag: Path) -> None:
    page = visit("/c/rag/judge?topic=17!support")
    press(page, "o", "2")
    saved(page)
    assert [row.grade for row in log(rag)] == [-1, 2]


def test_a_sentence_stands_beside_the_best_passage_of_what_it_cites(visit: Visit, rag: Path) -> None:
    unit = unit_of(rag, "17!support", SLOW, REEFS)
    page = visit(f"/c/rag/judge?topic=17!support&document={unit.unit_id}")
    ready(page, SLOW)
    expect(page.locator("#unit")).to_have_text(SLOW)
    expect(inside(page).locator(".sentence.judged")).to_have_text(SLOW)
    expect(inside(page).locator(".cite.judged")).to_have_text("[1]")
    expect(inside(page).locator("main mark")).to_have_text(["reefs", "recover", "slowly"])
    expect(inside(page).locator("main mark").first).to_be_in_viewport()
    answer_box, text_box = (
        inside(page).locator(part).bounding_box() for part in (".answer", ".cited-document")
    )
    assert answer_box and text_box and answer_box["x"] + answer_box["width"] <= text_box["x"]


def test_a_document_opens_at_the_span_that_is_judged(visit: Visit, rag: Path) -> None:
    ask_spans(rag)
    page = visit("/c/rag/judge?topic=17!spans")
    ready(page, BANK[0].text)
    expect(page.locator("#unit")).to_have_text(BANK[0].text)
    expect(inside(page).locator("main mark")).to_have_text([SPAN])
    expect(inside(page).locator("main mark")).to_be_in_viewport()
    text_box, body_box = (inside(page).locator(part).bounding_box() for part in (".cited-document", "body"))
    assert (
        text_box and body_box and text_box["width"] > body_box["width"] / 2
    )  # no room is kept for an answer
    press(page, "2")
    saved(page)
    assert [row.grade for row in log(rag)] == [2]


def test_on_a_phone_the_unit_stays_above_what_is_read(visit: Visit, rag: Path) -> None:
    unit = unit_of(rag, "17!support", SLOW, REEFS)
    page = visit(f"/c/rag/judge?topic=17!support&document={unit.unit_id}", **PHONE)
    ready(page, SLOW)
    expect(page.locator("#unit")).to_be_hidden()
    page.keyboard.press("f")
    inside(page).locator("main p").last.scroll_into_view_if_needed()
    expect(inside(page).locator(".unit-text")).to_be_in_viewport()
    page.set_viewport_size({"width": 1366, "height": 768})
    expect(page.locator("#unit")).to_have_text(SLOW)


def test_the_nuggets_of_an_answer_are_listed_with_the_grades_given(visit: Visit, rag: Path) -> None:
    page = visit("/c/rag/judge?topic=17!nuggets")
    press(page, "2", "1")
    can_judge(page)
    nuggets, parts = inside(page).locator(".nuggets"), inside(page).locator(".nugget-state")
    expect(nuggets).to_contain_text("Nugget 3 of 3")
    expect(parts).to_have_text(["Support", "Partial support", ""])
    expect(nuggets.locator("[aria-current]")).to_contain_text(BANK[2].text)
    expect(page.locator("#unit")).to_have_text(BANK[2].text)
    press(page, "0")
    can_judge(page)
    expect(nuggets).to_contain_text("Nugget 1 of 3")
    expect(parts).to_have_text(["", "", ""])


def test_undo_returns_to_the_unit_before(visit: Visit, rag: Path) -> None:
    page = visit("/c/rag/judge?topic=17!nuggets")
    press(page, "2", "u")
    ready(page, BANK[0].text)
    press(page, "0")
    ready(page, BANK[1].text)
    saved(page)
    first, second = log(rag)
    assert (first.document_id, second.replaces, second.grade) == (second.document_id, first.seq, 0)


def test_an_hour_without_the_network_loses_no_unit(visit: Visit, make_campaign: MakeCampaign) -> None:
    path = many_answers(make_campaign)
    page = visit("/c/rag/judge?topic=17!support")
    can_judge(page)
    page.evaluate("document.querySelector('[name=ahead][value=topic]').click()")
    expect(page.locator("#ready-count")).to_have_text("50")
    page.context.set_offline(True)
    press(page, *["1"] * 20)
    expect(page.locator("#save-state")).to_have_text("Offline, 20 kept here")
    assert log(path) == []
    page.context.set_offline(False)
    saved(page)
    assert Counter(row.grade for row in log(path)) == {1: 20}


def test_an_answer_in_arabic_is_read_from_right_to_left(visit: Visit, make_campaign: MakeCampaign) -> None:
    sentence, nugget = ARABIC
    lines = [answer("17", (sentence, [0]), ("ثم تنمو من جديد.", [1]))]
    campaign_of(make_campaign, lines, [Nugget(nugget)])
    page = visit("/c/rag/judge?topic=17!nuggets")
    ready(page, nugget)
    main = inside(page).locator("main")
    assert main.evaluate("(main) => getComputedStyle(main).direction") == "rtl"
    boxes = [each.bounding_box() for each in main.locator(".sentence").all()]
    assert boxes[0] and boxes[1] and boxes[0]["x"] > boxes[1]["x"]
    cite = main.locator(".cite").first.bounding_box()
    assert cite and cite["x"] < boxes[0]["x"]
    unit = page.locator("#unit")
    assert unit.evaluate("(unit) => getComputedStyle(unit).direction") == "rtl"


def test_a_passage_of_what_is_cited_is_kept_as_the_reason(visit: Visit, rag: Path) -> None:
    unit = unit_of(rag, "17!support", SLOW, REEFS)
    page = visit(f"/c/rag/judge?topic=17!support&document={unit.unit_id}")
    ready(page, SLOW)
    select(page, "reefs", "slowly")
    press(page, "m", "2")
    saved(page)
    (row,) = log(rag)
    (kept,) = row.rationales
    assert (kept.field, kept.text) == ("text", "reefs recover slowly")
    assert TEXTS[REEFS][kept.start : kept.end] == kept.text
    press(page, "u")
    ready(page, SLOW)
    assert coloured(page, "rationale") == ["reefs recover slowly"]


def test_sentences_of_an_answer_are_kept_as_the_reason(visit: Visit, rag: Path) -> None:
    unit = unit_of(rag, "17!nuggets", BANK[2].text, run=2)
    page = visit(f"/c/rag/judge?topic=17!nuggets&document={unit.unit_id}")
    ready(page, BANK[2].text)
    select(page, "slowly", "Cooler")
    press(page, "m", "2")
    saved(page)
    (row,) = log(rag)
    assert [kept.text for kept in row.rationales] == ["slowly.", "Cooler"]
    answer_text = f"{SLOW}\n\n{COOL}"
    assert [answer_text[kept.start : kept.end] for kept in row.rationales] == ["slowly.", "Cooler"]


@pytest.mark.parametrize("name", ["support", "nuggets"])
def test_axe_finds_nothing_in_units_and_around_them(visit: Visit, rag: Path, name: str) -> None:
    support = unit_of(rag, "17!support", COOL, YEARS)
    unit = support if name == "support" else unit_of(rag, "17!nuggets", BANK[2].text)
    page = visit("/", intercepted=True)
    page.route("**/document-frame?**", serve_with_scripts)
    origin = page.url
    for size in ({"width": 1366, "height": 768}, PHONE["viewport"]):
        page.set_viewport_size(size)
        page.goto(urljoin(origin, f"/c/rag/judge?topic=17!{name}"))
        can_judge(page)
        assert in_both_schemes(page, "the page") == []
        page.goto(urljoin(origin, f"/c/rag/document-frame?topic=17!{name}&document={unit.unit_id}&whole=1"))
        assert in_both_schemes(page, "the unit") == []


def in_both_schemes(page: Page, name: str) -> list[str]:
    """What axe finds in the light and in the dark."""
    complaints = []
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
        complaints += found(page, name)
    return complaints
