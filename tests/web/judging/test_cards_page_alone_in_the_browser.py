"""The page of cards as the server sends it, with other documents and without the server."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from flask import Flask
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import PageOf, SignIn
from tests.sentences import says
from workbench.campaign.changing_settings import change_settings
from workbench.storage.campaign import open_campaign

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DATA = re.compile(r'(?<=<script type="application/json" id="page-data">).*?(?=</script>)', re.DOTALL)
LOADED = re.compile(r'<script type="module".*?</script>|<link rel="(?:modulepreload|stylesheet)"[^>]*>')
STYLE = """<style>#cards { min-height: 500px } iframe { border: 0; display: block }
ol:not(.shown) { position: absolute; visibility: hidden }</style>"""
BEGIN = 'import("/static/judging/cards.js")'
SHOWN = ".shown > .card"
OPEN = {"state": "open", "kind": None, "grade": None, "seq": None, "near": None, "later": False}


@pytest.fixture
def sent(app: Flask, small: Path, client_of: SignIn) -> str:
    """The page that shows topic 1 of the campaign `small` as cards, without its scripts."""
    with open_campaign(small) as campaign:
        change_settings(campaign.by("Anna"), {"cards": "on"})
    return LOADED.sub("", client_of(app, "Ben").get("/c/small/judge?topic=1").get_data(as_text=True)) + STYLE


class Cards:
    """The page, with these documents in its queue, and what it has sent.

    `late` says which question for a document, counted from one, is the first that is answered with it; `said` is what
    documents say of themselves besides their names, and `more` is data that the page has besides. The first
    question of the kind `slow` waits in `held`.
    """

    def __init__(
        self,
        page_of: PageOf,
        sent: str,
        queue: Mapping[str, Mapping[str, Any]],
        *,
        late: Mapping[str, int] | None = None,
        said: Mapping[str, Any] | None = None,
        slow: str = "",
        **more: Any,
    ) -> None:
        found = DATA.search(sent)
        assert found is not None
        data = json.loads(found[0]) | more
        data["queue"] = [{"document_id": name, **OPEN, **item} for name, item in queue.items()]
        data["size"] = len(queue)
        self.log: str = data["log"]
        self.versions = {name: data[name] for name in ("account", "topic_version", "guideline_version")}
        self.late, self.said = dict(late or {}), said or {}
        self.posted: list[dict[str, Any]] = []
        self.refused: dict[str, str] = {}
        """Why judgments of a document are not taken."""
        self.news: dict[str, Any] = {}
        """What the answers to judgments say besides."""
        self.postponed: list[tuple[str, bool]] = []
        self.slow, self.held = slow, list[Route]()
        self.is_gone = False
        """Whether the server answers nothing."""
        data["texts"] = self._texts([{"document_id": name, "against": None} for name in queue])
        filled = DATA.sub(lambda _: json.dumps(data).replace("</", "<\\/"), sent)
        self.page: Page = page_of(filled, viewport={"width": 1200, "height": 2000})
        self.page.route("**/api/**", self.answer)
        self.page.route("**/document-frame**", self._answer_frame)
        self.page.evaluate(BEGIN)

    def _texts(self, places: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        return [
            {**place, "html": self._document(place["document_id"])}
            for place in places
            if not self._is_late(place["document_id"])
        ]

    def _document(self, name: str) -> str:
        shown = {"document_id": name, "title": name.upper(), "state": "text", "twin": None, "mine": None}
        shown |= {**self.versions, "pool": 1, "text_hash": "h", **self.said.get(name, {})}
        content = json.dumps(shown).replace("'", "&#39;")
        return f"<head><meta name='shown' content='{content}'></head><body style='margin: 0; height: 20px'></body>"

    def answer(self, route: Route) -> None:
        if self.is_gone:
            return route.abort()
        what = route.request.url.partition("/api/")[2]
        asked = route.request.post_data_json if route.request.method == "POST" else {}
        answer: dict[str, Any] = {}
        if what == self.slow:
            self.slow = ""
            return self.held.append(route)
        if what == "texts":
            names = {place["document_id"] for place in asked["documents"]}
            self.late = {name: times - (name in names) for name, times in self.late.items()}
            answer = {"texts": self._texts(asked["documents"])}
        elif what == "receipts":
            answer = {"unknown": [], "log": "of the server"}
        elif what == "preferences":
            answer = asked
        elif what == "later":
            self.postponed.append((asked["document_id"], asked["later"]))
        elif what == "judgments":
            self.posted.append(asked)
            answer = {"stored": {**asked, "seq": 100 + len(self.posted)}, **self.news}
            if asked["document_id"] in self.refused:
                answer = {"reason": self.refused[asked["document_id"]], "message": "No.", "current": None}
                return route.fulfill(status=409, json=answer)
        return route.fulfill(json=answer)

    def _answer_frame(self, route: Route) -> None:
        if self.is_gone:
            return route.abort()
        name = parse_qs(urlsplit(route.request.url).query)["document"][0]
        found = "<p>Not found</p>" if self._is_late(name) else self._document(name)
        return route.fulfill(body=found, content_type="text/html")

    def _is_late(self, name: str) -> bool:
        return self.late.get(name, 0) > 0

    def until(self, selector: str) -> None:
        """Let time pass on the page until it has such an element, for half a minute at most."""
        end = time.monotonic() + 30
        while not self.page.locator(selector).count():
            assert time.monotonic() < end, selector
            self.page.clock.run_for(100)

    def current(self, name: str) -> None:
        """Wait until this card is the one that a key judges."""
        self.until(f"{SHOWN}[aria-current='true'][aria-label='{name}']")

    def press(self, *keys: str) -> None:
        """Press keys, each after half a second."""
        for key in keys:
            self.page.clock.run_for(500)
            self.page.keyboard.press(key)

    def click(self, selector: str) -> None:
        """Click on what may be hidden, after half a second."""
        self.page.clock.run_for(500)
        self.page.evaluate("(selector) => document.querySelector(selector).click()", selector)

    @property
    def shown(self) -> list[str]:
        return [str(card.get_attribute("aria-label")) for card in self.page.locator(SHOWN).all()]

    @property
    def brief(self) -> str:
        """The brief words at the top."""
        return str(self.page.locator("#said").text_content())

    def text(self, selector: str) -> str:
        return str(self.page.locator(selector).text_content())


def test_twelve_documents_come_at_once_and_what_did_not_come_is_tried_again_after_the_others(
    page_of: PageOf, sent: str
) -> None:
    cards = Cards(page_of, sent, {f"d{number}": {} for number in range(1, 15)}, late={"d2": 2})
    cards.current("D1")
    cards.until(f"{SHOWN}[aria-label='D12']")
    assert cards.shown == ["D1", "D3", "D4", "D5", "D6", "D7", "D8", "D9", "D10", "D11", "D12"]
    cards.page.clock.run_for(100)
    assert cards.text("#progress") == "0 of 14 judged"
    for name in cards.shown:
        cards.current(name)
        cards.press("1")
    cards.current("D13")
    assert cards.shown == ["D13", "D14", "D2"]
    cards.page.clock.run_for(100)
    assert cards.page.locator("ol.cards").count() == 2, "the cards on the screen and those that come next"
    assert [cards.text("#progress"), cards.text("#ready-count")] == ["11 of 14 judged", "3"]
    assert cards.page.locator(".recent-title").all_text_contents() == ["d12", "d11", "d10", "d9", "d8"]
    cards.until("#save-state[data-state='saved']")
    assert [(one["log"], one["document_id"], one["grade"]) for one in cards.posted[:2]] == [
        (cards.log, "d1", 1),
        (cards.log, "d3", 1),
    ]


def test_the_first_cards_are_judged_while_the_others_are_on_their_way(page_of: PageOf, sent: str) -> None:
    names = [f"d{number}" for number in range(1, 13)]
    cards = Cards(page_of, sent, {name: {} for name in names}, late={"d9": 1}, slow="texts")
    cards.current("D1")
    assert cards.shown == ["D1", "D2", "D3", "D4"]
    cards.press("1")
    cards.current("D2")
    for route in cards.held:
        cards.answer(route)
    cards.until(f"{SHOWN}[aria-label='D12']")
    assert cards.shown == [name.upper() for name in names]
    cards.current("D2")
    for name in names[1:]:
        cards.current(name.upper())
        cards.press("1")
    cards.until(".finished")
    cards.until("#save-state[data-state='saved']")
    assert [one["document_id"] for one in cards.posted] == names


def test_who_judges_the_first_cards_before_the_others_are_there_goes_on_with_those(
    page_of: PageOf, sent: str
) -> None:
    names = [f"d{number}" for number in range(1, 11)]
    cards = Cards(page_of, sent, {name: {} for name in names}, late={"d9": 1}, slow="texts")
    for name in names[:4]:
        cards.current(name.upper())
        cards.press("1")
    cards.page.clock.run_for(1_000)
    assert cards.shown == ["D1", "D2", "D3", "D4"]
    for route in cards.held:
        cards.answer(route)
    for name in names[4:]:
        cards.current(name.upper())
        cards.press("0")
    cards.until(".finished")
    cards.until("#save-state[data-state='saved']")
    assert [one["document_id"] for one in cards.posted] == names


def test_who_stays_after_grading_goes_on_to_the_next_cards_from_the_last_one(
    page_of: PageOf, sent: str
) -> None:
    names = [f"d{number}" for number in range(1, 14)]
    cards = Cards(page_of, sent, {name: {} for name in names})
    cards.current("D1")
    cards.press("y")
    for name in names:
        cards.current(name.upper())
        cards.press("1")
        cards.until("#mine:text-is('You judged this: Relevant')")
        cards.press("j")
    cards.until(".finished")
    cards.until("#save-state[data-state='saved']")
    assert [one["document_id"] for one in cards.posted] == names


def test_near_duplicates_are_among_the_first_cards_together(page_of: PageOf, sent: str) -> None:
    queue = {f"d{number}": {"near": "d4" if number in {4, 5, 6} else None} for number in range(1, 9)}
    twins = {f"d{number}": {"document_id": f"d{number - 1}", "name": "", "reasons": []} for number in (5, 6)}
    cards = Cards(page_of, sent, queue, said={name: {"twin": twin} for name, twin in twins.items()})
    cards.current("D1")
    assert cards.shown[:4] == ["D1", "D2", "D3", "D4, and 2 near duplicates"]
    cards.until(f"{SHOWN}[aria-label='D8']")
    assert cards.shown[4:] == ["D7", "D8"]


def test_where_none_of_the_first_documents_comes_the_others_are_judged(page_of: PageOf, sent: str) -> None:
    late = {f"d{number}": 99 for number in range(1, 5)}
    cards = Cards(page_of, sent, {f"d{number}": {} for number in range(1, 7)}, late=late)
    cards.current("D5")
    assert cards.shown == ["D5", "D6"]


def test_what_follows_the_only_card_comes_before_what_did_not_come(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}, "d3": {}}, late={"d1": 2, "d3": 2})
    cards.current("D2")
    assert cards.shown == ["D2"]
    cards.press("1")
    cards.current("D3")
    assert cards.shown == ["D3", "D1"]


def test_undo_brings_back_the_cards_among_which_the_last_one_was_judged(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {f"d{number:02}": {} for number in range(1, 31)})
    for number in range(1, 25):
        cards.current(f"D{number:02}")
        cards.press("1")
    cards.current("D25")
    cards.press("u")
    cards.current("D24")
    assert cards.shown == [f"D{number}" for number in range(13, 25)]
    cards.press("u")
    cards.current("D23")
    cards.press("0")
    cards.current("D25")
    assert cards.shown == [f"D{number}" for number in range(25, 31)]
    for number in (23, 24, *range(22, 11, -1)):
        cards.press("u")
        cards.current(f"D{number}")
    assert cards.shown == [f"D{number:02}" for number in range(1, 13)]


def test_near_duplicates_that_were_judged_apart_come_back_as_two_cards(page_of: PageOf, sent: str) -> None:
    twin = {"document_id": "d1", "reasons": []}
    judged = {"state": "mine", "kind": "grade", "near": "d1 d2"}
    queue = {"d1": {**judged, "grade": 0, "seq": 1}, "d2": {**judged, "grade": 1, "seq": 2}, "d3": {}}
    cards = Cards(page_of, sent, queue, said={"d2": {"twin": twin}})
    cards.current("D3")
    cards.press("u")
    cards.current("D2")
    assert cards.shown == ["D1", "D2"]


def test_keys_that_do_nothing_say_why(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}})
    cards.current("D1")
    cards.press("k")
    assert says(cards.brief)
    cards.press("u")
    assert cards.brief == "Nothing to undo"
    cards.click("#clear")
    assert cards.brief == "Nothing to clear"
    cards.press("j")
    cards.current("D2")
    cards.press("j")
    assert says(cards.brief)
    cards.press("y")
    assert says(cards.brief)
    cards.press("1")
    cards.until("#mine:text-is('You judged this: Relevant')")
    cards.press("u")
    assert cards.brief == "Nothing to undo"
    cards.press("l")
    assert says(cards.brief)
    expect(cards.page.locator("[data-action='later']")).to_have_attribute("aria-disabled", "true")
    cards.press("y")
    assert says(cards.brief)
    assert cards.postponed == []


def test_a_card_that_is_no_longer_postponed_is_not_counted_or_marked_as_that(
    page_of: PageOf, sent: str
) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}})
    later = cards.page.locator("[data-action='later']")
    cards.current("D1")
    cards.press("l", "k")
    cards.current("D1")
    cards.page.clock.run_for(100)
    assert cards.text("#progress") == "0 of 2 judged, 1 later"
    state = cards.page.locator(f"{SHOWN}[aria-label='D1'] .card-state")
    expect(state).to_have_text("Postponed")
    expect(later).to_have_attribute("aria-pressed", "true")
    cards.press("l")
    assert cards.brief == "No longer postponed"
    cards.page.clock.run_for(100)
    expect(state).to_have_text("")
    expect(later).to_have_attribute("aria-pressed", "false")
    expect(later).to_have_attribute("aria-disabled", "false")
    cards.page.clock.run_for(100)
    assert cards.text("#progress") == "0 of 2 judged"


def test_a_postponed_card_comes_last_and_a_cleared_one_stays(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}, "d3": {}})
    cards.current("D1")
    cards.press("l")
    assert says(cards.brief)
    cards.current("D2")
    cards.press("k")
    cards.current("D1")
    cards.press("l")
    assert cards.brief == "No longer postponed"
    cards.press("l")
    cards.current("D2")
    cards.press("1")
    cards.current("D3")
    cards.press("u")
    cards.current("D2")
    cards.click("#clear")
    cards.until("#mine:text-is('')")
    cards.current("D2")
    cards.press("0")
    cards.current("D3")
    cards.press("0")
    cards.current("D1")
    cards.press("1")
    cards.until(".finished")
    cards.until("#save-state[data-state='saved']")
    assert cards.postponed == [("d1", True), ("d1", False), ("d1", True)]
    assert [(one["document_id"], one["kind"], one["grade"], one["replaces"]) for one in cards.posted] == [
        ("d2", "grade", 1, None),
        ("d2", "cleared", None, 101),
        ("d2", "grade", 0, 102),
        ("d3", "grade", 0, None),
        ("d1", "grade", 1, None),
    ]


def test_a_break_is_offered_after_two_judgments_of_which_a_cleared_one_is_none(
    page_of: PageOf, sent: str
) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}, "d3": {}}, breaks={"documents": 2, "minutes": 0})
    cards.current("D1")
    cards.press("1")
    cards.current("D2")
    cards.press("u")
    cards.current("D1")
    cards.click("#clear")
    cards.until("#mine:text-is('')")
    assert cards.page.locator("#rest[open]").count() == 0
    cards.press("0")
    cards.until("#rest[open]")
    assert cards.text("#rest-done").startswith("You judged 2 documents ")


def test_a_card_that_cannot_be_judged_says_why(page_of: PageOf, sent: str) -> None:
    shown = {"d2": {"state": "missing"}}
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}}, said=shown)
    cards.current("D1")
    can = "[...document.querySelectorAll('[data-grade]')].map(({ disabled }) => !disabled)"
    assert cards.page.evaluate(can) == [True, True]
    cards.press("j")
    cards.current("D2")
    assert cards.page.evaluate(can) == [False, False]
    cards.press("1")
    assert says(cards.brief)
    cards.press("j", "x")
    assert says(cards.brief)
    shut = Cards(page_of, sent, {"d1": {}}, shut="closed")
    shut.current("D1")
    assert shut.page.evaluate(can) == [False, False]
    shut.press("1")
    assert says(shut.brief)
    assert [cards.posted, shut.posted] == [[], []]


def test_what_was_judged_elsewhere_is_seen_on_its_card_unless_it_is_older(page_of: PageOf, sent: str) -> None:
    mine = {"kind": "grade", "grade": 1, "comment": "a note", "rationales": []}
    queue = {
        "d1": {},
        "d2": {},
        "d3": {"state": "mine", "kind": "grade", "grade": 0, "seq": 7},
        "d4": {"state": "mine", "kind": "grade", "grade": 0, "seq": 9},
    }
    said = {"d1": {"mine": mine | {"seq": 8}}, "d4": {"mine": mine | {"seq": 6}}}
    cards = Cards(page_of, sent, queue, said=said)
    cards.current("D2")
    assert cards.shown == ["D1", "D2"]
    assert cards.text(f"{SHOWN} >> nth=0 >> .card-state").strip() == "Relevant"
    cards.press("1")
    cards.until(".finished")
    cards.press("u")
    cards.current("D2")
    cards.press("u")
    cards.current("D1")
    cards.press("0")
    cards.until(".finished")
    for name in ("D1", "D2", "D4"):
        cards.press("u")
        cards.current(name)
    cards.until("#mine:text-is('You judged this: Not relevant')")
    cards.until("#save-state[data-state='saved']")
    assert [(one["document_id"], one["grade"], one["replaces"], one["comment"]) for one in cards.posted] == [
        ("d2", 1, None, ""),
        ("d1", 0, 8, "a note"),
    ]


def test_the_card_of_a_refused_judgment_that_is_given_up_goes(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}})
    cards.refused = {"d1": "judged by another"}
    cards.current("D1")
    cards.press("1")
    cards.current("D2")
    cards.until("#problem-list button:text-is('Discard')")
    cards.click("#problem-list li button:last-child")
    cards.until("#problems[hidden]")
    assert cards.shown == ["D2"]
    cards.page.clock.run_for(100)
    assert cards.text("#progress") == "1 of 2 judged"


def test_of_two_documents_opened_at_once_both_are_judged_and_then_the_others(
    page_of: PageOf, sent: str
) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}, "d3": {}})
    cards.refused = dict.fromkeys(("d1", "d2"), "text changed")
    for name in ("D1", "D2"):
        cards.current(name)
        cards.press("0")
    cards.until("#problem-list li:nth-child(2)")
    cards.refused = {}
    cards.page.evaluate("document.querySelectorAll('#problem-list button').forEach((one) => one.click())")
    for name in ("D2", "D1", "D3"):
        cards.current(name)
        cards.press("1")
    cards.until(".finished")
    cards.until("#save-state[data-state='saved']")
    assert [one["document_id"] for one in cards.posted if one["grade"] == 1] == ["d2", "d1", "d3"]


def test_a_document_that_is_opened_while_the_next_ones_are_loaded_comes_before_them(
    page_of: PageOf, sent: str
) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}}, late={"d2": 99})
    held: list[Route] = []
    cards.refused = {"d1": "text changed"}
    cards.current("D1")
    cards.page.route("**/document-frame**document=d2", lambda route: held.append(route))
    cards.press("0")
    cards.until("#problem-list button")
    assert held
    cards.click("#problem-list button")
    cards.current("D1")
    cards.late, cards.refused = {}, {}
    cards.page.unroute("**/document-frame**document=d2")
    for route in held:
        route.fallback()
    cards.page.clock.run_for(1_000)
    cards.current("D1")
    for name in ("D1", "D2"):
        cards.current(name)
        cards.press("1")
    cards.until(".finished")
    cards.until("#save-state[data-state='saved']")
    assert [one["document_id"] for one in cards.posted if one["grade"] == 1] == ["d1", "d2"]


@pytest.mark.parametrize("names", [["d1", "d2"], ["d1"]])
def test_a_document_that_is_opened_while_the_server_does_not_respond_comes_after_the_others(
    page_of: PageOf, sent: str, names: list[str]
) -> None:
    cards = Cards(page_of, sent, {name: {} for name in names})
    cards.refused = {"d1": "text changed"}
    cards.current("D1")
    cards.press("0")
    cards.until("#problem-list button")
    cards.is_gone = True
    cards.click("#problem-list button")
    cards.until("#said:has-text('could not be loaded')")
    cards.is_gone, cards.refused = False, {}
    for name in reversed(names):
        cards.current(name.upper())
        cards.press("1")
    cards.until(".finished")
    cards.until("#save-state[data-state='saved']")
    assert [one["document_id"] for one in cards.posted if one["grade"] == 1] == names[::-1]


def test_nothing_more_is_judged_under_a_version_that_is_not_in_force(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}}, said={"d2": {"guideline_version": 2}})
    cards.page.evaluate("window.isOld = true")
    cards.until("#said:has-text('are reloaded')")
    assert cards.shown == []
    with cards.page.expect_navigation():
        cards.page.clock.run_for(1000)
    assert cards.page.evaluate("window.isOld === undefined")


def test_no_card_can_be_judged_while_the_page_waits_to_reload_itself(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}, "d3": {}})
    cards.news = {"versions": {"topic": 1, "guidelines": 99}}
    cards.current("D1")
    cards.press("1")
    cards.until("#said:has-text('are reloaded')")
    cards.click(f"{SHOWN}[aria-label='D2']")
    assert cards.page.locator("[aria-current='true']").count() == 0
    with cards.page.expect_navigation():
        cards.page.clock.run_for(1000)
    assert [one["document_id"] for one in cards.posted] == ["d1"]


def test_the_next_card_comes_before_what_is_said_of_the_judged_one(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}})
    cards.current("D1")
    cards.press("1")
    judged, following = cards.page.locator(SHOWN).all()
    expect(following).to_have_attribute("aria-current", "true")
    assert cards.text(f"{SHOWN}[aria-label='D1'] .card-state") == ""
    cards.page.clock.run_for(100)
    expect(judged.locator(".card-state")).to_have_text("Relevant")
    expect(following).to_be_focused()


def test_that_the_page_reloads_is_said_also_where_the_answer_comes_before_the_next_frame(
    page_of: PageOf, sent: str
) -> None:
    cards = Cards(page_of, sent, {"d1": {}, "d2": {}}, slow="judgments")
    cards.news = {"versions": {"topic": 1, "guidelines": 99}}
    cards.current("D1")
    cards.press("1")
    expect(cards.page.locator(SHOWN).last).to_have_attribute("aria-current", "true")
    for _ in range(100):
        if not cards.held:
            cards.page.clock.run_for(10)
    cards.answer(cards.held.pop())
    expect(cards.page.locator("#said")).to_contain_text("are reloaded")
    cards.page.clock.run_for(100)
    assert "are reloaded" in cards.brief


def test_where_nothing_comes_it_is_tried_again_after_three_seconds(page_of: PageOf, sent: str) -> None:
    cards = Cards(page_of, sent, {"d1": {}}, late={"d1": 3})
    cards.until("#said:has-text('trying again')")
    assert cards.shown == []
    cards.current("D1")
    cards.press("1")
    cards.until(".finished")
    assert cards.text(".finished h2") == "Topic complete"
