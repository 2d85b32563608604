"""The page of the leaderboard and which of its rows are shown, by themselves, without a server."""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<head><meta name=csrf-token content=t><meta name=session-url content=/session></head>
<p data-plain>Plain</p><p id=live hidden></p><p id=sentence></p><p id=finished-topics></p><p id=intervals-row></p>
<p id=certain-line hidden><b id=certain-words></b><a id=certain-pairs hidden></a></p><b id=newest></b>
<p id=moment-told><b id=moment-words></b></p><a id=compared hidden></a><a id=now href=#>Now</a>
<form id=measures><input type=checkbox name=m value=AP checked>
<input type=checkbox name=m value=P id=p>
<label><input id=other-measure></label>
<select name=round id=round><option value="">all</option><option>2</option></select>
<input id=as-of name=as-of type=number min=0 max=9000><input id=moment type=range hidden min=0>
<label id=numbers-choice hidden><input type=checkbox id=show-numbers></label>
<input id=board-find><select id=board-team><option value="">all</option><option>X</option></select>
<input type=checkbox id=board-only><b id=board-said></b><b id=board-ticked></b>
<a data-copy="/copy.tsv" id=copy>Copy</a>
<a data-same="/table" id=same>Table</a>
<button id=show>Show</button><button id=compare data-compare>Compare</button></form>
<table id=board><thead id=board-head></thead><tbody id=board-body></tbody></table><p id=board-rest>Rest</p>
<script type=application/json id=page-data>%s</script>"""
COLUMNS = [
    {"name": name, "summary": f"What {name} is", "best": "highest", "judged": None, "low": 0, "high": 1, "topics": 2}
    for name in ("AP", "P")
]  # fmt: skip


def board(*runs: tuple[str, str, float], seq: int = 5, columns: int = 1) -> dict[str, Any]:
    rows = [
        {"run": run, "team": team, "address": f"/run/{run}" if run != "d" else None,
         "cells": [{"value": value, "text": f"{value:.2f}"}] * columns} for run, team, value in runs
    ]  # fmt: skip
    return {
        "sentence": f"Row {seq}.", "columns": COLUMNS[:columns], "rows": rows, "seq": seq, "newest": seq, "moment": "",
        "compared": None, "topics": {"text": "Two of 3 topics.", "in_the_end": 2},
    }  # fmt: skip


FIRST = board(("a", "X", 0.25), ("b", "Y", 0.5), ("d", "X", 0.75))


class Server:
    """Answers with `board`, `status` and `sure`; what it is asked is in `asked`."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.board: dict[str, Any] = FIRST
        self.status, self.message = 200, ""
        self.intervals: tuple[int, dict[str, Any]] = (404, {})
        self.asked: list[str] = []
        self.sures: list[str] = []
        self.known: list[str | None] = []
        page.route("**/api/board?*", self._board)
        page.route("**/api/intervals?*", self._intervals)

    def _board(self, route: Route) -> None:
        self.asked.append(urlsplit(route.request.url).query)
        self.known.append(route.request.headers.get("if-none-match"))
        if self.status == 0:
            route.abort()
            return
        tag = f'"{self.board["seq"]}"'
        status = 304 if (self.status, self.known[-1]) == (200, tag) else self.status
        body = self.board if self.status == 200 else {"message": self.message}
        route.fulfill(status=status, json=body, headers={"ETag": tag})

    def _intervals(self, route: Route) -> None:
        self.sures.append(urlsplit(route.request.url).query)
        route.fulfill(status=self.intervals[0], json=self.intervals[1])

    def rows(self, *runs: str) -> None:
        expect(self.page.locator("#board-body tr")).to_have_count(len(runs))
        expect(self.page.locator("#board-body tr th")).to_have_text(list(runs))

    def answers(self, number: int) -> None:
        """So many questions for the board have been answered."""
        self.page.wait_for_function("number => window.polls >= number", arg=number)


