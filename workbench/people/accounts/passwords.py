"""Passwords: which ones are good enough, and the hash that is kept of them.

At least 12 characters and none of the commonest, no rules about their kinds, at most 128 (OWASP ASVS 4.0.3, 2.1). A
password is hashed in Unicode's compatible composed form (NFKC, as NIST SP 800-63B says), so that one keyboard or system
gives the same as another. The cost is OWASP's for scrypt: N = 2^17, r = 8, p = 1.

Each hash takes a core and 128 MB for a moment, and strangers can ask for one by guessing. So at most AT_ONCE are
calculated at the same time in a process, and at most WAITING callers wait for a slot, since each may hold a thread of a
server; more callers get HashesBusy at once.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

import werkzeug.security

from workbench.core.normal_forms import normal_form
from workbench.core.wording import message_with
from workbench.jobs.processes import Seats, TooManyJobs
from workbench.people.accounts.file import AccountError, AccountsUnavailable

SHORTEST = 12
LONGEST = 128
LONGEST_TYPED = 1024
"""What is longer was never a password, and is cut before it is hashed."""

COST = "scrypt:131072:8:1"

TOO_COMMON = 2
"""zxcvbn's score from which a password is taken: fewer than a million guesses find what scores below."""

ESTIMATED = 32
"""How many characters zxcvbn looks at; its time grows faster than their number, and who has a link can ask for it."""

SHORT = message_with(
    "a password needs at least %(least)s characters; a few words make a good one", least=SHORTEST
)
LONG = message_with("a password may have at most %(most)s characters", most=LONGEST)
COMMON = message_with(
    "this password is among the first that others would try; a few unrelated words make a good one"
)


AT_ONCE = 2
WAITING = 2


class HashesBusy(AccountsUnavailable):
    """Too many passwords are being checked at the moment; nothing was checked."""

    def __init__(self) -> None:
        super().__init__(
            message_with("too many passwords are being checked at the moment; try again in a few seconds")
        )


slots = Seats(most=AT_ONCE, of_one=AT_ONCE, waiting=WAITING, patience=math.inf)


@contextmanager
def _slot() -> Iterator[None]:
    try:
        with slots.seat(None):
            yield
    except TooManyJobs:
        raise HashesBusy from None


def generate_password_hash(password: str, method: str = "scrypt") -> str:
    """The salted hash of a password, as Werkzeug writes it; raises HashesBusy."""
    with _slot():
        return werkzeug.security.generate_password_hash(password, method=method)


def check_password_hash(stored: str, password: str) -> bool:
    """Whether a password is the one of a stored hash; raises HashesBusy."""
    with _slot():
        return werkzeug.security.check_password_hash(stored, password)


def problem_with(password: str, name: str) -> str | None:
    """What is wrong with a password of the account `name`, or None; blanks in a row count as one."""
    plain = normal_form("NFKC", password)
    if len(" ".join(plain.split())) < SHORTEST:
        return SHORT
    if len(plain) > LONGEST:
        return LONG
    return COMMON if _is_common(plain[:ESTIMATED], name) else None


def hash_password(password: str, name: str) -> str:
    """The hash of a password with a salt of its own; AccountError for one that is too short, too long or too common."""
    if (problem := problem_with(password, name)) is not None:
        raise AccountError(problem)
    return generate_password_hash(_form(password), method=COST)


def fits(stored: str, password: str) -> bool:
    """Whether a password is the one of a stored hash."""
    return check_password_hash(stored, _form(password[:LONGEST_TYPED]))


def spend(password: str) -> None:
    """Take the time that a password of an account takes."""
    fits(_dummy_hash(COST), password)


@cache
def _dummy_hash(cost: str) -> str:
    return generate_password_hash("nobody", method=cost)


def _form(password: str) -> str:
    """The form that is hashed; half a character, which cannot be typed, fits nothing."""
    return normal_form("NFKC", password).encode("utf-8", "replace").decode()


def _is_common(password: str, name: str) -> bool:
    from zxcvbn import zxcvbn  # its lists of words take memory that a command without passwords does not need

    own = [name, *name.split(), "workbench"]
    return bool(zxcvbn(password, user_inputs=own)["score"] < TOO_COMMON)
