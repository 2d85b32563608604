"""Norming sessions: all assessors judge the same documents independently, then see and discuss all grades."""

from __future__ import annotations

from workbench.analysis.norming.sessions import (
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
