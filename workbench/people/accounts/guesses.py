"""How many guesses may be wrong: a few mistakes are human, a thousand are not.

A guess of a password counts against its network, its wider network, the name from this network, and the name from
anywhere; a right password takes its own attempt back. All counts are the same for names without an account.
"""

from __future__ import annotations

import hashlib
import threading
import time
from bisect import bisect_right
from collections.abc import Callable, Hashable
from ipaddress import IPv6Address, ip_address, ip_network
from typing import NamedTuple

from workbench.core.errors import WorkbenchError
from workbench.core.recently_used import RecentlyUsed
from workbench.core.wording import message_counting, message_with
from workbench.people.accounts.people import name_key

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
    bits = bits_of_4 if found.version == 4 else bits_of_6
    return str(ip_network((int(found), bits), strict=False).network_address)


class Throttle:
    """At most `attempts` failures per key within `window` seconds, remembered by this process alone.

    An attempt counts as a failure from its start, so that many at once are not more than many in a row;
    `take_back` and `forgive` undo that. Memory is bounded by MOST_KEYS keys of `attempts` times each.
    """

    def __init__(
        self, attempts: int = ATTEMPTS, window: float = WINDOW, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._attempts = attempts
        self._window = window
        self._clock = clock
        self._failures: RecentlyUsed[Hashable, list[float]] = RecentlyUsed(MOST_KEYS)
        self._lock = threading.Lock()

    def attempt(self, key: Hashable) -> float:
        """Count an attempt; 0.0 when it may go on, else the seconds to wait before the next one."""
        with self._lock:
            now = self._clock()
            failures = [at for at in self._failures.get(key, ()) if at > now - self._window]
            if len(failures) >= self._attempts:
                return max(failures[0] + self._window - now, 1.0)
            self._failures.put(key, [*failures, now])
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


OF_NETWORK = 100
"""Wrong passwords from one network in five minutes: a lecture hall behind one address mistypes fewer."""

OF_NEIGHBOURHOOD = 400
OF_NAME = 100
HOUR = 3600.0

NAME = message_with("Too many attempts with this name.")
NETWORK = message_with("Too many attempts from your network.")


class TooManyGuesses(WorkbenchError):
    """Too many passwords were wrong, with this name or from this network; this one was not looked at."""

    def __init__(self, wait: float, what: str) -> None:
        self.seconds = int(wait) + 1
        super().__init__(
            message_counting(
                "%(what)s Try again in %(num)s second.",
                "%(what)s Try again in %(num)s seconds.",
                self.seconds,
                what=what,
            )
        )


class Guess(NamedTuple):
    """What one attempt is counted by."""

    network: str
    neighbourhood: str
    pair: tuple[bytes, str]


class Guesses:
    """A server's counts of wrong passwords; guesses from elsewhere do not keep out known networks of a name."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._networks = Throttle(OF_NETWORK, clock=clock)
        self._neighbourhoods = Throttle(OF_NEIGHBOURHOOD, clock=clock)
        self._pairs = Throttle(clock=clock)
        self._names = Throttle(OF_NAME, HOUR, clock=clock)
        self._known: RecentlyUsed[Hashable, None] = RecentlyUsed(MOST_KEYS)
        self._lock = threading.Lock()

    def begin(self, name: str, address: str | None, *, signed_in: bool = False) -> Guess:
        """Count an attempt, by the name alone if `signed_in`; TooManyGuesses, not counted, if it may not go on."""
        network = network_of(address)
        of_name = hashlib.sha256(name_key(name).encode(errors="surrogatepass")).digest()
        guess = Guess(network, neighbourhood_of(address), (of_name, "" if signed_in else network))
        counters = self._counters(guess)
        for place, (counter, key, whose) in enumerate(counters):
            if wait := counter.attempt(key):
                for earlier, its_key, _ in counters[:place]:
                    earlier.take_back(its_key)
                raise TooManyGuesses(wait, whose)
        return guess

    def was_right(self, guess: Guess) -> None:
        """Take an attempt back: the password was right."""
        self.take_back(guess)
        self._pairs.forgive(guess.pair)
        with self._lock:
            self._known.put(guess.pair, None)

    def take_back(self, guess: Guess) -> None:
        """Take an attempt back that was not looked at."""
        for counter, key, _ in self._counters(guess):
            counter.take_back(key)

    def failures_of(self, network: str) -> int:
        """How many passwords from a network and from its wider network were wrong of late, or are being checked."""
        wider = neighbourhood_of(network)
        return self._networks.failures_of(network) + self._neighbourhoods.failures_of(wider)

    def _counters(self, guess: Guess) -> list[tuple[Throttle, Hashable, str]]:
        """Each counter with its key; networks first, so that one that is refused fills no memory with names."""
        found: list[tuple[Throttle, Hashable, str]] = [
            (self._networks, guess.network, NETWORK),
            (self._neighbourhoods, guess.neighbourhood, NETWORK),
            (self._pairs, guess.pair, NAME),
        ]
        if guess.pair not in self._known:
            found.append((self._names, guess.pair[0], NAME))
        return found