@pytest.fixture
def server(page_of: PageOf) -> Server:
    data = {"api": "/api/board", "intervals": "/api/intervals", "board": FIRST}
    page = page_of(PAGE % json.dumps(data))
    page.evaluate("""() => {
        window.polls = window.timers = 0;
        const own = window.fetch;
        window.fetch = async (address, ...more) => {
            try { return await own(address, ...more); }
            finally { if (String(address).includes("/api/board")) setTimeout(() => polls++, 0); }
        };
        const later = setTimeout;
        window.setTimeout = (run, wait) => (wait ? (timers++, later(run, wait)) : void Promise.resolve().then(run));
        window.hidden = (...ids) => ids.map((id) => document.getElementById(id).hidden);
        window.text = (id) => document.getElementById(id).textContent;
        window.hide = (hidden) => {
            Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
            document.dispatchEvent(new Event("visibilitychange"));
        };
    }""")
    server = Server(page)
    page.evaluate("import('/static/scoring/board.js')")
    server.rows("d", "b", "a")
    server.answers(1)
    page.wait_for_function("timers > 0")
    return server


def query(page: Page) -> list[tuple[str, str]]:
    return parse_qsl(urlsplit(page.url).query)


def test_the_board_follows_the_log_and_says_what_it_is_of(server: Server) -> None:
    page = server.page
    assert page.evaluate("[text('sentence'), text('finished-topics'), hidden('numbers-choice', 'live')]") == [
        "Row 5.", "Two of 3 topics.", [False, True],
    ]  # fmt: skip
    assert page.locator("[data-plain], #board-rest").count() == 0
    assert page.locator("#board-head th").all_inner_texts() == ["Ticked", "Place", "Run", "Team", "AP"]
    assert page.locator("#board-body tr").first.locator("td, th").all_inner_texts() == [
        "",
        "1",
        "d",
        "X",
        "0.75",
    ]
    assert page.evaluate("[...document.querySelectorAll('a.board-run')].map((a) => a.getAttribute('href'))") == [
        "/run/b", "/run/a",
    ]  # fmt: skip
    assert page.locator("[data-sort=AP]").get_attribute("title") == "What AP is"
    assert (server.asked, server.known) == (["m=AP"], [None])
    server.board = board(("a", "X", 0.25), ("b", "Y", 0.9), ("d", "X", 0.75), seq=1200)
    page.clock.run_for(1_000)
    server.rows("b", "d", "a")
    assert page.locator("td.changed").all_inner_texts() == ["0.90"]
    assert server.known[1] == '"5"'
    assert page.evaluate("(hide(true), polls)") in (1, 2)
    page.clock.run_for(5_000)
    number = len(server.asked)
    page.clock.run_for(5_000)
    assert len(server.asked) == number
    server.board = {**server.board, "seq": 1201}
    page.evaluate("hide(false)")
    server.answers(number + 1)
    expect(page.locator("td.changed")).to_have_count(0)


def test_what_stops_the_board_from_following_is_said_until_it_follows_again(server: Server) -> None:
    page = server.page
    told = []
    for status, message in ((401, ""), (403, "Not yours."), (502, ""), (0, ""), (304, "")):
        server.status, server.message = status, message
        number = page.evaluate("polls")
        page.clock.run_for(1_000)
        server.answers(number + 1)
        page.wait_for_function(f"hidden('live')[0] === {str(status == 304).lower()}")
        if told:
            page.wait_for_function("(before) => text('live') !== before", arg=told[-1])
        told.append(page.evaluate("text('live')"))
    assert told == [
        "You are signed out: reload the page to sign in.", "Not yours.", "The server answered with 502.",
        "The server does not respond; the scores below may be out of date.", "",
    ]  # fmt: skip


