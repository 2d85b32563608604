"""Fields of a record that are declared once: which values each takes, who gives it, how it is stored and published.

A field's annotation holds a `Given` with its `Values`. From it follow the check of what a browser or an API client
sends, the JSON Schema that describes it, the longest text in the log, the column of the file, and what a release has.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import datetime
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, get_args, get_origin, get_type_hints

from workbench.core.results import Schema, described_fields, in_json

LARGEST_INTEGER = 2**63 - 1
"""The largest integer that SQLite stores."""
LONGEST_NAME = 200
LONGEST_ID = 10_000
LONGEST_PATH = 5_000
LONGEST_TIME = 40

LONE_SURROGATE = re.compile("[\ud800-\udfff]")
"""Half a character, which no UTF-8 can hold."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)", re.ASCII)
UUID_PATTERN = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Values(NamedTuple):
    """What a field takes.

    Attributes:
        read: a value from outside as it is stored; ValueError says what is expected.
        schema: the same as JSON Schema.
        longest: characters of a text.
    """

    read: Callable[[object], Any]
    schema: Schema
    longest: int = 0


def text(longest: int) -> Values:
    """A text of at most so many characters, all of them whole."""

    def read(value: object) -> str:
        if not isinstance(value, str):
            raise ValueError("text is expected")
        if len(value) > longest:
            raise ValueError(f"at most {longest:,} characters are taken")
        if LONE_SURROGATE.search(value):
            raise ValueError("the text holds half a character (a lone surrogate)")
        return value

    return Values(read, {"type": "string", "maxLength": longest}, longest)


def read_integer(value: object) -> int:
    """An integer that SQLite stores; the hash of a row covers its values as they are, so True is none, nor is 1.0."""
    if type(value) is not int:
        raise ValueError("an integer is expected")
    if abs(value) > LARGEST_INTEGER:
        raise ValueError("the integer is too large")
    return value


INTEGER = Values(read_integer, {"type": "integer", "minimum": -LARGEST_INTEGER, "maximum": LARGEST_INTEGER})


