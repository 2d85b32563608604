"""The leaderboard's slider and its table, each by itself, without a server."""

from __future__ import annotations

import pytest

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]


SLIDER = """<input id=as-of type=number min=0 max=9000><input id=moment type=range hidden min=0><a id=now href=#>Now</a>
<b id=newest></b><p id=moment-told><b id=moment-words></b></p><a id=compared hidden>Compare</a>"""


def test_the_slider_and_its_row_say_which_row_of_the_log_a_board_is_of(page_of: PageOf) -> None:
    page = page_of(SLIDER)
    page.evaluate("""async () => {
        const { Moment } = await import("/static/scoring/board_moment.js");
        window.calls = [];
        window.moment = new Moment(() => calls.push("moved"), () => calls.push("settled"));
        addEventListener("input", () => calls.push("heard"));
        window.board = { seq: 1200, newest: 4000, moment: "1 May", compared: "/diff" };
        window.seen = () => ({ live: moment.isLive, row: moment.row.value, slider: moment.slider.value,
            text: moment.slider.getAttribute("aria-valuetext"), now: moment.now.hidden });
        window.slide = (value, kind) => {
            moment.slider.value = value;
            moment.slider.dispatchEvent(new Event(kind, { bubbles: true }));
        };
        moment.draw(board);
    }""")
    assert page.evaluate("[seen(), moment.slider.hidden]") == [
        {"live": True, "row": "", "slider": "4000", "text": "now", "now": True}, False,
    ]  # fmt: skip
    assert page.locator("#newest").inner_text() == "4,000"
    assert page.locator("#moment-words").inner_text() == "1 May"
    page.evaluate("moment.draw({ ...board, moment: '2 May' }), moment.draw({ ...board, moment: '2 May' })")
    assert page.locator("#moment-words").inner_text() == "2 May"
    assert (
        page.evaluate("['#moment-told', '#compared'].map((id) => document.querySelector(id).hidden)")
        == [False] * 2
    )
    assert page.evaluate("document.querySelector('#compared').getAttribute('href')") == "/diff"
    page.evaluate("slide(1200, 'input'), moment.draw(board)")
    assert page.evaluate("seen()") == {
        "live": False, "row": "1200", "slider": "1200", "text": "row 1,200", "now": False,
    }  # fmt: skip
    page.evaluate("slide(4000, 'input'), slide(4000, 'change')")
    assert page.evaluate("[moment.isLive, calls.splice(0)]") == [
        True, ["moved", "heard", "moved", "heard", "settled"],
    ]  # fmt: skip
    page.locator("#as-of").fill("7")
    page.locator("#as-of").fill("9001")
    assert page.evaluate("calls.splice(0)") == ["moved"]
    page.evaluate(
        "moment.slider.focus(), moment.slider.value = 5, moment.draw({ ...board, moment: '', compared: null })"
    )
    assert page.evaluate("[moment.slider.value, document.querySelector('#moment-told').hidden]") == [
        "5",
        True,
    ]
    assert page.evaluate("document.querySelector('#compared').hidden") is True
    page.locator("#now").click()
    assert page.evaluate("[moment.isLive, calls.splice(0), document.activeElement.id, location.hash]") == [
        True, ["settled"], "as-of", "",
    ]  # fmt: skip


BOARD = {
    "columns": [
        {"name": "AP", "best": "highest", "judged": "judged@10", "low": 0, "high": 1, "topics": 2},
        {"name": "RBU", "best": "lowest", "judged": None, "low": 0, "high": 2, "topics": 3},
        {"name": "num_ret", "best": "highest", "judged": None, "low": 0, "high": None, "topics": 3},
    ],
    "rows": [
        {"run": run, "team": team, "cells": [{"value": ap}, {"value": one}, {"value": 9}]}
        for run, team, ap, one in (("c", "X", 0.5, 1), ("a", "Y", 0.5, 2), ("d", "X", 0.7, 0), ("b", "Z", 0.1, 1))
    ],
}  # fmt: skip