def test_a_board_is_sorted_by_the_column_that_is_pressed_and_the_other_way_round(server: Server) -> None:
    page = server.page
    order = "[...document.querySelectorAll('#board-head [aria-sort]')].map((one) => one.getAttribute('aria-sort'))"
    assert page.evaluate(order) == ["none", "none", "descending"]
    page.locator("[data-sort=AP]").click()
    server.rows("a", "b", "d")
    assert query(page) == [("m", "AP"), ("sort", "AP"), ("order", "ascending")]
    assert page.evaluate("document.activeElement.dataset.sort") == "AP"
    page.locator("[data-sort=AP]").click()
    server.rows("d", "b", "a")
    page.locator("[data-sort=Run]").click()
    server.rows("a", "b", "d")
    assert query(page) == [("m", "AP"), ("sort", "Run")]
    assert page.evaluate(order) == ["ascending", "none", "none"]


def test_rows_are_found_by_words_team_and_ticks_and_led_on_from(server: Server) -> None:
    page = server.page
    page.locator("#board-find").fill("x A")
    server.rows("a")
    assert page.evaluate("text('board-said')") == "1 of 3 runs"
    assert query(page) == [("m", "AP"), ("q", "x A")]
    page.locator("#board-find").fill("")
    page.locator("#board-team").select_option("X")
    server.rows("d", "a")
    assert query(page) == [("m", "AP"), ("team", "X")]
    page.locator("#board-team").select_option("")
    page.locator("#board-body input[value=b]").check()
    page.locator("#board-body input[value=d]").check()
    assert page.evaluate("document.activeElement.value") == "d"
    assert page.evaluate("text('board-said')") == "2 ticked"
    page.locator("#board-body input[value=b]").uncheck()
    page.locator("#board-only").check()
    server.rows("d")
    assert page.evaluate("text('board-said')") == "1 of 3 runs, 1 ticked"
    assert query(page) == [("m", "AP"), ("run", "d"), ("only", "yes")]
    assert page.evaluate("['copy', 'same'].map((id) => document.getElementById(id).getAttribute('href'))") == [
        "/copy.tsv?m=AP&run=d&only=yes", "/table?m=AP&run=d&only=yes",
    ]  # fmt: skip
    assert page.locator("#board-ticked input").count() == 0
    page.locator("#board-find").fill("b")
    server.rows()
    assert page.evaluate("text('board-ticked') + document.querySelector('#board-ticked').innerHTML") == (
        '<input type="hidden" name="run" value="d">'
    )
    assert len(server.asked) == 1, "which rows are shown is nothing to ask the server"


def test_what_is_shown_is_copied_or_led_to(server: Server) -> None:
    page = server.page
    page.evaluate("""() => {
        window.copied = [];
        Object.defineProperty(navigator, "clipboard", { configurable: true, value: {
            writeText: async (text) => void copied.push(text) } });
    }""")
    page.route("**/copy.tsv*", lambda route: route.fulfill(body="a\tb"))
    page.locator("#copy").click()
    expect(page.locator("#board-said")).to_have_text("Copied.")
    assert page.evaluate("copied") == ["a\tb"]
    page.evaluate("""() => {
        Object.defineProperty(navigator, "clipboard", { value: undefined });
        document.execCommand = (what) => copied.push([what, document.activeElement.value]) < 3;
        document.querySelector("#board-said").textContent = "";
    }""")
    page.locator("#copy").click()
    expect(page.locator("#board-said")).to_have_text("Copied.")
    assert page.evaluate("[copied.at(-1), document.querySelectorAll('textarea').length]") == [
        ["copy", "a\tb"],
        0,
    ]
    page.locator("#copy").click()
    page.wait_for_url("**/copy.tsv*")


def test_a_copy_that_the_server_refuses_is_led_to(server: Server) -> None:
    page = server.page
    page.route("**/copy.tsv*", lambda route: route.fulfill(status=403, body="No", content_type="text/html"))
    page.locator("#copy").click()
    page.wait_for_url("**/copy.tsv*")


