"""What a person does in a browser, counted: each story says how many steps lead out of the moment."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, Page


class Steps:
    """The clicks, choices and texts of one person; each is one step, and looking is none."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self.taken = 0

    def click(self, what: Locator | str) -> None:
        """Click an element, or the first link, button or summary on the page with exactly this name."""
        self.taken += 1
        (self._named(what).first if isinstance(what, str) else what).click()

    def choose(self, label: str | Locator, value: str) -> None:
        """Choose an entry of a select by what it says, or tick the radio button or checkbox `value` of a group."""
        self.taken += 1
        field = self._field(label)
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(label=value)
        else:
            field.get_by_label(value, exact=True).check()

    def type(self, label: str | Locator, text: str) -> None:
        """Fill a field, which is one step however long the text is."""
        self.taken += 1
        self._field(label).fill(text)

    def _field(self, label: str | Locator) -> Locator:
        if not isinstance(label, str):
            return label
        return (
            self._page.get_by_label(label, exact=True)
            .or_(self._page.get_by_role("group", name=label, exact=True))
            .filter(visible=True)
        )

    def _named(self, text: str) -> Locator:
        # A part of a name that is there for screen readers alone is set off with spaces.
        exact = re.compile(
            r"^\s*" + r"\s+".join(map(re.escape, text.split())).replace("…", r"\s*…") + r"\s*$"
        )
        clickable = self._page.get_by_role("link", name=exact)
        clickable = clickable.or_(self._page.get_by_role("button", name=exact))
        return clickable.or_(self._page.locator("summary", has_text=exact)).filter(visible=True)
