"""How many files and connections the process may have open, and what each part of the server gets of them."""

from __future__ import annotations

import sys
from typing import NamedTuple

from workbench.web.requests.connections import MOST_OPEN

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
    """Have the system allow WANTED descriptors, or as many as it lets this process ask for; the shares of these.

    Windows has no such limit.
    """
    if sys.platform == "win32":
        return Shares.of(WANTED)
    import resource

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
