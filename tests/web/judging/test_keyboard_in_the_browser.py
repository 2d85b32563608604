"""Keys in a real browser: which there are, and what an assessor changes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from tests.fixture_types import Visit
from tests.web.judging.outboxes import until
from workbench.core.records import Grade
from workbench.storage.campaign import open_campaign
from workbench.storage.campaign.organising.settings import BINARY
from workbench.storage.campaign.people import preferences
from workbench.web.judging.keys import keys_for, legend

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SPAM = Grade(-2, "Spam")


@pytest.fixture
def page(visit: Visit, small: Path) -> Page:
    """A page of Ben's that has no keys of its own."""
    return visit("/c/small/history")


OWN: list[dict[str, str]] = [
    {},
    {"undo": "z"},
    {"later": "Backspace"},
    {"grade -2": "x", "cannot tell": "p", "clear": "l", "later": ""},
    {"next": "ArrowLeft", "previous": "j"},
]


def test_the_page_has_the_keys_that_the_server_reckons_with(page: Page) -> None:
    scale = [*BINARY, SPAM]
    found = page.evaluate(
        """async ([actions, each]) => {
            const { keyMap } = await import("/static/judging/keyboard.js");
            return each.map((own) => Object.fromEntries(keyMap(actions, own)));
        }""",
        [legend(scale), OWN],
    )
    assert found == [keys_for(own, scale) for own in OWN]


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


def sent(page: Page) -> None:
    """Send, until the server has every change."""
    until(page, "(await preferences.send(), preferences.waiting().length === 0)")


def values(page: Page, *names: str) -> Sequence[object]:
    return [page.evaluate("(name) => preferences.get(name)", name) for name in names]


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
