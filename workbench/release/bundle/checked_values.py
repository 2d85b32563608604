"""Values from an untrusted file: each function returns the value, or raises ValueError or TypeError.

The errors say what is wrong; the caller knows where.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from typing import Any

from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE
from workbench.formats.text.identifiers import identifier_problem


def text(value: Any) -> str:
    """A text that can be stored."""
    if not isinstance(value, str):
        raise TypeError(f"{value!r} is not a text")
    value.encode()  # half a surrogate pair cannot be stored
    return value


def sha256(value: Any) -> str:
    """A SHA-256 in hexadecimal digits."""
    if not re.fullmatch("[0-9a-f]{64}", text(value)):
        raise ValueError(f"{value!r} is not a SHA-256")
    return str(value)


def name(value: Any) -> str:
    """The name of a person."""
    if not text(value).strip() or not value.isprintable():
        raise ValueError(f"{value!r} is not a name")
    return str(value)


def decimal(value: Any) -> float:
    """A number that SQLite gives back as it was stored, which it does not do for NaN."""
    if not isinstance(value, int | float) or not math.isfinite(value):
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def probability(value: Any) -> float:
    """The chance with which a pair was drawn: none that is in a pool had the chance 0."""
    if not 0 < (chance := decimal(value)) <= 1:
        raise ValueError(f"{chance} is not a probability of a pair that was drawn")
    return chance


def number(value: Any) -> int:
    """A whole number that SQLite stores."""
    if not isinstance(value, int) or isinstance(value, bool) or abs(value) >= 1 << 63:
        raise TypeError(f"{value!r} is not a whole number")
    return value


def within(value: Any, least: int, most: int) -> int:
    """A whole number between two others."""
    if not least <= (found := number(value)) <= most:
        raise ValueError(f"{found} is not from {least} to {most}")
    return found


def listing(value: Any) -> list[Any]:
    """A list, whatever is in it."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return value


def one_of(value: Any, words: Collection[str]) -> str:
    """One of these words."""
    if text(value) not in words:
        raise ValueError(f"{value!r} is not known here")
    return str(value)


def parameter(value: Any) -> Any:
    """The value of a strategy's parameter, of any kind that JSON and a parameter have; or a list of such."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list):
        return [parameter(each) for each in value]
    if isinstance(value, str):
        return text(value)
    return decimal(value) if isinstance(value, float) else number(value)


def grade(value: Any) -> int:
    """A grade in the range of all grades."""
    if not LOWEST_GRADE <= (found := number(value)) <= HIGHEST_GRADE:
        raise ValueError(f"a grade of {found} is out of range")
    return found


def identifier(what: str, value: Any) -> str:
    """The id of a topic or document; `what` is which, for the message."""
    if problem := identifier_problem(what, text(value)):
        raise ValueError(problem)
    if not value:
        raise ValueError(f"a {what} has no id")
    return str(value)
