"""Chromium, as the other browser tests drive it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page

from tests.web.engines.webdriver import Point, Refused

WIDTH, HEIGHT = 1280, 900  # of the window, in CSS pixels


class Chromium:
    """One context of the system's own Chromium, which takes no command to zoom: it gets the window that is left.

    Points are CSS pixels from the upper left corner of the page's window.
    """

    name = "chromium"

    def __init__(self, context: BrowserContext) -> None:
        self.context = context
        self.version = context.browser.version if context.browser else ""
        self.page: Page = context.new_page()

    def ask(self, expression: str) -> Any:
        """What an expression of JavaScript is worth in the page of this tab, as JSON."""
        try:
            return self.page.evaluate(f"() => ({expression})")
        except Error as error:
            raise Refused(str(error)) from error

    def open(self, url: str) -> None:
        self.page.goto(url)

    def reload(self) -> None:
        self.page.reload()

    def put_cookie(self, name: str, value: str) -> None:
        """For the host that this tab shows."""
        host = str(self.page.evaluate("location.hostname"))
        self.context.add_cookies([{"name": name, "value": value, "domain": host, "path": "/"}])

    def press(self, *keys: str) -> None:
        """Press keys one after the other, by their names in KeyboardEvent; `Shift+a` holds one key over another."""
        for key in keys:
            self.page.keyboard.press(key)

    def click(self, at: Point, times: int = 1) -> None:
        self.page.mouse.click(*at, click_count=times)

    def drag(self, start: Point, end: Point) -> None:
        # Playwright's own mouse waits for a drag to begin, by scripts in every frame: those without any never answer.
        session = self.context.new_cdp_session(self.page)
        middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
        for kind, at in (("Pressed", start), ("Moved", middle), ("Moved", end), ("Released", end)):
            place = {"x": at[0], "y": at[1], "button": "left", "buttons": 1, "clickCount": 1}
            session.send("Input.dispatchMouseEvent", {"type": f"mouse{kind}", **place})
        session.detach()

    def wheel(self, at: Point, by: int) -> None:
        self.page.mouse.move(*at)
        self.page.mouse.wheel(0, by)

    def zoom(self, factor: float) -> None:
        self.page.set_viewport_size({"width": round(WIDTH / factor), "height": round(HEIGHT / factor)})

    def scheme(self, name: str) -> None:
        self.page.emulate_media(color_scheme="dark" if name == "dark" else "light")

    def this_tab(self) -> str:
        return str(self.context.pages.index(self.page))

    def tabs(self) -> Sequence[str]:
        return [str(number) for number in range(len(self.context.pages))]

    def open_tab(self) -> str:
        self.context.new_page()
        return self.tabs()[-1]

    def go_to_tab(self, tab: str) -> None:
        self.page = self.context.pages[int(tab)]
        self.page.bring_to_front()

    def close_tab(self) -> None:
        self.page.close()