def test_measures_are_asked_for_in_the_order_of_the_columns_and_those_typed_in_become_choices(
    server: Server,
) -> None:
    page = server.page
    server.board = board(("a", "", 0.25), ("b", "", 0.5), columns=2)
    page.locator("[value=P]").check()
    page.wait_for_function("polls === 2")
    server.rows("b", "a")
    assert page.locator("#board-head th").all_inner_texts() == ["Ticked", "Place", "Run", "AP", "P"]
    server.answers(2)
    page.clock.run_for(1_000)
    server.answers(3)
    assert server.asked[1:] == ["m=AP&m=P", "m=AP&m=P"]
    page.locator("#round").select_option("2")
    server.answers(4)
    assert server.asked[-1] == "m=AP&m=P&round=2"
    page.locator("#other-measure").fill("RR")
    number = len(server.asked)
    server.board = board(("a", "", 0.25), columns=2) | {
        "columns": [COLUMNS[0], {**COLUMNS[1], "name": "RR", "summary": "Reciprocal rank"}]
    }
    page.locator("#show").click()
    server.answers(number + 1)
    expect(page.locator("input[value=RR]")).to_be_checked()
    assert server.asked[number] == "m=AP&m=P&m=RR&round=2"
    assert page.locator("label:has(input[value=RR])").get_attribute("title") == "Reciprocal rank"
    assert page.locator("#other-measure").input_value() == ""
    assert ("m", "RR") in query(page)


def test_numbers_beside_the_scores_are_shown_where_they_are_asked_for(server: Server) -> None:
    page = server.page
    assert page.locator("#board").get_attribute("class") in (None, "")
    page.locator("#show-numbers").check()
    assert page.locator("#board").get_attribute("class") == "with-numbers"
    assert len(server.asked) == 1


def test_how_sure_a_board_is_is_asked_for_once_it_stands_still(server: Server) -> None:
    page = server.page
    none = {"open": None, "interval": None, "why_none": "one topic", "level": False, "p": None, "test": ""}
    server.intervals = (202, {"message": "Being counted."})
    page.clock.run_for(1_499)
    assert server.sures == []
    page.clock.run_for(2)
    expect(page.locator("#certain-words")).to_have_text("Being counted.")
    assert page.evaluate("hidden('certain-line', 'certain-pairs')") == [False, True]
    certain = {"text": "2 of 3 pairs.", "address": "/certain"}
    server.intervals = (200, {"seq": 5, "rows": {"d": [none]}, "certain": certain})
    page.clock.run_for(1_500)
    expect(page.locator("#certain-words")).to_have_text("2 of 3 pairs.")
    assert page.evaluate("hidden('certain-line', 'certain-pairs')") == [False, False]
    assert page.locator("#certain-pairs").get_attribute("href") == "/certain"
    assert page.locator("#board-body tr").first.locator("td").last.inner_text() == "0.75one topic"
    assert page.evaluate("text('intervals-row')") == ""
    server.board = board(("a", "X", 0.25), ("d", "X", 0.8), seq=1200)
    server.intervals = (200, {"seq": 1200, "rows": {}, "certain": None})
    number = page.evaluate("polls")
    page.clock.run_for(1_000)
    server.answers(number + 1)
    server.rows("d", "a")
    assert page.evaluate("text('intervals-row')") == "Bars, lines and ≈ signs are as of row 5."
    page.clock.run_for(1_600)
    page.wait_for_function("hidden('certain-line')[0]")
    assert page.evaluate("text('intervals-row')") == ""
    assert server.sures == ["m=AP"] * 3


def test_a_moment_of_the_log_is_asked_for_once(server: Server) -> None:
    page = server.page
    page.locator("#as-of").fill("3")
    server.answers(2)
    assert server.asked[-1] == "m=AP&as-of=3"
    page.wait_for_function("hidden('now')[0] === false")
    page.clock.run_for(5_000)
    assert len(server.asked) == 2
    timers = page.evaluate("timers")
    page.locator("#now").click()
    server.answers(3)
    assert server.asked[-1] == "m=AP"
    # The answer has come, but the script may not have read it yet, and waits for the next question only then.
    page.wait_for_function("before => timers > before", arg=timers)
    page.clock.run_for(1_000)
    server.answers(4)
