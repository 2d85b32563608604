"""Results that are declared once: a record's fields are the columns of its table, its JSON, and what describes it.

A result is a NamedTuple or a dataclass. Its names and types and the section "Attributes" of its docstring declare it:

    class TopicFound(NamedTuple):
        \"\"\"What is found of a topic.

        Attributes:
            topic_id: which topic.
            missing: how many can be missing; None while some wait.
        \"\"\"

        topic_id: Annotated[str, Column("Topic")]
        missing: Annotated[int | None, Column("Missing at most")]

A property that is decorated with `shown` follows the fields. `content` gives the JSON of a record, `schemas` the JSON
Schema of a kind of record, and `formats.tables.sheets.sheet_of` a table of many.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

Schema = dict[str, Any]

KIND_OF: Mapping[Any, str] = {int: "count", float: "value"}
"""What is in a column that does not say it, by the type of its values; "text" for all others."""

REFERENCES = "#/components/schemas/"

AS_TEXT = "as text"
"""Annotates a field of which results show what `str` gives, as of a measure."""
HIDDEN = "hidden"
"""Annotates a field that results do not show."""
IN_JSON = "in JSON"
"""Annotates a field that is no column of a table."""
FLAT = "flat"
"""Annotates a field that is a record, or None, of which the fields are those of the record that holds it; where it has
a column, that is the beginning of their heads and names, and says what is in them."""


class Column(NamedTuple):
    """A column of a table.

    Attributes:
        head: what people read above it.
        name: what programs read above it, in CSV and JSON.
        kind: what is in it, "text" or one of those of `formats.tables.sheets.PRINTED`.
        best: which value is the best, "highest", "lowest" or "none".

    In the declaration of a result what is left out follows from the field: its name, and the usual kind of its type.
    """

    head: str = ""
    name: str = ""
    kind: str = ""
    best: str = "none"


class Field(NamedTuple):
    """A field of a result: its name, the type of the values shown, its column, and what its docstring says of it.

    One of a record that is FLAT has the name of the field that holds this record in `inside`.
    """

    name: str
    type: Any
    column: Column
    words: str
    as_text: bool = False
    in_tables: bool = True
    inside: tuple[str, ...] = ()

    def of(self, record: Any) -> Any:
        """Its value in a record."""
        for name in self.inside:
            record = getattr(record, name)
            if record is None:
                return None
        value = getattr(record, self.name)
        return str(value) if self.as_text else value


Getter = TypeVar("Getter", bound=Callable[[Any], Any])


def shown(column: Column) -> Callable[[Getter], Getter]:
    """Make a property a column and a member of the JSON; stands below `@property` or `@cached_property`."""

    def declare(getter: Getter) -> Getter:
        getter.column = column  # type: ignore[attr-defined]
        return getter

    return declare


@cache
def fields_of(kind: Any) -> tuple[Field, ...]:
    """What a kind of result declares, in the order of its columns; TypeError for what is no record."""
    if not is_result(kind):
        raise TypeError(f"{kind!r} is neither a NamedTuple nor a dataclass")
    words = described_fields(kind)
    hints = get_type_hints(kind, include_extras=True)
    found: list[Field] = []
    for name in [each.name for each in fields(kind)] if is_dataclass(kind) else kind._fields:
        declared = get_args(hints[name])
        if FLAT in declared:
            found += _flat(name, hints[name])
        elif HIDDEN not in declared:
            found.append(_field(name, hints[name], words.get(name, "")))
    for name, member in vars(kind).items():
        getter = getattr(member, "fget", None) or getattr(member, "func", None)
        column = getattr(getter, "column", None)
        if column is not None:
            hint = get_type_hints(getter, include_extras=True)["return"]
            doc = " ".join((inspect.getdoc(member) or "").split())
            found.append(_field(name, Annotated[hint, column], doc))
    return tuple(found)


def _flat(name: str, hint: Any) -> Iterator[Field]:
    """The fields of the record in a field that is FLAT."""
    part, *declared = get_args(hint)
    may_lack = NoneType in get_args(part)
    (kind,) = _parts(part)
    prefix = next((each for each in declared if isinstance(each, Column)), None)
    for each in fields_of(kind):
        column = each.column
        if prefix is not None:
            head, word = f"{prefix.head} {column.head.lower()}", f"{prefix.name}_{column.name}"
            column = Column(head, word, prefix.kind or column.kind)
        type_ = each.type | None if may_lack else each.type
        yield each._replace(column=column, type=type_, inside=(name, *each.inside))


def is_result(kind: Any) -> bool:
    """Whether something is a kind of result: a NamedTuple or a dataclass."""
    return isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "_fields"))


def described_fields(kind: Any) -> dict[str, str]:
    """What the section "Attributes" of a docstring says of each name, as sentences on one line."""
    _, _, section = (inspect.getdoc(kind) or "").partition("Attributes:\n")
    found: dict[str, str] = {}
    for names, words in re.findall(r"^    (\w[\w, ]*): ((?:.|\n(?!    \w|\n))+)", section, re.MULTILINE):
        sentence = " ".join(words.split())
        found |= dict.fromkeys(names.split(", "), sentence[:1].upper() + sentence[1:])
    return found


def columns_of(kind: Any) -> tuple[Column, ...]:
    """The columns of a table of such results."""
    return tuple(field.column for field in fields_of(kind) if field.in_tables)


@cache
def _is_plain(kind: Any) -> bool:
    """Whether a NamedTuple shows its fields as they are, as those of which there are thousands do."""
    shown_as_is = (field.column.name for field in fields_of(kind) if not field.as_text and not field.inside)
    return getattr(kind, "_fields", None) == tuple(shown_as_is)


def content(value: Any) -> Any:
    """A result as JSON values: a record as an object with the names of its columns, sequences and arrays as lists.

    A number that is not defined is null, since JSON has no nan.
    """
    kind: Any = type(value)
    if kind in _OF_TYPES and kind is not bytes:  # nearly all that there is
        return None if value != value else value
    if is_result(kind):
        if _is_plain(kind):
            return {name: content(each) for name, each in zip(kind._fields, value, strict=True)}
        return {field.column.name: content(field.of(value)) for field in fields_of(kind)}
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, Mapping):
        return {str(key): content(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [content(each) for each in value]
    return value.tolist() if hasattr(value, "tolist") else value


def schemas(*kinds: Any) -> dict[str, Schema]:
    """The JSON Schema of kinds of results, and of all that they hold, each by the name of its class.

    TypeError where two have one name.
    """
    found: dict[str, Schema] = {}
    for each in (part for kind in kinds for part in _with_its_parts(kind)):
        schema = _schema_of_record(each)
        if found.setdefault(each.__name__, schema) != schema:
            raise TypeError(f"two kinds of results are called {each.__name__}")
    return found


def _schema_of_record(kind: Any) -> Schema:
    properties = {
        field.column.name: _schema_of(field.type)
        | ({"description": in_json(field.words)} if field.words else {})
        for field in fields_of(kind)
    }
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
        "description": " ".join((inspect.getdoc(kind) or "").split("\n\n")[0].split()),
    }


_OF_TYPES: Mapping[Any, Schema] = {
    bool: {"type": "boolean"},
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bytes: {"type": "string", "pattern": "^[0-9a-f]*$"},
    NoneType: {"type": "null"},
}


def _schema_of(hint: Any) -> Schema:
    """The schema of a field's values; TypeError for a type that is none of JSON."""
    if hint in _OF_TYPES:
        return dict(_OF_TYPES[hint])
    if is_result(hint):
        return {"$ref": f"{REFERENCES}{hint.__name__}"}
    origin, args = get_origin(hint), get_args(hint)
    if origin is Literal:
        return {"type": "string", "enum": list(args)}
    if origin in (Union, UnionType):
        return {"anyOf": [_schema_of(each) for each in args]}
    if origin is tuple and args[-1] is not Ellipsis:
        places = [_schema_of(each) for each in args]
        return {"type": "array", "prefixItems": places, "minItems": len(places), "maxItems": len(places)}
    if origin in (tuple, list, Sequence):
        return {"type": "array", "items": _schema_of(args[0])}
    if getattr(origin, "__name__", "") == "ndarray":  # the type does not say of how many dimensions
        return {"type": "array", "items": _schema_of(float | tuple[float, ...])}
    if origin in (dict, Mapping):
        return {"type": "object", "additionalProperties": _schema_of(args[1])}
    raise TypeError(f"{hint!r} has no form in JSON")


def _with_its_parts(kind: Any) -> Iterator[Any]:
    """A kind of result and those that its fields hold."""
    yield kind
    for field in fields_of(kind):
        for part in _parts(field.type):
            yield from _with_its_parts(part)


def _parts(hint: Any) -> Iterator[Any]:
    if is_result(hint):
        yield hint
    else:
        for each in get_args(hint):
            yield from _parts(each)


def _field(name: str, hint: Any, words: str) -> Field:
    """A field by its annotation; its column has the usual head, name and kind where none is declared."""
    kind, *declared = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    as_text = AS_TEXT in declared
    kind = str if as_text else kind
    column = next((each for each in declared if isinstance(each, Column)), Column())
    head = column.head or name.replace("_", " ").capitalize()
    column = Column(head, column.name or name, column.kind or _kind_of(kind), column.best)
    return Field(name, kind, column, words, as_text, IN_JSON not in declared)


def _kind_of(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        hint = next(each for each in get_args(hint) if each is not NoneType)
    return KIND_OF.get(hint, "text")


def in_json(words: str) -> str:
    """What a docstring says of a value, about its form in JSON."""
    return re.sub(r"\bNone\b", "null", words)
