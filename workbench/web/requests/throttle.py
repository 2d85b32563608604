"""How often something may fail: a few mistakes are human, a thousand are not."""

from __future__ import annotations

import threading
import time
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Hashable
from ipaddress import IPv4Address, IPv6Address, ip_address

ATTEMPTS = 5
RECORDED = 100
"""How many failures from one network address are written into the security log within the window."""

WINDOW = 300.0
MOST_KEYS = 10_000
"""Keys that are remembered; beyond them the key whose last attempt is longest ago is forgotten."""

LONGEST_ADDRESS = 64


def network_of(address: str | None) -> str:
    """What attempts from an address are counted by: the address in IPv4, its /64 in IPv6.

    An IPv4 address is often shared by a whole building already, while the holder of one IPv6 address has the 2 to the
    64 of its network.
    """
    return _network(address, 32, 64)


def neighbourhood_of(address: str | None) -> str:
    """The wider network of an address, which one owner can have whole: its /24 in IPv4, its /48 in IPv6."""
    return _network(address, 24, 48)


def _network(address: str | None, bits_of_4: int, bits_of_6: int) -> str:
    try:
        found = ip_address(address or "")
    except ValueError:
        return (address or "")[:LONGEST_ADDRESS]
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        found = found.ipv4_mapped
    if isinstance(found, IPv6Address):
        return str(IPv6Address(_first_bits(int(found), bits_of_6, 128)))
    return str(IPv4Address(_first_bits(int(found), bits_of_4, 32)))


def _first_bits(number: int, kept: int, bits: int) -> int:
    return number >> (bits - kept) << (bits - kept)


class Throttle:
    """At most `attempts` failures per key within `window` seconds, remembered by this process alone.

    An attempt counts as a failure from its start, so that many at once are not more than many in a row;
    `take_back` and `forgive` undo that. Memory is bounded by MOST_KEYS keys of `attempts` times each.
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
        self._failures: OrderedDict[Hashable, list[float]] = OrderedDict()
        self._lock = threading.Lock()

    def attempt(self, key: Hashable) -> float:
        """Count an attempt; 0.0 when it may go on, else the seconds to wait before the next one."""
        with self._lock:
            now = self._clock()
            failures = [at for at in self._failures.get(key, ()) if at > now - self._window]
            if len(failures) >= self._attempts:
                return max(failures[0] + self._window - now, 1.0)
            self._failures[key] = [*failures, now]
            self._failures.move_to_end(key)
            while len(self._failures) > MOST_KEYS:
                self._failures.popitem(last=False)
            return 0.0

    def failures_of(self, key: Hashable) -> int:
        """How many failures a key has within the window, with attempts that go on."""
        failures = self._failures.get(key, [])
        return len(failures) - bisect_right(failures, self._clock() - self._window)

    def take_back(self, key: Hashable) -> None:
        """Undo the last attempt of a key."""
        with self._lock:
            failures = self._failures.get(key, [])[:-1]
            if failures:
                self._failures[key] = failures
            else:
                self._failures.pop(key, None)

    def forgive(self, key: Hashable) -> None:
        """Forget the failures of a key: the attempt was right."""
        with self._lock:
            self._failures.pop(key, None)
