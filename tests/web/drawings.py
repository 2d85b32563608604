"""What the scripts of a page draw after it was opened: its figures, and a leaderboard."""

from __future__ import annotations

from playwright.sync_api import Locator, Page, expect

A_WHILE = 150_000
"""Milliseconds: the first figure of a process waits for the drawing script to be made."""


def drawn(figure: Locator) -> None:
    """Wait until a `<figure>` is drawn, as far down the page as it may be."""
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-state", "drawn", timeout=A_WHILE)


def all_drawn(page: Page) -> None:
    """Wait until every figure of a page is there, and its leaderboard is not drawn anew any more."""
    for figure in page.locator("figure[data-figure]").all():
        drawn(figure)
    if page.locator("#board-body tr").count():
        # How sure each score is comes last, a moment after the board itself.
        expect(page.locator("#board-body .intervals-numbers").first).to_be_attached(timeout=A_WHILE)
