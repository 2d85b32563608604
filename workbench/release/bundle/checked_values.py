"""Values from an untrusted file: each reader returns the value, or raises ValueError or TypeError.

The errors say what is wrong; the caller knows where. `fields`, `list_of`, `row` and `optional` make readers of others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Mapping
from typing import Any, TypeVar, get_type_hints

from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE
from workbench.formats.text.lines import identifier_problem

Reader = Callable[[Any], Any]
Read = TypeVar("Read")


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


def truth(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise TypeError(f"{value!r} is neither true nor false")
    return value


def within(least: float, most: float, reader: Reader = number) -> Reader:
    """A number between two others, whole unless it has another reader."""

    def read(value: Any) -> Any:
        if not least <= (found := reader(value)) <= most:
            raise ValueError(f"{found} is not from {least} to {most}")
        return found

    return read


grade = within(LOWEST_GRADE, HIGHEST_GRADE)


def listing(value: Any) -> list[Any]:
    """A list, whatever is in it."""
    if not isinstance(value, list):
        raise TypeError(f"{value!r} is not a list")
    return value


def one_of(words: Collection[str]) -> Reader:
    """One of these words."""

    def read(value: Any) -> str:
        if text(value) not in words:
            raise ValueError(f"{value!r} is not known here")
        return str(value)

    return read


def parameter(value: Any) -> Any:
    """The value of a strategy's parameter, of any kind that JSON and a parameter have; or a list of such."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, list):
        return [parameter(each) for each in value]
    if isinstance(value, str):
        return text(value)
    return decimal(value) if isinstance(value, float) else number(value)


def identifier(what: str) -> Reader:
    """The id of a topic or document; `what` is which, for the message."""

    def read(value: Any) -> str:
        if problem := identifier_problem(what, text(value)):
            raise ValueError(problem)
        if not value:
            raise ValueError(f"a {what} has no id")
        return str(value)

    return read


topic_id, document_id = identifier("topic"), identifier("document")


BY_NAME: Mapping[str, Reader] = {
    "topic_id": topic_id,
    "document_id": document_id,
    "grade": grade,
    "inclusion_probability": probability,
}
BY_TYPE: Mapping[object, Reader] = {str: text, int: number, float: decimal}


def record(kind: Callable[..., Read], /, **others: Reader) -> Callable[[Any], Read]:
    """A NamedTuple out of an object with its fields, each read by `others`, by its name, or by its type."""
    readers = {
        name: others.get(name) or BY_NAME.get(name) or BY_TYPE[type_]
        for name, type_ in get_type_hints(kind).items()
    }

    def read(value: Any) -> Read:
        return kind(**{name: each(value[name]) for name, each in readers.items()})

    return read


def list_of(reader: Reader, most: float = math.inf) -> Reader:
    """A list of values of one kind, `most` at the most."""

    def read(value: Any) -> list[Any]:
        if len(listing(value)) > most:
            raise ValueError(f"a list of {len(value):,} is longer than {most:,}")
        return [reader(each) for each in value]

    return read


def row(*readers: Reader) -> Reader:
    """A list with a value for each reader, as a tuple."""
    return lambda value: tuple(read(each) for read, each in zip(readers, listing(value), strict=True))


def optional(reader: Reader) -> Reader:
    """A value, or null."""
    return lambda value: None if value is None else reader(value)
