"""Sign-in attempts: a few mistakes are human, a thousand are not."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Hashable
from ipaddress import IPv6Address, ip_address

ATTEMPTS = 5
RECORDED = 100
"""How many failures from one network address are written into the record of acts within the window."""

WINDOW = 300.0
MOST_KEYS = 10_000


def network_of(address: str | None) -> str:
    """What attempts from an address are counted by: who has one IPv6 address has 2 to the 64 of its network."""
    try:
        found = ip_address(address or "")
    except ValueError:
        return address or ""
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or IPv6Address(int(found) >> 64 << 64)
    return str(found)


class Throttle:
    """At most `attempts` failures per key within `window` seconds, remembered by this process alone.

    An attempt counts as a failure from its start, so that many at once are not more than many in a row;
    `forgive` takes it back.
    """

    def __init__(
        self,
        attempts: int = ATTEMPTS,
        window: float = WINDOW,
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._attempts = attempts
        self._window = window
        self._clock = clock
        self._failures: dict[Hashable, deque[float]] = {}
        self._lock = threading.Lock()

    def attempt(self, key: Hashable) -> float:
        """Count an attempt; 0.0 when it may go on, else the seconds to wait before the next one."""
        with self._lock:
            now = self._clock()
            failures = self._recent(key, now)
            if len(failures) >= self._attempts:
                return max(failures[0] + self._window - now, 1.0)
            failures.append(now)
            return 0.0

    def forgive(self, key: Hashable) -> None:
        """Forget the failures of a key: the attempt was right."""
        with self._lock:
            self._failures.pop(key, None)

    def _recent(self, key: Hashable, now: float) -> deque[float]:
        if len(self._failures) >= MOST_KEYS:
            self._drop_old(now)
        failures = self._failures.setdefault(key, deque())
        while failures and failures[0] <= now - self._window:
            failures.popleft()
        return failures

    def _drop_old(self, now: float) -> None:
        self._failures = {
            key: failures
            for key, failures in self._failures.items()
            if failures and failures[-1] > now - self._window
        }