def whole(what: str, least: int, most: int = LARGEST_INTEGER) -> Values:
    """A whole number from `least` to `most`; `what` is what is expected, for people."""

    def read(value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ValueError(f"{what} is expected")
        return value

    return Values(read, {"type": "integer", "minimum": least, "maximum": most})


def _read_truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false is expected")
    return value


TRUTH = Values(_read_truth, {"type": "boolean"})


def number(what: str, most: int) -> Values:
    """A number from 0 to `most`; `what` is what is expected, for people."""

    def read(value: object) -> float:
        if not isinstance(value, int | float) or isinstance(value, bool):
            raise ValueError(f"{what} is expected")
        if not 0 <= value <= most:
            raise ValueError(f"{what} from 0 to {most:,} is expected")
        return float(value) + 0.0  # the file gives -0.0 back as 0.0

    return Values(read, {"type": "number", "minimum": 0, "maximum": most})


def one_of(words: Iterable[str]) -> Values:
    """One of these words."""
    known = tuple(words)

    def read(value: object) -> str:
        if not isinstance(value, str) or value not in known:
            raise ValueError(f"one of {', '.join(known)} is expected")
        return value

    return Values(read, {"type": "string", "enum": list(known)}, max(map(len, known)))


def _read_uuid(value: object) -> str:
    found = value.lower() if isinstance(value, str) else ""
    if not UUID_PATTERN.fullmatch(found):
        raise ValueError("a UUID is expected")
    return found


UUID = Values(
    _read_uuid,
    {"type": "string", "pattern": "^[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$"},
    longest=64,
)


def _read_moment(value: object) -> str:
    try:
        if isinstance(value, str) and len(value) <= LONGEST_TIME and _MOMENT.fullmatch(value):
            datetime.fromisoformat(value)
            return value
    except ValueError:
        pass
    raise ValueError("a time such as 2026-03-01T12:00:00.000Z is expected")


MOMENT = Values(
    _read_moment, {"type": "string", "maxLength": LONGEST_TIME, "format": "date-time"}, LONGEST_TIME
)
"""A time with its zone in ISO 8601, as browsers write it."""


def several(values: Values, most: int, what: str) -> Values:
    """A list of such values, `most` at the most; `what` one of them is called, for people."""

    def read(value: object) -> tuple[Any, ...]:
        if not isinstance(value, list) or len(value) > most:
            raise ValueError(f"a list of at most {most} {what}s is expected")
        return tuple(map(values.read, value))

    return Values(read, {"type": "array", "items": values.schema, "maxItems": most})


def list_of(record: Any, most: int, what: str, check: Callable[[Any], object] = bool) -> Values:
    """Records that `check` takes, `most` at the most; `what` they are called, for people."""
    fields = {field.name: field for field in declared(record)}

    def read_one(value: object) -> Any:
        if not isinstance(value, Mapping) or set(value) != set(fields):
            raise ValueError(f"a {what} has {', '.join(fields)}")
        found = record(**{name: field.read(value[name]) for name, field in fields.items()})
        check(found)
        return found

    return several(Values(read_one, schema_of(fields.values())), most, what)


By = Literal["log", "client", "client, or null", "client, if any"]
Part = Literal["log", "unit", "shown", "answer", "giving"]


class Given(NamedTuple):
    """The declaration of a field, beside its name, its type and what the record's docstring says of it.

    Attributes:
        values: those that it takes.
        part: of a judgment: its place in the log, the unit that is judged, the proof of what was shown, the answer to
            the question that was asked, or how it was given on the screen.
        by: who gives it; a client's field is always there, or may be null, or may be left out.
        stored: the values that the log has besides those that a client may give.
        column: its name in the file, where that is another.
        sql: what the column says besides its type.
        published: whether a release has it as it is.
    """

    values: Values
    part: Part = "log"
    by: By = "log"
    stored: Values | None = None
    column: str = ""
    sql: str = ""
    published: bool = False


class Declared(NamedTuple):
    """A field of a record with its declaration."""

    name: str
    type: Any
    words: str
    given: Given

    @property
    def may_be_null(self) -> bool:
        """Whether the record may have None there."""
        return get_origin(self.type) is UnionType and NoneType in get_args(self.type)

    @property
    def may_be_sent_as_null(self) -> bool:
        """Whether a client may say so."""
        return self.may_be_null and self.given.by != "client"

    def read(self, value: object) -> Any:
        """What a client sent, as it is stored; ValueError says what is expected."""
        return None if value is None and self.may_be_sent_as_null else self.given.values.read(value)

    def read_stored(self, value: object) -> Any:
        """The same for what came from the log of another campaign."""
        if value is None and self.may_be_null:
            return None
        return (self.given.stored or self.given.values).read(value)

    def read_named(self, value: object) -> Any:
        """As `read_stored`; what ValueError says begins with the name."""
        try:
            return self.read_stored(value)
        except ValueError as error:
            raise ValueError(f"{self.name}: {error}") from None

    @property
    def schema(self) -> Schema:
        """What a client may send, as JSON Schema."""
        schema = dict(self.given.values.schema)
        if self.may_be_sent_as_null:
            schema["type"] = [schema["type"], "null"]
            if "enum" in schema:
                schema["enum"] = [*schema["enum"], None]
        return schema | ({"description": in_json(self.words)} if self.words else {})

    @property
    def longest(self) -> int:
        """Characters of a text in the log; 0 for what is none."""
        return max(self.given.values.longest, self.given.stored.longest if self.given.stored else 0)

    @property
    def column(self) -> str:
        """Its column in the file."""
        return self.given.column or self.name


@cache
def declared(record: Any) -> tuple[Declared, ...]:
    """The fields of a record that are declared, in its order."""
    words = described_fields(record)
    return tuple(
        Declared(name, get_args(hint)[0], words.get(name, ""), given)
        for name, hint in get_type_hints(record, include_extras=True).items()
        for given in get_args(hint)
        if isinstance(given, Given)
    )


def schema_of(fields: Collection[Declared]) -> Schema:
    """The JSON Schema of an object with these fields, as a client may send it."""
    properties = {field.name: field.schema for field in fields}
    required = [field.name for field in fields if field.given.by != "client, if any"]
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}
