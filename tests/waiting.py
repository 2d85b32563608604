"""Waiting for what another thread or process does."""

from __future__ import annotations

import time
from collections.abc import Callable

PATIENCE = 120.0
"""Seconds: far more than it takes on a busy machine."""


def wait_until(holds: Callable[[], object]) -> None:
    """Look again and again until it holds; AssertionError if that never comes."""
    given_up = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < given_up, "it never came to that"
        time.sleep(0.01)
