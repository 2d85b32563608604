"""What stands around the document on the judging page, by itself, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<p id=progress></p><p id=time-left></p><progress id=progress-bar></progress>
<p id=ready></p><b id=ready-count></b>
<div id=controls style="height: 33px; overflow: hidden">
<div id=grades role=radiogroup><button role=radio data-grade=0>0</button>
<button role=radio data-grade=1>1</button></div>
<button data-action="cannot tell">?</button><button data-action=later>Later</button><button id=clear>Clear</button>
</div>
<p id=mine></p><ol id=recent></ol><p id=recent-empty></p><p id=said></p><details id=topic></details>
<dialog id=keys></dialog><dialog id=guidelines></dialog>
<template id=shape-1><i>o</i></template><template id=shape-cannot-tell><i>?</i></template>"""

PANEL = """async () => {
    window.panel = await import("/static/judging/panel.js");
    window.grades = [{ grade: 0, name: "Not" }, { grade: 1, name: "Relevant" }];
    window.text = (id) => document.getElementById(id).textContent;
    window.marked = (name) => [...document.querySelectorAll(`[${name}=true]`)].map((one) => one.textContent).join();
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of(PAGE, PANEL)


def test_a_judgment_is_named_as_its_button_and_progress_is_counted(page: Page) -> None:
    named = "(all) => all.map(([kind, grade]) => panel.nameOfJudgment({ kind, grade }, grades))"
    kinds: list[list[Any]] = [
        ["grade", 1], ["grade", 7], ["can't tell", None], ["cleared", None], [None, None],
    ]  # fmt: skip
    assert page.evaluate(named, kinds) == ["Relevant", "7", "Can’t tell", "Cleared", "no judgment"]
    told = """([judged, cannotTell, later]) => {
        panel.showProgress({ counts: () => ({ total: 2000, judged, cannotTell, later }) }, "about 1 h left");
        const { max, value } = document.querySelector("#progress-bar");
        return [text("progress"), text("time-left"), max, value];
    }"""
    assert page.evaluate(told, [1200, 0, 0]) == ["1,200 of 2,000 judged", "about 1 h left", 2000, 1200]
    assert page.evaluate(told, [3, 2, 4])[::3] == ["3 of 2,000 judged, 4 later, 2 can’t tell", 5]
    ready = "(one) => (panel.showReady(...one), [text('ready'), text('ready-count')])"
    without = "can be judged without the network"
    assert page.evaluate(ready, [1, 1]) == [
        f"1 document {without}, which is all that is left of this topic.", "1",
    ]  # fmt: skip
    assert page.evaluate(ready, [3, 1203])[0] == (
        f"3 documents {without}; 1,200 more of this topic would need it."
    )
    assert page.evaluate(ready, [0, 0])[0] == f"0 documents {without}."


def test_a_topic_can_be_postponed_while_a_document_is_left(page: Page) -> None:
    page.evaluate(
        "document.body.append(Object.assign(document.createElement('form'), { id: 'topic-later' }))"
    )
    can = """(open) => {
        const counts = () => ({ total: 4, judged: 4 - open, cannotTell: 0, later: 0, open });
        panel.showProgress({ counts }, "");
        return !document.getElementById("topic-later").hidden;
    }"""
    assert [page.evaluate(can, left) for left in (2, 0, 1)] == [True, False, True]


def test_what_i_judged_is_marked_on_the_buttons_and_told(page: Page) -> None:
    mine = """(item) => {
        panel.showMine(item, grades);
        return [marked("aria-checked"), marked("aria-pressed"), text("mine"), document.querySelector("#clear").hidden];
    }"""
    assert page.evaluate(mine, {"state": "mine", "kind": "grade", "grade": 1}) == [
        "1", "", "You judged this: Relevant", False,
    ]  # fmt: skip
    assert page.evaluate(
        "[...document.querySelectorAll('[role=radio]')].map(({ tabIndex }) => tabIndex)"
    ) == [-1, 0]
    assert page.evaluate(mine, {"state": "mine", "kind": "can't tell", "grade": None}) == [
        "", "?", "You judged this: Can’t tell", False,
    ]  # fmt: skip
    assert page.evaluate(mine, {"state": "other", "kind": None, "later": True}) == [
        "", "Later", "Another assessor has judged this document.", True,
    ]  # fmt: skip
    assert page.evaluate(mine, {"state": "open", "kind": None, "grade": 1}) == ["", "", "", True]
    assert page.evaluate(mine, None) == ["", "", "", True]
    disabled = "(can) => (panel.allowJudging(can), document.querySelectorAll('button:disabled').length)"
    assert [page.evaluate(disabled, can) for can in (False, True)] == [3, 0]


def test_a_button_of_what_cannot_be_postponed_says_so_and_can_still_be_pressed(page: Page) -> None:
    later = page.locator("[data-action='later']")
    for can in (False, True):
        page.evaluate("(can) => panel.allowPostponing(can)", can)
        expect(later).to_have_attribute("aria-disabled", str(not can).lower())
        assert later.evaluate("(button) => button.disabled") is False


def test_the_last_judgments_lead_to_their_documents(page: Page) -> None:
    page.evaluate("""() => {
        window.opened = [];
        window.asked = [];
        window.last = (...items) => panel.showLastJudged({ lastJudged: (most) => (asked.push(most), items) }, grades,
            (id) => `Title ${id}`, (id) => opened.push(id));
    }""")
    page.evaluate(
        "last({ document_id: 'a', kind: 'grade', grade: 1 }, { document_id: 'b', kind: \"can't tell\" })"
    )
    assert page.locator("#recent li").all_text_contents() == ["oTitle aRelevant", "?Title bCan’t tell"]
    page.locator("#recent button").last.click()
    assert page.evaluate("[opened, asked, document.querySelector('#recent-empty').hidden]") == [
        ["b"],
        [5],
        True,
    ]
    assert page.evaluate("(last(), [text('recent'), document.querySelector('#recent-empty').hidden])") == [
        "",
        False,
    ]


def test_a_brief_word_stays_as_long_as_the_last_one_says(page: Page) -> None:
    said = "[text('said'), document.querySelector('#said').dataset.kind ?? null]"
    assert page.evaluate(f"(panel.showIgnored('Too early'), {said})") == ["Too early", "ignored"]
    page.clock.run_for(1_000)
    assert page.evaluate(f"(panel.say('Postponed'), {said})") == ["Postponed", None]
    page.clock.run_for(1_599)
    assert page.evaluate(said) == ["Postponed", None]
    page.clock.run_for(1)
    assert page.evaluate(said) == ["", None]
    assert page.evaluate("[panel.ignoredSoFar(), panel.showIgnored('x'), panel.ignoredSoFar()]") == [
        1,
        None,
        2,
    ]
    page.evaluate("panel.confirm('A title', { kind: 'grade', grade: 1 }, grades)")
    assert page.evaluate(said) == ["oRelevantA title", None]
    assert page.locator("#said .said-title").get_attribute("aria-hidden") == "true"


def test_one_dialog_is_open_and_the_topic_is_where_there_is_room(page: Page) -> None:
    opened = "[...document.querySelectorAll('dialog[open]')].map(({ id }) => id)"
    assert page.evaluate(f"(panel.openDialog('keys'), panel.openDialog('guidelines'), {opened})") == [
        "guidelines"
    ]
    assert page.evaluate("(panel.fitScreen(), document.querySelector('#topic').open)") is True
    page.wait_for_function("document.documentElement.style.getPropertyValue('--controls') === '33px'")
    page.set_viewport_size({"width": 400, "height": 700})
    assert page.evaluate("(panel.fitScreen(), document.querySelector('#topic').open)") is False
