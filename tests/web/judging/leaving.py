"""A page that is left: for tests of what it says to others at its end."""

from __future__ import annotations

from playwright.sync_api import Page


def leave(page: Page) -> None:
    """Go to an empty page and close the tab.

    A tab that is merely closed gets half a second from the browser for its last words, too little on a busy machine.
    """
    page.evaluate("location.replace('about:blank')")
    page.wait_for_url("about:blank")
    page.close()
