"""Hashes of passwords: the one place that calculates them, a few at a time.

Each takes a core and tens of megabytes for a while, and strangers can ask for one by guessing. So at most AT_ONCE are
calculated at the same time in a process, and at most WAITING callers wait for a slot, since each waiting caller
may hold a thread of a server; more callers get HashesBusy at once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import werkzeug.security as passwords

from workbench.people.accounts.file import AccountsUnavailable

AT_ONCE = 2
WAITING = 2


class HashesBusy(AccountsUnavailable):
    """Too many passwords are being checked at the moment; nothing was checked."""

    def __init__(self) -> None:
        super().__init__("too many passwords are being checked at the moment; try again in a few seconds")


class HashSlots:
    """At most `at_once` holders at a time, and `waiting` callers who wait; HashesBusy for any further one."""

    def __init__(self, at_once: int = AT_ONCE, waiting: int = WAITING) -> None:
        self._places = threading.Semaphore(at_once + waiting)
        self._running = threading.Semaphore(at_once)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a slot and hold it through the block."""
        if not self._places.acquire(blocking=False):
            raise HashesBusy
        try:
            with self._running:
                yield
        finally:
            self._places.release()


slots = HashSlots()


def generate_password_hash(password: str, method: str = "scrypt") -> str:
    """The salted hash of a password, as Werkzeug writes it; raises HashesBusy."""
    with slots.slot():
        return passwords.generate_password_hash(password, method=method)


def check_password_hash(stored: str, password: str) -> bool:
    """Whether a password is the one of a stored hash; raises HashesBusy."""
    with slots.slot():
        return passwords.check_password_hash(stored, password)
