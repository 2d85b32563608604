"""Waiting for figures in a browser."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

A_WHILE = 150_000
"""Milliseconds: the first figure of a process waits for the drawing script to be made."""


def drawn(figure: Locator) -> None:
    """Wait until a `<figure>` is drawn, as far down the page as it may be."""
    figure.scroll_into_view_if_needed()
    expect(figure).to_have_attribute("data-state", "drawn", timeout=A_WHILE)
