"""Scripts of the judging page that keep what an assessor chose, and hear keys, each without a server."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

DIALOG = """<dialog id=dialog><form><input type=checkbox name=stay><input type=radio name=face value=sans>
<input type=radio name=face value=serif><button type=button data-step=-1>-</button><b data-size></b>
<button type=button data-step=1>+</button></form></dialog>"""

PREFERENCES = """async () => {
    const { Preferences, PreferencesDialog } = await import("/static/judging/preferences.js");
    const values = { stay: false, face: "sans", size: 16 };
    window.changes = [];
    localStorage.setItem("preferences:small:Ben:gone", '{"value": 1}');
    const data = { campaign: "small", url: "/preferences", values };
    window.preferences = new Preferences(data, "Ben", (...one) => changes.push(one));
    window.dialog = new PreferencesDialog(document.querySelector("#dialog"), preferences);
    window.shown = () => [...document.querySelectorAll("input")].map(({ checked }) => checked);
    window.press = (step) => document.querySelector(`[data-step="${step}"]`).click();
}"""


class Server:
    """Answers with what is put into `answers`, else that it has what it was sent."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, Any]] = []
        self.answers: list[tuple[int, dict[str, Any]]] = []
        page.route("**/preferences", self._answer)

    def _answer(self, route: Route) -> None:
        self.sent.append(json.loads(route.request.post_data or ""))
        status, body = self.answers.pop(0) if self.answers else (200, self.sent[-1])
        route.fulfill(status=status, json=body)


@pytest.fixture
def page(page_of: PageOf) -> Page:
    return page_of(DIALOG)


def test_what_is_chosen_counts_at_once_and_is_sent(page: Page) -> None:
    server = Server(page)
    page.evaluate(PREFERENCES)
    page.evaluate("dialog.open()")
    assert page.evaluate("shown()") == [False, True, False]
    page.locator("[value=serif]").check()
    page.locator("[name=stay]").check()
    page.wait_for_function("!preferences.waiting().length && !preferences.sending")
    assert server.sent == [{"face": "serif"}, {"stay": True}]
    assert page.evaluate("[changes, shown()]") == [
        [["face", "serif"], ["stay", True]], [True, False, True],
    ]  # fmt: skip
    page.evaluate("preferences.dress(document), preferences.dress(null)")
    assert (
        page.evaluate("document.documentElement.getAttribute('style')")
        == "--size: 16px; --face: var(--serif);"
    )


def test_the_size_of_the_text_goes_up_and_down_within_its_limits(page: Page) -> None:
    server = Server(page)
    page.evaluate(PREFERENCES)
    sizes = "[preferences.get('size'), document.querySelector('[data-size]').textContent, "
    sizes += "...[...document.querySelectorAll('button')].map(({ disabled }) => disabled)]"
    page.evaluate("() => { for (let times = 0; times < 9; times++) press(1); }")
    assert page.evaluate(sizes) == [24, "24 px", False, True]
    page.evaluate("press(-1)")
    assert page.evaluate(sizes) == [23, "23 px", False, False]
    page.evaluate("() => { for (let times = 0; times < 12; times++) press(-1); }")
    assert page.evaluate(sizes) == [13, "13 px", True, False]
    page.wait_for_function("!preferences.waiting().length && !preferences.sending")
    assert server.sent[-1] == {"size": 13}
    number = len(server.sent)
    assert page.evaluate("""async () => {
        const { step } = await import("/static/judging/preferences.js");
        return step(preferences, -1);
    }""") == ""  # fmt: skip
    assert len(server.sent) == number


def test_what_an_earlier_page_could_not_send_is_sent_by_the_next(page: Page) -> None:
    server = Server(page)
    page.evaluate("""localStorage.setItem("preferences:small:Ben:size", '{"value": 20}')""")
    page.evaluate(PREFERENCES)
    assert page.evaluate("preferences.get('size')") == 20
    page.wait_for_function("!preferences.waiting().length && !preferences.sending")
    assert server.sent == [{"size": 20}]


