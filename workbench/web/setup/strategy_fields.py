"""The fields of the pool form that a strategy's parameters give, and what was typed into them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from workbench.core.parameters import KINDS, Parameter, written
from workbench.core.registry import Entry
from workbench.methods.pooling import Strategy

OF_THE_PAGE = frozenset(
    "strategy list ties runs viewing seed per_hour hours_per_day assessors expected csrf_token made deep".split()
)
"""What the page itself asks for; a parameter of such a name gets a field of another."""
LONGEST_VALUE = 5_000
"""Letters of a value that are read: they are in the address of the page, which a proxy bounds by 8,192."""
TOO_LONG = (
    f"{{name}} has more than {LONGEST_VALUE:,} letters, which is too much for this page; give it on the command line "
    "(workbench pool --help).".format
)


class Field(NamedTuple):
    """A field of the form: `words` are before it, `help` is below, `control` is number, text, choice or lines.

    `choices` are values with what is shown for each. One that `is_extra` is folded away.
    """

    name: str
    words: str
    help: str
    control: str
    value: str
    choices: dict[str, str]
    least: float | None
    required: bool
    is_extra: bool


def field_name(parameter: Parameter) -> str:
    """The name of a parameter's field: its own, unless the page asks for something of that name."""
    return f"strategy.{parameter.name}" if parameter.name in OF_THE_PAGE else parameter.name


FIRST = frozenset({"depth", "budget"})
"""Parameters that a strategy is asked for before all others, with what it requires."""


def fields_of(strategy: Entry, values: Mapping[str, Any]) -> list[Field]:
    """The fields of a strategy, filled with these values."""
    fields = [_field(parameter, values.get(parameter.name)) for parameter in strategy.parameters]
    if not isinstance(strategy, Strategy):
        return fields
    first = FIRST if not strategy.sparse else {name for name in FIRST if values.get(name) is not None}
    return [field._replace(is_extra=not field.required and field.name not in first) for field in fields]


def usual_values(strategy: Entry, known: Mapping[str, Any]) -> dict[str, Any]:
    """Values to begin with: those of an earlier pool, else the defaults, else the examples of the parameters.

    Parameters that are required and have none of these are left out.
    """
    first = {one: known[one.name] if one.name in known else _first(one) for one in strategy.parameters}
    return {one.name: value for one, value in first.items() if value is not None or not one.required}


def read_fields(
    strategy: Entry, given: Mapping[str, str], defaults: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, str]]:
    """The values in a form or an address, and what is wrong by field; what is wrong or left open is as `defaults`."""
    values, wrong = dict(defaults), {}
    for parameter in strategy.parameters:
        text = given.get(field_name(parameter), "").strip()
        if len(text) > LONGEST_VALUE:
            wrong[field_name(parameter)] = TOO_LONG(name=parameter.name)
        elif field_name(parameter) in given and not text and not parameter.required:
            values[parameter.name] = parameter.default
        elif text:
            try:
                values[parameter.name] = parameter.read_all(
                    re.split(r"[,\r\n]", text) if parameter.repeated else [text]
                )
            except ValueError as reason:
                wrong[field_name(parameter)] = str(reason)
    return values, wrong


def addressed(strategy: Entry, values: Mapping[str, Any]) -> dict[str, str]:
    """The values by the names of their fields, as texts; those that are left open are empty."""
    return {field_name(one): _text(values.get(one.name)) for one in strategy.parameters}


def _first(parameter: Parameter) -> Any:
    if not parameter.required or parameter.repeated:
        return parameter.default
    if parameter.limits.choices:
        return parameter.limits.choices[0]
    try:
        return parameter.read(parameter.limits.example)
    except ValueError:
        return None


def _field(parameter: Parameter, value: Any) -> Field:
    limits = parameter.limits
    is_open = not parameter.required and parameter.default is None
    choices = dict.fromkeys([""] * is_open, "") | {one: one.replace("-", " ") for one in limits.choices}
    if parameter.kind is bool:
        choices |= {"true": "yes", "false": "no"}
    control = "choice" if any(choices) and not parameter.repeated else "text"
    if parameter.kind is int and not parameter.repeated:
        control = "number"
    if KINDS[parameter.kind].by_line:
        control = "lines"
    return Field(
        name=field_name(parameter),
        words=parameter.name.replace("_", " ").capitalize(),
        help="; ".join(filter(None, [limits.help, "" if limits.choices else str(limits)])),
        control=control,
        value="\n".join(value or []) if control == "lines" else _text(value),
        choices=choices,
        least=limits.least,
        required=parameter.required,
        is_extra=False,
    )


def _text(value: Any) -> str:
    return "" if value is None else written(value)
