"""The menu of an organiser in a browser."""

from __future__ import annotations

from playwright.sync_api import Page


def choose(page: Page, group: str, name: str) -> None:
    """Open a group of the menu and go to one of its pages."""
    menu = page.get_by_role("navigation", name="Campaign")
    menu.locator("summary", has_text=group).click()
    menu.get_by_role("link", name=name, exact=True).click()