def test_a_board_is_sorted_best_first_or_as_chosen_and_equal_runs_by_name(page_of: PageOf) -> None:
    page = page_of()
    page.evaluate(
        """async (board) => {
        const { inOrder, sorting } = await import("/static/scoring/board_table.js");
        window.sorted = (name, order = "") => {
            const by = sorting(board, { name, order });
            return `${by.name} ${by.descending} ${inOrder(board, by).map(({ run }) => run).join("")}`;
        };
        window.empty = sorting({ columns: [], rows: [] }, { name: "AP", order: "descending" });
    }""",
        BOARD,
    )
    assert page.evaluate("[sorted(''), sorted('AP'), sorted('AP', 'ascending')]") == [
        "AP true dacb", "AP true dacb", "AP false bacd",
    ]  # fmt: skip
    assert page.evaluate("[sorted('RBU'), sorted('RBU', 'descending'), sorted('num_ret')]") == [
        "RBU false dbca", "RBU true abcd", "num_ret true abcd",
    ]  # fmt: skip
    assert page.evaluate("[sorted('Run'), sorted('Run', 'descending'), sorted('Team')]") == [
        "Run false abcd", "Run true dcba", "Team false cdab",
    ]  # fmt: skip
    assert page.evaluate("sorted('gone', 'ascending')") == "AP true dacb"
    assert page.evaluate("empty") == {"name": "Run", "descending": False}


def test_a_score_is_drawn_with_what_is_open_its_interval_and_how_much_is_judged(page_of: PageOf) -> None:
    cell = {
        "value": 0.5, "text": "0.5000", "judged": 0.25, "judged_text": "25 %",
        "intervals": {
            "open": {"low": 0.25, "high": 0.75, "text": "0.25 to 0.75"},
            "interval": {"low": 0, "high": 1, "text": "0 to 1"},
            "why_none": "", "level": True, "p": "0.31", "test": "randomisation",
        },
    }  # fmt: skip
    found = page_of().evaluate(
        """async ([board, cell]) => {
        const { judgedCell, judgedColumns, scoreCell } = await import("/static/scoring/board_table.js");
        const part = { in_the_end: 1234 };
        const [ap, rbu, count] = board.columns;
        const none = { ...cell.intervals, open: null, interval: null, why_none: "one topic", level: false };
        const full = scoreCell(cell, ap, part, true);
        const shape = (made, name, ...names) =>
            names.map((one) => made.querySelector(name).getAttribute(one)).join(" ");
        const level = { in_the_end: 2 };
        return [
            full.className, full.querySelector(".score").className, shape(full, ".dot-open", "x", "width"),
            shape(full, ".dot-interval", "d"), shape(full, "circle", "class", "cx"),
            shape(judgedCell(cell, "judged@10"), ".bar-judged", "width"), judgedCell(cell, "judged@10").title,
            judgedCell(cell, "judged@10").textContent, judgedColumns([rbu, ap, ap, { ...ap, judged: "judged@5" }]),
            full.querySelector(".level").title, full.querySelector("svg").childElementCount,
            [...full.querySelectorAll(".intervals-numbers > span")].map((one) => one.textContent),
            scoreCell({ ...cell, intervals: none }, ap, level, false).textContent,
            scoreCell({ ...cell, intervals: none }, ap, level, false).querySelector("circle").getAttribute("class"),
            scoreCell(cell, rbu, { in_the_end: 3 }, false).querySelector("circle").getAttribute("cx"),
            scoreCell({ ...cell, intervals: null, judged: null }, ap, part, false).textContent,
            scoreCell({ ...cell, intervals: null, judged: null }, ap, part, false).querySelector(".score").className,
            scoreCell(cell, count, part, false).outerHTML,
        ];
    }""",
        [BOARD, cell],
    )
    assert found == [
        "numeric changed", "score score-top", "26 44", "M4 3v6m0-3H92m0-3v6", "dot dot-part 48", "25%",
        "judged@10", "25 % ", [["judged@10", 1], ["judged@5", 3]], "randomisation: p = 0.31", 3,
        ["0 to 1 (95 %)", "0.25 to 0.75 (open, all 1,234 topics)"],
        "0.5000one topic", "dot", "26", "0.5000", "score", '<td class="numeric">0.5000</td>',
    ]  # fmt: skip