def test_what_the_server_does_not_take_is_tried_again_or_taken_back(page: Page) -> None:
    server = Server(page)
    page.evaluate(PREFERENCES)
    server.answers = [(500, {}), (422, {"field": "face", "message": "No such face"}), (422, {}), (401, {})]
    assert page.evaluate("preferences.set('face', 'gothic')") == ""
    assert page.evaluate("[preferences.waiting(), preferences.get('face')]") == [["face"], "gothic"]
    page.clock.run_for(14_999)
    assert len(server.sent) == 1
    page.clock.run_for(1)
    page.wait_for_function("!preferences.waiting().length")
    assert page.evaluate("[preferences.get('face'), changes.at(-1)]") == ["sans", ["face", "sans"]]
    assert page.evaluate("preferences.set('stay', true)") == "The server did not accept this."
    assert page.evaluate("(preferences.set('stay', true), preferences.get('stay'))") is True
    page.wait_for_function("!preferences.sending")
    page.clock.run_for(60_000)
    assert (len(server.sent), page.evaluate("preferences.waiting()")) == (4, ["stay"])
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_function("!preferences.waiting().length")
    assert page.evaluate("localStorage.getItem('preferences:small:Ben:gone')") == '{"value": 1}'


def test_a_ring_is_shown_where_tab_has_led_into_a_document_and_nowhere_else(page_of: PageOf) -> None:
    page = page_of("<div id=stage><iframe srcdoc='<p>Text</p>'></iframe></div><input id=field>")
    page.frame_locator("iframe").locator("p").wait_for()
    page.evaluate("""async () => {
        const { FocusRing } = await import("/static/judging/focus_ring.js");
        const stage = document.querySelector("#stage");
        const view = document.querySelector("iframe").contentWindow;
        const field = document.querySelector("#field");
        new FocusRing(stage).watch(view);
        const key = (place, name) => place.dispatchEvent(new KeyboardEvent("keydown", { key: name }));
        window.does = (what) => {
            if (what === "tab") key(document, "Tab");
            else if (what === "letter") key(view.document, "x");
            else if (what === "mouse") view.document.dispatchEvent(new Event("pointerdown"));
            else if (what === "stage") stage.dispatchEvent(new Event("focusin", { bubbles: true }));
            else if (what === "field") field.dispatchEvent(new Event("focusin", { bubbles: true }));
            else view.dispatchEvent(new Event(what));
            return stage.hasAttribute("data-tabbed");
        };
        window.stops = (at) => (stage.tabIndex = at);
    }""")
    found = [page.evaluate(f"does('{what}')") for what in (
        "focus", "tab", "focus", "blur", "tab", "mouse", "focus", "tab", "letter", "focus", "tab", "stage",
    )]  # fmt: skip
    assert found == [False, False, True, False, False, False, False, False, False, False, False, False]
    page.evaluate("stops(0)")
    assert [page.evaluate(f"does('{what}')") for what in ("tab", "stage", "field", "mouse", "stage")] == [
        False, True, False, False, False,
    ]  # fmt: skip


def test_a_key_that_does_something_is_taken_from_the_browser_and_done_once_while_it_is_held(
    page_of: PageOf,
) -> None:
    page = page_of("<p id=p></p>")
    page.evaluate("""async () => {
        const { keyListener } = await import("/static/judging/keys.js");
        window.done = [];
        addEventListener("keydown", keyListener((name) => "ab".includes(name) ? () => done.push(name) : undefined));
        window.press = (key, more = {}) => {
            const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
            document.querySelector("#p").dispatchEvent(event);
            return [event.defaultPrevented, done.splice(0).join("")];
        };
    }""")
    assert page.evaluate("[press('a'), press('b', { repeat: true }), press('c')]") == [
        [True, "a"], [True, ""], [False, ""],
    ]  # fmt: skip


def test_a_press_means_its_digit_letter_or_sign_whatever_the_keyboard_writes(page_of: PageOf) -> None:
    names = """async (presses) => {
        const { namesOf } = await import("/static/judging/keys.js");
        return presses.map(([key, code, shiftKey = false]) => namesOf({ key, code, shiftKey }).join(" "));
    }"""
    presses = [
        ["1", "Digit1"], ["&", "Digit1"], ["1", "Digit1", True], ["!", "Digit1", True], ["n", "KeyN"], ["N", "KeyN"],
        ["N", "KeyN", True], ["т", "KeyN"], ["?", "Slash", True], ["Enter", "Enter"], ["End", "Numpad1"],
        ["1", "Numpad1"],
    ]  # fmt: skip
    assert page_of().evaluate(names, presses) == [
        "1", "1 &", "1", "!", "n", "n", "N n", "т n", "?", "Enter", "End", "1",
    ]  # fmt: skip
