"""Keys in a real browser: which press counts, what it means, and what an assessor changes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.fixture_types import Visit
from tests.web.judging.outboxes import until
from workbench.core.records import Grade
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising import settings
from workbench.storage.campaign.organising.settings import BINARY
from workbench.storage.campaign.people import preferences
from workbench.web.judging.keys import keys_for, legend

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SPAM = Grade(-2, "Spam")


@pytest.fixture
def page(visit: Visit, small: Path) -> Page:
    """A page of Ben's that has no keys of its own."""
    return visit("/c/small/history")


@pytest.mark.parametrize(
    ("event", "names"),
    [
        ({"key": "2", "code": "Digit2"}, ["2"]),
        ({"key": "2", "code": "Numpad2"}, ["2"]),
        ({"key": "ArrowDown", "code": "Numpad2"}, ["ArrowDown"]),
        ({"key": "é", "code": "Digit2"}, ["2", "é"]),  # AZERTY
        ({"key": "-", "code": "Digit6"}, ["6", "-"]),  # AZERTY
        ({"key": "2", "code": "Digit2", "shiftKey": True}, ["2"]),  # AZERTY
        ({"key": "/", "code": "Digit7", "shiftKey": True}, ["/"]),  # German
        ({"key": "+", "code": "Equal", "shiftKey": True}, ["+"]),
        ({"key": "?", "code": "Slash", "shiftKey": True}, ["?"]),
        ({"key": "x", "code": "KeyX"}, ["x"]),
        ({"key": "X", "code": "KeyX"}, ["x"]),  # Caps Lock
        ({"key": "n", "code": "KeyN", "shiftKey": True}, ["n"]),  # Caps Lock and Shift
        ({"key": "N", "code": "KeyN", "shiftKey": True}, ["N", "n"]),
        ({"key": "a", "code": "KeyQ"}, ["a"]),  # AZERTY
        ({"key": "ч", "code": "KeyX"}, ["ч", "x"]),  # Russian
        ({"key": "ж", "code": "Semicolon"}, ["ж"]),
        ({"key": "٢", "code": "Digit2"}, ["2", "٢"]),  # Arabic
        ({"key": "Backspace", "code": "Backspace"}, ["Backspace"]),
        ({"key": "Process", "code": "Digit2"}, ["Process"]),
        ({"key": "Dead", "code": "KeyX"}, ["Dead"]),
    ],
)
def test_a_key_has_the_name_that_stands_on_it_and_else_that_of_its_place(
    page: Page, event: dict[str, object], names: list[str]
) -> None:
    found = page.evaluate(
        """async (event) => (await import("/static/judging/keys.js")).namesOf(new KeyboardEvent("keydown", event))""",
        event,
    )
    assert found == names


LISTEN = """async ({press, on}) => {
    const { keyListener } = await import("/static/judging/keys.js");
    const done = [];
    const actionOf = (name) => (["2", "Enter", "n"].includes(name) ? () => done.push(name) : undefined);
    document.addEventListener("keydown", keyListener(actionOf));
    const place = document.createElement("div");
    place.innerHTML = `<textarea id="note"></textarea><input id="find"><input id="stay" type="checkbox">
      <p id="free" contenteditable>text</p><select id="choice"></select><button id="button">A</button>`;
    document.body.append(place);
    if (on === "dialog") { const dialog = document.createElement("dialog"); place.append(dialog); dialog.showModal(); }
    const target = on && on !== "dialog" ? document.getElementById(on) : document.body;
    target.dispatchEvent(new KeyboardEvent("keydown", {bubbles: true, cancelable: true, ...press}));
    return done;
}"""


@pytest.mark.parametrize(
    ("press", "on"),
    [
        ({"key": "2"}, "note"),
        ({"key": "2"}, "find"),
        ({"key": "2"}, "free"),
        ({"key": "2"}, "choice"),
        ({"key": "2"}, "dialog"),
        ({"key": "Enter"}, "button"),
        ({"key": "2", "ctrlKey": True}, None),
        ({"key": "2", "altKey": True}, None),
        ({"key": "2", "metaKey": True}, None),
        ({"key": "2", "isComposing": True}, None),
        ({"key": "2", "keyCode": 229}, None),
        ({"key": "2", "repeat": True}, None),
        ({"key": "3"}, None),
    ],
)
def test_a_press_that_is_meant_for_something_else_does_nothing(
    page: Page, press: dict[str, object], on: str | None
) -> None:
    assert page.evaluate(LISTEN, {"press": press, "on": on}) == []


