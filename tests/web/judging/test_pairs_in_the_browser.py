"""Pairs take one key each, at a desk, on a phone and without a network, with criteria on the same screen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode, urljoin

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import Visit
from tests.web.axe import found
from tests.web.judging.judging_page import can_judge, inside, log, press, saved
from tests.web.judging.test_offline_in_the_browser import downloaded
from tests.web.judging.test_pair_view import NAMES, SAID, chosen
from tests.web.judging.test_pair_view import rag as rag
from tests.web.test_accessibility_in_the_browser import serve_with_scripts
from workbench.campaign.battles import battles
from workbench.campaign.pools.making import add_pool
from workbench.campaign.questions import USUAL, declare
from workbench.core.about import ANSWER_PAIRS
from workbench.core.battles import BOTH_BAD, LEFT, RIGHT, TIE
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

QUESTION, CRITERION = NAMES[ANSWER_PAIRS], "safer"
ADDRESS = f"/c/rag/judge?topic=17!{QUESTION}"
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
KEYS = {
    "ArrowLeft": LEFT,
    "ArrowRight": RIGHT,
    "t": TIE,
    "b": BOTH_BAD,
    "1": LEFT,
    "2": RIGHT,
    "3": TIE,
    "0": BOTH_BAD,
}


@pytest.fixture
def criterion(rag: Path) -> Path:
    with open_campaign(rag) as campaign:
        declare(campaign.by("Anna"), USUAL[ANSWER_PAIRS]._replace(name=CRITERION, title="Which is safer?"))
        add_pool(campaign.asking(CRITERION).by("Anna"), strategy="follow", question=QUESTION)
    return rag


def on_left(page: Page) -> str:
    """What stands on the left of the screen."""
    can_judge(page)
    return inside(page).locator(".pair-side").first.locator(".answer-text").inner_text().strip()


def stored(path: Path) -> Iterator[tuple[str, str]]:
    """What stood left and which side was preferred, of each preference in force in the order of the log."""
    with open_campaign(path) as campaign:
        for each in battles(campaign, QUESTION):
            yield SAID[each.left_run], each.winner


def is_kept(page: Page, count: int) -> None:
    expect(page.locator("#save-state")).to_have_text(f"Offline, {count} kept here")


@pytest.mark.parametrize("keys", [tuple(KEYS)[:3], tuple(KEYS)[3:6], tuple(KEYS)[5:]], ids=" ".join)
def test_each_of_the_four_is_one_key_and_prefers_what_stood_there(
    visit: Visit, rag: Path, keys: tuple[str, ...]
) -> None:
    page = visit(ADDRESS)
    seen = []
    for key in keys:
        seen.append((on_left(page), KEYS[key]))
        press(page, key)
    expect(page.locator(".finished")).to_be_visible()
    saved(page)
    assert list(stored(rag)) == seen
    press(page, "u")
    assert on_left(page) == seen[-1][0]
    pressed = page.locator("#grades [aria-checked=true] .grade-name")
    expect(pressed).to_have_text(re.compile(f"^{seen[-1][1]}$", re.IGNORECASE))
    page.keyboard.press("h")
    first = page.locator(".judged-row").first.locator(".judged-as b")
    expect(first).to_have_text(re.compile(f"^{seen[-1][1]}$", re.IGNORECASE))


def test_a_criterion_and_a_reason_are_given_on_the_same_screen(visit: Visit, criterion: Path) -> None:
    page = visit(ADDRESS)
    left = on_left(page)
    page.keyboard.press("c")
    page.keyboard.type("clearer 1")
    page.keyboard.press("Escape")
    press(page, "ArrowRight")
    expect(page.locator(".judge-side .asked b:visible")).to_have_text("Which is safer?")
    assert on_left(page) == left
    press(page, "ArrowLeft")
    expect(page.locator(".judge-side .asked b")).to_have_text(USUAL[ANSWER_PAIRS].title)
    saved(page)
    with open_campaign(criterion) as campaign:
        (battle,) = battles(campaign, QUESTION)
    assert (SAID[battle.left_run], battle.winner, battle.reason) == (left, RIGHT, "clearer 1")
    assert battle.criteria == {CRITERION: LEFT}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_both_and_their_names_are_in_sight(visit: Visit, rag: Path, scheme: str) -> None:
    page = visit(ADDRESS, **PHONE, color_scheme=scheme)
    can_judge(page)
    for side in inside(page).locator(".pair-side").all():
        expect(side).to_be_in_viewport()
        side.evaluate("side => side.scrollTo(0, side.scrollHeight)")
        expect(side.locator(".pair-name")).to_be_in_viewport(ratio=1)
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    left = on_left(page)
    page.get_by_role("radio", name="Right").click()
    saved(page)
    assert list(stored(rag)) == [(left, RIGHT)]


def test_sides_stay_without_a_network_over_a_reload_and_in_another_tab(visit: Visit, rag: Path) -> None:
    page = downloaded(visit, "rag")
    address = page.url.removesuffix("/c/rag/offline") + ADDRESS
    page.goto(address)
    seen = [(on_left(page), LEFT)]
    page.context.set_offline(True)
    press(page, "ArrowLeft")
    seen.append((on_left(page), RIGHT))
    is_kept(page, 1)
    page.reload()
    assert on_left(page) == seen[1][0]
    press(page, "ArrowRight")
    is_kept(page, 2)
    press(page, "u")
    assert on_left(page) == seen[1][0]
    page.context.set_offline(False)
    saved(page)
    assert list(stored(rag)) == seen
    other = page.context.new_page()
    other.goto(f"{address}&document={log(rag)[0].document_id}")
    assert on_left(other) == seen[0][0]
    expect(other.locator("#grades [aria-checked=true] .grade-name")).to_have_text("Left")


@pytest.mark.parametrize("kind", NAMES)
def test_axe_finds_nothing(visit: Visit, rag: Path, kind: str) -> None:
    query = urlencode({"topic": f"17!{NAMES[kind]}", "document": chosen(rag, kind)[0]})
    page = visit("/", color_scheme="dark", intercepted=True)
    page.route("**/document-frame?**", serve_with_scripts)
    origin = page.url
    for size in ({"width": 1366, "height": 768}, PHONE["viewport"]):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.goto(urljoin(origin, f"/c/rag/judge?{query}"))
        can_judge(page)
        assert found(page, "the page") == []
        page.goto(urljoin(origin, f"/c/rag/document-frame?{query}"))
        assert found(page, "the pair") == []
