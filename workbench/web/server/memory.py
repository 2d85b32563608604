"""What the server's process has freed goes back to the system, in a background thread."""

from __future__ import annotations

import ctypes
import sys
from contextlib import AbstractContextManager

from workbench.jobs.background import in_background

EVERY = 60.0
"""Seconds from one time to the next; each takes 1 to 40 ms."""

STOP_PATIENCE = 1.0


def give_back() -> None:
    """Give the system the memory that is free: glibc keeps it for later, other C libraries have no such call."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)


def giving_back() -> AbstractContextManager[None]:
    """Give free memory back again and again for as long as the block runs."""
    return in_background("memory", lambda _: give_back(), pause=EVERY, patience=STOP_PATIENCE)
