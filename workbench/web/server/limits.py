"""What the process may take of the machine: memory for values of campaigns, and open files and connections.

What memory is freed goes back to the system, in a background thread.
"""

from __future__ import annotations

import ctypes
import os
import sys
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import NamedTuple

from workbench.jobs.background import in_background
from workbench.web.requests.connections import MOST_OPEN

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


WANTED = 4096
"""Descriptors of a process that are asked for at the start."""

ENOUGH = 2048
"""Descriptors with which no part gets less than it would take."""

CONNECTIONS = 500
"""When this many are being answered, others wait."""


class Shares(NamedTuple):
    """What the server gets of a limit: connections, and open campaign files, which take two descriptors each."""

    limit: int
    connections: int
    files: int

    @classmethod
    def of(cls, limit: int) -> Shares:
        """Half for connections and a quarter for files, or as many as are wanted of each."""
        return cls(limit, min(CONNECTIONS, limit // 2), min(MOST_OPEN, limit // 8))

    def warning(self) -> str:
        """What is wrong with a limit that is too low, and what to do; "" for one that will do."""
        if self.limit >= ENOUGH:
            return ""
        return (
            f"this process may open {self.limit} files and connections, so it serves at most {self.connections} "
            f"connections at a time; allow it {ENOUGH} or more (ulimit -n, or LimitNOFILE= of the systemd unit)"
        )


def raise_limit() -> Shares:
    """Have the system allow WANTED descriptors, or as many as it lets us (Windows: any); the shares of these."""
    try:
        import resource
    except ImportError:  # Windows
        return Shares.of(WANTED)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return Shares.of(WANTED)
    allowed = WANTED if hard == resource.RLIM_INFINITY else min(WANTED, hard)
    if allowed > soft:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
        except (OSError, ValueError):  # some systems allow less than they say
            allowed = soft
    return Shares.of(max(soft, allowed))
