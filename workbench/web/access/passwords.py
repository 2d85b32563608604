"""Checking a password that came over the network: how many may be wrong is decided before any is hashed.

Every view that checks a password calls `verify`. A guess counts against its network, its wider network, the name
from this network, and the name from anywhere; a right password takes its own attempt back. All counts are the same
for names without an account. Views are marked with `checks_passwords`, so that the server runs few of them at a time
(`web.server.request_threads`).
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple, TypeVar, cast

from flask import Flask, current_app, request
from werkzeug.exceptions import TooManyRequests

from workbench.people.accounts import Account, check_password, name_key
from workbench.web.requests import throttle
from workbench.web.requests.connections import accounts
from workbench.web.requests.throttle import Throttle, neighbourhood_of, network_of

OF_NETWORK = 100
"""Wrong passwords from one network in five minutes: a lecture hall behind one address mistypes fewer."""

OF_NEIGHBOURHOOD = 400
OF_NAME = 100
HOUR = 3600.0

NAME, NETWORK = "name", "network"

View = TypeVar("View", bound=Callable[..., Any])


class TooManyGuesses(TooManyRequests):
    """Too many passwords were wrong; this one was not looked at. `what` was counted: a name or a network."""

    def __init__(self, wait: float, what: str) -> None:
        seconds = int(wait) + 1
        whose = "with this name" if what == NAME else "from your network"
        super().__init__(f"Too many attempts {whose}. Try again in {seconds} seconds.", retry_after=seconds)
        self.seconds, self.what = seconds, what


class Guess(NamedTuple):
    """What one attempt is counted by."""

    network: str
    neighbourhood: str
    pair: tuple[bytes, str]


class Guesses:
    """The counts of wrong passwords of one server.

    Who signed in with a name from a network before is not kept out by others who guess that name from elsewhere.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._networks = Throttle(OF_NETWORK, clock=clock)
        self._neighbourhoods = Throttle(OF_NEIGHBOURHOOD, clock=clock)
        self._pairs = Throttle(clock=clock)
        self._names = Throttle(OF_NAME, HOUR, clock=clock)
        self._known: OrderedDict[Hashable, None] = OrderedDict()
        self._lock = threading.Lock()

    def begin(self, name: str, address: str | None, *, signed_in: bool = False) -> Guess:
        """Count an attempt; TooManyGuesses when it may not go on, which counts nothing.

        Attempts of a session that is signed in as `name` count by the name alone, from wherever they come.
        """
        network = network_of(address)
        of_name = hashlib.sha256(name_key(name).encode(errors="surrogatepass")).digest()
        guess = Guess(network, neighbourhood_of(address), (of_name, "" if signed_in else network))
        counted: list[tuple[Throttle, Hashable]] = []
        for counter, key, what in self._counters(guess):
            if wait := counter.attempt(key):
                for earlier, its_key in counted:
                    earlier.take_back(its_key)
                raise TooManyGuesses(wait, what)
            counted.append((counter, key))
        return guess

    def was_right(self, guess: Guess) -> None:
        """Take an attempt back: the password was right."""
        self.take_back(guess)
        self._pairs.forgive(guess.pair)
        with self._lock:
            self._known[guess.pair] = None
            self._known.move_to_end(guess.pair)
            while len(self._known) > throttle.MOST_KEYS:
                self._known.popitem(last=False)

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


def init_app(app: Flask) -> None:
    """Give the application its counts."""
    app.extensions["workbench_guesses"] = Guesses()


def checks_passwords(view: View) -> View:
    """Declare that a view calculates hashes of passwords when it is posted to."""
    view.checks_passwords = True  # type: ignore[attr-defined]
    return view


def verify(name: str, password: str, *, signed_in: bool = False) -> Account | None:
    """The account if the password is right, else None; TooManyGuesses, before any hash, when it may not be tried now.

    `signed_in` says that the person who asks is signed in as `name` and gives the password once more.
    """
    guesses = cast("Guesses", current_app.extensions["workbench_guesses"])
    guess = guesses.begin(name, request.remote_addr, signed_in=signed_in)
    try:
        account = check_password(accounts(), name, password)
    except BaseException:
        guesses.take_back(guess)
        raise
    if account is not None:
        guesses.was_right(guess)
    return account
