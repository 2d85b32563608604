"""How much memory values of campaigns may take; what is freed goes back to the system, in a background thread."""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import AbstractContextManager, suppress
from pathlib import Path

from workbench.jobs.background import in_background

EVERY = 60.0
"""Seconds from one time to the next; each takes 1 to 40 ms."""

STOP_PATIENCE = 1.0

FOR_VALUES = 0.25
"""The share of memory that values of campaigns may take; pages, requests and worker processes need the rest."""

OF_UNKNOWN = 2 << 30
"""Bytes of memory of a machine that does not tell."""

GROUPS, OWN_GROUP = Path("/sys/fs/cgroup"), Path("/proc/self/cgroup")


def for_values(groups: Path = GROUPS, own: Path = OWN_GROUP) -> int:
    """How many bytes values may take: a share of the machine's memory, or of what control groups leave this process."""
    most, group = OF_UNKNOWN, groups
    with suppress(AttributeError, ValueError, OSError):
        most = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    with suppress(OSError):
        group /= own.read_text(encoding="utf-8").rpartition("0::/")[2].strip()
    for folder in (group, *group.parents):
        for name in (
            "memory.max",
            "memory/memory.limit_in_bytes",
        ):  # of version 2, and of a container in version 1
            with suppress(OSError, ValueError):  # "max" where there is no limit
                most = min(most, int((folder / name).read_text(encoding="ascii")))
    return int(FOR_VALUES * most)


def give_back() -> None:
    """Give the system the memory that is free: glibc keeps it for later, other C libraries have no such call."""
    if sys.platform == "linux" and hasattr(library := ctypes.CDLL(None), "malloc_trim"):
        library.malloc_trim(0)


def giving_back() -> AbstractContextManager[None]:
    """Give free memory back again and again for as long as the block runs."""
    return in_background("memory", lambda _: give_back(), pause=EVERY, patience=STOP_PATIENCE)
