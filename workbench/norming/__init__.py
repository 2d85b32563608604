"""Norming sessions: everybody judges the same few documents alone, then all grades are shown and talked about."""

from __future__ import annotations

from workbench.norming.sessions import (
    MOST,
    USUAL,
    Outcome,
    Row,
    Said,
    close_norming,
    newest_session,
    open_norming,
    outcome_of,
    reveal_norming,
)

__all__ = [
    "MOST",
    "USUAL",
    "Outcome",
    "Row",
    "Said",
    "close_norming",
    "newest_session",
    "open_norming",
    "outcome_of",
    "reveal_norming",
]
