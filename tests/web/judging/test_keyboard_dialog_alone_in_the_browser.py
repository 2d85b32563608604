"""The dialog in which an assessor changes the keys, by itself, without a server."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.fixture_types import PageOf

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PAGE = """<button id=postpone>Postpone <kbd data-key-of=later>l</kbd></button>
<button id=back><kbd data-key-of=back></kbd></button>
<button id=mark aria-keyshortcuts=m><kbd data-key-of=mark>m</kbd></button><kbd id=plain data-key-of=next></kbd>
<dialog id=keys><div id=keyboard>old</div><input id=field></dialog>"""

ACTIONS: list[dict[str, Any]] = [
    {"name": "relevant", "keys": ["1"], "label": "Relevant", "group": "Grades", "fixed": True},
    {"name": "later", "keys": ["l"], "label": "Postpone", "group": "Documents", "fixed": False},
    {"name": "spam", "keys": ["s"], "label": "Spam", "group": "Grades", "fixed": False},
    {"name": "next", "keys": ["j", "ArrowRight", "ArrowDown"], "label": "Next", "group": "Documents", "fixed": False},
    {"name": "back", "keys": ["N"], "label": "Back", "group": "Documents", "fixed": False},
    {"name": "mark", "keys": [], "label": "Mark", "group": "Documents", "fixed": False},
]  # fmt: skip

KEYBOARD = """async () => {
    const { Keyboard, keyMap } = await import("/static/judging/keyboard.js");
    window.own = {};
    window.refused = "";
    window.listeners = [];
    const preferences = {
        get: (name) => name === "keys" && own,
        listen: (listener) => void listeners.push(listener),
        set: async (name, keys) => { own = keys; await listeners[0](name); return refused; },
    };
    window.make = (actions) => {
        window.map = (own) => Object.fromEntries(keyMap(actions, own));
        window.keyboard = new Keyboard(document.querySelector("#keyboard"), actions, preferences);
        document.querySelector("#keys").showModal();
    };
    window.said = () => keyboard.status.textContent;
    const text = (part) => [...part.children].map((one) => one.textContent).join(" ") || part.textContent;
    const row = (place) => [...place.children].map(text).join("|");
    window.rows = () => [...document.querySelectorAll(".keyboard-row")].map(row);
    window.focused = () => document.activeElement.getAttribute("aria-label") ?? document.activeElement.textContent;
    window.ask = (name) => keyboard.ask(keyboard.actions.find((action) => action.name === name));
    window.press = (key, more = {}, target = document.querySelector("#field")) => {
        const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true, ...more });
        window.heard = 0;
        const hear = () => (heard += 1);
        target.addEventListener("keydown", hear);
        target.dispatchEvent(event);
        target.removeEventListener("keydown", hear);
        return [keyboard.changing?.name ?? "", said(), event.defaultPrevented, heard];
    };
}"""


@pytest.fixture
def page(page_of: PageOf) -> Page:
    page = page_of(PAGE, KEYBOARD)
    page.evaluate("(actions) => make(actions)", ACTIONS)
    return page


def test_a_first_key_can_be_another_one_and_further_keys_are_those_that_no_action_has(page: Page) -> None:
    assert page.evaluate("map({})") == {
        "1": "relevant", "l": "later", "s": "spam", "j": "next", "N": "back",
        "ArrowRight": "next", "ArrowDown": "next",
    }  # fmt: skip
    assert page.evaluate("map({ next: 'x', later: 'ArrowRight', spam: '' })") == {
        "1": "relevant", "ArrowRight": "later", "x": "next", "N": "back", "ArrowDown": "next",
    }  # fmt: skip


def test_keys_are_listed_by_group_with_what_can_be_changed(page: Page) -> None:
    assert page.evaluate("rows()") == [
        "1|Relevant|", "s|Spam|Change", "l|Postpone|Change", "j → ↓|Next|Change", "Shift N|Back|Change",
        "|Mark|Change",
    ]  # fmt: skip
    groups = (
        "[...document.querySelectorAll('section')].map((one) => [one.ariaLabel, one.firstChild.textContent])"
    )
    assert page.evaluate(groups) == [["Grades", "Grades"], ["Documents", "Documents"]]
    ways = "[...document.querySelectorAll('.keyboard-row button')].map((one) => one.ariaLabel)"
    assert page.evaluate(f"{ways}.slice(0, 2)") == ["Change the key of: Spam", "Change the key of: Postpone"]
    assert page.evaluate("[said(), keyboard.usual.hidden, keyboard.usual.textContent]") == [
        "", True, "Restore default keys",
    ]  # fmt: skip
    parts = "[...keyboard.place.childNodes].map((one) => [keyboard.status, keyboard.list, keyboard.usual].indexOf(one))"
    assert page.evaluate(parts) == [0, 1, 2]
    assert page.evaluate("[keyboard.status.role, keyboard.usual.type]") == ["status", "button"]


def test_an_action_that_the_page_does_not_have_is_not_listed_and_keeps_its_key(page_of: PageOf) -> None:
    page = page_of(PAGE, KEYBOARD)
    cards = [action | {"unlisted": action["name"] == "spam"} for action in ACTIONS]
    page.evaluate("(actions) => make(actions)", cards)
    assert page.evaluate("rows()") == [
        "1|Relevant|", "l|Postpone|Change", "j → ↓|Next|Change", "Shift N|Back|Change", "|Mark|Change",
    ]  # fmt: skip
    assert page.evaluate("keyboard.map.get('s')") == "spam"
    page.evaluate("ask('back')")
    assert page.evaluate("press('s')[1]") == "s is the key of “Spam”. Swap, or press another key."
    page.get_by_role("button", name="Swap").click()
    assert page.evaluate("[own, focused()]") == [{"back": "s", "spam": "N"}, "Change the key of: Back"]


def test_the_page_shows_the_first_key_and_screen_readers_are_told_all(page: Page) -> None:
    shown = """() => ["later", "back", "mark", "next"].map((name) => {
        const sign = document.querySelector(`[data-key-of=${name}]`);
        return [sign.textContent, sign.hidden, sign.closest("button")?.getAttribute("aria-keyshortcuts") ?? ""];
    })"""
    assert page.evaluate(shown) == [
        ["l", False, "l"], ["Shift N", False, "Shift+N"], ["", True, ""], ["j", False, ""],
    ]  # fmt: skip
    page.evaluate(
        "(own = { later: 'ArrowUp', back: '', mark: 'b', next: 'ArrowRight' }, listeners[0]('size'))"
    )
    assert page.evaluate(shown)[0] == ["l", False, "l"]
    page.evaluate("listeners[0]('keys')")
    assert page.evaluate(shown) == [
        ["↑", False, "ArrowUp"], ["", True, ""], ["b", False, "b"], ["→", False, ""],
    ]  # fmt: skip
    assert page.evaluate("[rows()[3], keyboard.usual.hidden]") == ["→ ↓|Next|Change", False]


def test_who_asks_for_another_key_is_told_so_and_can_cancel_or_take_none(page: Page) -> None:
    page.locator("[aria-label='Change the key of: Next']").click()
    assert page.evaluate("[said(), rows()[3], focused()]") == [
        "Press the new key of “Next”. Esc cancels.", "press a key|Next|No key Cancel", "Cancel",
    ]  # fmt: skip
    changing = "[...document.querySelectorAll('[data-changing]')].length"
    assert page.evaluate(changing) == 1
    page.get_by_role("button", name="Cancel").click()
    assert page.evaluate(f"[said(), rows()[3], focused(), {changing}]") == [
        "", "j → ↓|Next|Change", "Change the key of: Next", 0,
    ]  # fmt: skip
    page.locator("[aria-label='Change the key of: Next']").click()
    page.get_by_role("button", name="No key").click()
    assert page.evaluate("[said(), rows()[3], own, focused()]") == [
        "“Next” now has no key.", "→ ↓|Next|Change", {"next": ""}, "Change the key of: Next",
    ]  # fmt: skip
    page.get_by_role("button", name="Restore default keys").click()
    assert page.evaluate("[said(), own, keyboard.usual.hidden]") == [
        "The default keys are restored.", {}, True,
    ]  # fmt: skip


def test_a_key_that_is_free_is_taken_and_the_default_one_is_not_kept(page: Page) -> None:
    for key, more, kept, words in (
        ("z", {}, {"later": "z"}, "z is now the key of “Postpone”."),
        ("Q", {"shiftKey": True}, {"later": "q"}, "q is now the key of “Postpone”."),
        ("ф", {"code": "KeyA"}, {"later": "ф"}, "ф is now the key of “Postpone”."),
        ("ArrowUp", {}, {"later": "ArrowUp"}, "↑ is now the key of “Postpone”."),
        ("Backspace", {}, {"later": "Backspace"}, "Backspace is now the key of “Postpone”."),
        ("Enter", {}, {"later": "Enter"}, "Enter is now the key of “Postpone”."),
        ("l", {}, {}, "l is now the key of “Postpone”."),
    ):
        page.evaluate("ask('later')")
        assert page.evaluate("([key, more]) => press(key, more)", [key, more]) == ["", words, True, 0]
        assert page.evaluate("own") == kept
    assert page.evaluate("(ask('mark'), keyboard.take(keyboard.changing, ''), own)") == {}
    assert page.evaluate("(own = { next: '' }, ask('later'), press('j'), own)") == {"next": "", "later": "j"}


def test_what_cannot_be_a_key_is_said_and_the_next_press_counts(page: Page) -> None:
    page.evaluate("ask('later')")
    combined = "Keys cannot be combined with Ctrl, Alt or similar. Press another key."
    for key, more, words in (
        ("7", {}, "A digit always gives its grade. Press another key."),
        ("٣", {}, "A digit always gives its grade. Press another key."),
        (" ", {}, "Space cannot be changed. Press another key."),
        ("F5", {}, "F5 cannot be changed. Press another key."),
        ("z", {"ctrlKey": True}, combined),
        ("y", {"altKey": True}, combined),
        ("z", {"metaKey": True}, combined),
    ):
        assert page.evaluate("([key, more]) => press(key, more)", [key, more]) == ["later", words, True, 0]
    page.evaluate("keyboard.say('')")
    for key, more in (
        *((key, {}) for key in ("Shift", "Control", "Alt", "Meta", "AltGraph", "CapsLock", "Tab")),
        ("z", {"isComposing": True}),
        ("z", {"repeat": True}),
    ):
        assert page.evaluate("([key, more]) => press(key, more)", [key, more]) == ["later", "", False, 1]
    assert page.evaluate("press(' ', {}, document.querySelector('[data-changing] button'))") == [
        "later",
        "",
        False,
        1,
    ]
    assert page.evaluate("press('Escape')") == ["", "", True, 0]
    assert page.evaluate("[press('z'), own]") == [["", "", False, 1], {}]


def test_the_dialog_stays_while_a_key_is_awaited_and_forgets_it_when_it_closes(page: Page) -> None:
    cancel = """() => {
        const event = new Event("cancel", { cancelable: true });
        document.querySelector("#keys").dispatchEvent(event);
        return event.defaultPrevented;
    }"""
    assert page.evaluate(cancel) is False
    page.evaluate("ask('later')")
    assert page.evaluate(cancel) is True
    page.evaluate("document.querySelector('#keys').dispatchEvent(new Event('close'))")
    assert page.evaluate("[keyboard.changing, said(), rows()[2]]") == [None, "", "l|Postpone|Change"]


def test_a_key_that_another_action_has_is_swapped_or_taken_and_a_fixed_one_stays(page: Page) -> None:
    page.evaluate("ask('later')")
    assert page.evaluate("[press('s'), focused(), own]") == [
        ["later", "s is the key of “Spam”. Swap, or press another key.", True, 0], "Swap", {},
    ]  # fmt: skip
    page.get_by_role("button", name="Swap").click()
    assert page.evaluate("[said(), own, focused()]") == [
        "“Postpone” and “Spam” swapped keys.", {"later": "s", "spam": "l"}, "Change the key of: Postpone",
    ]  # fmt: skip
    page.evaluate("(own = {}, ask('mark'))")
    assert (
        page.evaluate("press('N', { shiftKey: true })[1]")
        == "Shift N is the key of “Back”. Take it, or press another key."
    )
    page.get_by_role("button", name="Take it").click()
    assert page.evaluate("[said(), own]") == ["“Back” gave its key to “Mark”.", {"mark": "N", "back": ""}]
    fixed = "(ask('later'), keyboard.take(keyboard.changing, '1'), [said(), keyboard.changing.name, own.later ?? ''])"
    assert page.evaluate(fixed) == ["1 is always “Relevant”. Press another key.", "later", ""]


def test_what_the_server_says_against_a_key_is_said(page: Page) -> None:
    page.evaluate("(refused = 'Two actions have z', ask('later'), press('z'))")
    page.wait_for_function("said() === 'Two actions have z'")
