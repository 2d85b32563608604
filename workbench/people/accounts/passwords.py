"""Passwords: which ones are good enough, and the hash that is kept of them.

At least 12 characters and none of the commonest, no rules about their kinds, at most 128 (OWASP ASVS 4.0.3, 2.1). A
password is hashed in Unicode's compatible composed form (NFKC, as NIST SP 800-63B says), so that one keyboard or system
gives the same as another. The cost is OWASP's for scrypt: N = 2^17, r = 8, p = 1, which takes 128 MB for a moment.
"""

from __future__ import annotations

from functools import cache

from workbench.core.normal_forms import normal_form
from workbench.people.accounts.file import AccountError
from workbench.people.accounts.hashing import check_password_hash, generate_password_hash

SHORTEST = 12
LONGEST = 128
LONGEST_TYPED = 1024
"""What is longer was never a password, and is cut before it is hashed."""

COST = "scrypt:131072:8:1"

TOO_COMMON = 2
"""zxcvbn's score from which a password is taken: fewer than a million guesses find what scores below."""

ESTIMATED = 32
"""How many characters zxcvbn looks at; its time grows faster than their number, and who has a link can ask for it."""

SHORT = f"a password needs at least {SHORTEST} characters; a few words make a good one"
LONG = f"a password may have at most {LONGEST} characters"
COMMON = "this password is among the first that others would try; a few unrelated words make a good one"


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