@pytest.mark.parametrize(
    ("press", "on", "name"),
    [
        ({"key": "2"}, None, "2"),
        ({"key": "2"}, "stay", "2"),
        ({"key": "2"}, "button", "2"),
        ({"key": "Enter"}, None, "Enter"),
        ({"key": "N", "code": "KeyN", "shiftKey": True}, None, "n"),
    ],
)
def test_a_press_on_the_page_does_what_its_key_means(
    page: Page, press: dict[str, object], on: str | None, name: str
) -> None:
    assert page.evaluate(LISTEN, {"press": press, "on": on}) == [name]


@pytest.mark.parametrize(
    "own",
    [
        {},
        {"undo": "z"},
        {"later": "Backspace"},
        {"grade -2": "x", "cannot tell": "p", "clear": "l", "later": ""},
        {"next": "ArrowLeft", "previous": "j"},
    ],
)
def test_the_page_has_the_keys_that_the_server_reckons_with(page: Page, own: dict[str, str]) -> None:
    scale = [*BINARY, SPAM]
    found = page.evaluate(
        """async ([actions, own]) => {
            const { keyMap } = await import("/static/judging/keyboard.js");
            return Object.fromEntries(keyMap(actions, own));
        }""",
        [legend(scale), own],
    )
    assert found == keys_for(own, scale)


OPEN = """async ({actions, values}) => {
    const { Keyboard } = await import("/static/judging/keyboard.js");
    const { Preferences } = await import("/static/judging/preferences.js");
    document.getElementById("main").innerHTML = `<button data-any><kbd data-key-of="later">l</kbd></button>
      <dialog class="keys" id="keys"><div id="keyboard"></div></dialog>`;
    const data = {campaign: "small", url: "/c/small/api/preferences", values};
    window.preferences = new Preferences(data, "Ben", () => {});
    window.keyboard = new Keyboard(document.getElementById("keyboard"), actions, window.preferences);
    document.getElementById("keys").showModal();
}"""
DEFAULTS = {"keys": {}, "stay": False, "opening": "passage", "size": 17}


@pytest.fixture
def dialog(page: Page) -> Locator:
    page.evaluate(OPEN, {"actions": legend([*BINARY, SPAM]), "values": DEFAULTS})
    return page.locator("#keys")


def change(dialog: Locator, label: str, *keys: str) -> None:
    dialog.get_by_role("button", name=f"Change the key of: {label}").click()
    for key in keys:
        dialog.page.keyboard.press(key)


def row(dialog: Locator, label: str) -> Locator:
    return dialog.locator(".keyboard-row").filter(has_text=label)


def stored(small: Path) -> Any:
    with open_campaign(small) as campaign:
        return preferences.of(campaign, "Ben").get("keys")


def sent(page: Page) -> None:
    """Send, until the server has every change."""
    until(page, "(await preferences.send(), preferences.waiting().length === 0)")


def test_a_key_is_changed_by_pressing_the_new_one(dialog: Locator, small: Path) -> None:
    change(dialog, "Postpone, or undo postponing", "z")
    expect(dialog.get_by_role("status")).to_have_text("z is now the key of “Postpone, or undo postponing”.")
    expect(row(dialog, "Postpone").locator("kbd")).to_have_text("z")
    expect(row(dialog, "Postpone").get_by_role("button")).to_be_focused()
    assert dialog.page.evaluate("keyboard.map.get('z')") == "later"
    expect(dialog.page.locator("[data-any]")).to_have_attribute("aria-keyshortcuts", "z")
    expect(dialog.page.locator("[data-any]")).to_have_text("z")
    sent(dialog.page)
    assert stored(small) == {"later": "z"}


def test_a_key_that_another_action_has_is_named_and_can_be_swapped(dialog: Locator, small: Path) -> None:
    change(dialog, "Postpone, or undo postponing", "x")
    status = dialog.get_by_role("status")
    expect(status).to_have_text(
        "x is the key of “Can’t tell; save and go to the next”. Swap, or press another key."
    )
    assert stored(small) is None
    status.get_by_role("button", name="Swap").click()
    expect(row(dialog, "Postpone").locator("kbd")).to_have_text("x")
    expect(row(dialog, "Can’t tell").locator("kbd")).to_have_text("l")
    sent(dialog.page)
    assert stored(small) == {"later": "x", "cannot tell": "l"}


def test_the_letter_of_a_special_grade_is_changed_and_a_digit_is_not(dialog: Locator, small: Path) -> None:
    with open_campaign(small) as campaign, campaign.write():
        settings.change(campaign.by("Anna"), {"grades": (*settings.BINARY, SPAM)})
    expect(row(dialog, "Not relevant").get_by_role("button")).to_have_count(0)
    change(dialog, "Spam; save and go to the next", "7")
    expect(dialog.get_by_role("status")).to_have_text("A digit always gives its grade. Press another key.")
    dialog.page.keyboard.press("b")
    sent(dialog.page)
    assert stored(small) == {"grade -2": "b"}


@pytest.mark.parametrize("press", ["Home", "F5", "PageDown", "Control+z", "Shift"])
def test_what_cannot_be_a_key_leaves_the_question_open(dialog: Locator, small: Path, press: str) -> None:
    change(dialog, "Postpone, or undo postponing", press)
    expect(row(dialog, "Postpone")).to_contain_text("press a key")
    dialog.page.keyboard.press("z")
    sent(dialog.page)
    assert stored(small) == {"later": "z"}


def test_escape_leaves_the_key_and_not_the_dialog(dialog: Locator, small: Path) -> None:
    change(dialog, "Postpone, or undo postponing", "Escape")
    expect(dialog).to_be_visible()
    expect(row(dialog, "Postpone").locator("kbd")).to_have_text("l")
    dialog.page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert stored(small) is None


def test_an_action_can_go_without_a_key_and_the_usual_keys_come_back(dialog: Locator, small: Path) -> None:
    dialog.get_by_role("button", name="Change the key of: Postpone, or undo postponing").click()
    dialog.get_by_role("button", name="No key").click()
    expect(row(dialog, "Postpone").locator("kbd")).to_have_count(0)
    expect(dialog.page.locator("[data-any]")).not_to_have_attribute("aria-keyshortcuts", re.compile("."))
    sent(dialog.page)
    assert stored(small) == {"later": ""}
    dialog.get_by_role("button", name="Restore default keys").click()
    expect(row(dialog, "Postpone").locator("kbd")).to_have_text("l")
    expect(dialog.get_by_role("button", name="Restore default keys")).to_be_hidden()
    sent(dialog.page)
    assert stored(small) == {}


def test_a_key_with_shift_is_kept_as_the_small_letter_but_for_n(dialog: Locator, small: Path) -> None:
    change(dialog, "Postpone, or undo postponing", "Shift+Z")
    sent(dialog.page)
    assert stored(small) == {"later": "z"}
    change(dialog, "Previous marked word", "b")
    change(dialog, "Postpone, or undo postponing", "Shift+N")
    sent(dialog.page)
    assert stored(small) == {"later": "N", "previous hit": "b"}


def values(page: Page, *names: str) -> Sequence[object]:
    return [page.evaluate("(name) => preferences.get(name)", name) for name in names]


def test_a_preference_counts_at_once_and_is_sent_when_the_network_is_back(
    dialog: Locator, small: Path
) -> None:
    page = dialog.page
    page.context.set_offline(True)
    page.evaluate("preferences.set('size', 20); preferences.set('stay', true)")
    assert values(page, "size", "stay") == [20, True]
    with open_campaign(small) as campaign:
        assert preferences.of(campaign, "Ben") == {}
    page.context.set_offline(False)
    sent(page)
    with open_campaign(small) as campaign:
        assert preferences.of(campaign, "Ben") == {"size": 20, "stay": True}


def test_a_preference_that_was_not_sent_is_sent_by_the_next_page(visit: Visit, small: Path) -> None:
    page = visit("/c/small/history", intercepted=True)
    page.evaluate(OPEN, {"actions": [], "values": DEFAULTS})
    page.route("**/api/preferences", lambda route: route.abort())
    page.evaluate("preferences.set('size', 20)")
    page.goto(page.url)
    page.unroute_all()
    page.evaluate(OPEN, {"actions": [], "values": DEFAULTS})
    assert values(page, "size") == [20]
    sent(page)
    with open_campaign(small) as campaign:
        assert preferences.of(campaign, "Ben") == {"size": 20}
    assert page.evaluate("Object.keys(localStorage).filter((name) => name.startsWith('preferences:'))") == []


def test_a_preference_that_the_server_refuses_is_taken_back_and_the_sentence_is_reported(
    dialog: Locator,
) -> None:
    told = dialog.page.evaluate("preferences.set('size', 99)")
    assert told == "size: a whole number of pixels from 13 to 24 is expected"
    assert values(dialog.page, "size") == [17]


def test_what_another_person_changed_in_this_browser_is_not_sent_in_my_name(
    dialog: Locator, small: Path
) -> None:
    page = dialog.page
    page.evaluate("localStorage.setItem('preferences:small:Anna:size', JSON.stringify({value: 24}))")
    page.evaluate("preferences.set('stay', true)")
    sent(page)
    assert values(page, "size") == [17]
    with open_campaign(small) as campaign:
        assert preferences.of(campaign, "Ben") == {"stay": True}
