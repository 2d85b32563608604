"""The fields of the pool form that a strategy's parameters give, and what was typed into them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from workbench.core.parameters import KINDS, Parameter, written
from workbench.core.registry import Entry
from workbench.methods.pooling import Strategy

OF_THE_PAGE = frozenset(
    {
        "strategy",
        "ties",
        "runs",
        "viewing",
        "seed",
        "per_hour",
        "hours_per_day",
        "assessors",
        "expected",
        "csrf_token",
        "made",
        "deep",
    }
)
"""What the page itself asks for; a parameter of such a name gets a field of another."""
LONGEST_VALUE = 5_000
"""Letters of a value that are read: they are in the address of the page, which a proxy bounds by 8,192."""
TOO_LONG = (
    f"{{name}} has more than {LONGEST_VALUE:,} letters, which is too much for this page; give it on the command line "
    "(workbench pool --help).".format
)


class Field(NamedTuple):
    """A field of the form: `words` are before it, `control` is number, text, choice or lines.

    One that `is_extra` is folded away: it is left open, and most pools of the strategy do without it.
    """

    name: str
    words: str
    help: str
    control: str
    value: str
    choices: tuple[str, ...]
    least: float | None
    required: bool
    is_extra: bool


def field_name(parameter: Parameter) -> str:
    """The name of a parameter's field: its own, unless the page asks for something of that name."""
    return f"strategy.{parameter.name}" if parameter.name in OF_THE_PAGE else parameter.name


def fields_of(strategy: Entry, values: Mapping[str, Any]) -> list[Field]:
    """The fields of a strategy, filled with these values."""
    folds = isinstance(strategy, Strategy) and strategy.sparse
    return [_field(parameter, values.get(parameter.name), folds) for parameter in strategy.parameters]


def usual_values(strategy: Entry, known: Mapping[str, Any]) -> dict[str, Any]:
    """Values to begin with: those of an earlier pool, else the defaults, else the examples of the parameters.

    Parameters that are required and have none of these are left out.
    """
    first = {one: known[one.name] if one.name in known else _first(one) for one in strategy.parameters}
    return {one.name: value for one, value in first.items() if value is not None or not one.required}


def read_fields(
    strategy: Entry, given: Mapping[str, str], defaults: Mapping[str, Any]
) -> tuple[dict[str, Any], list[str]]:
    """The values in a form or an address, and what is wrong with it; what is wrong or left open is as `defaults`."""
    values, wrong = dict(defaults), []
    for parameter in strategy.parameters:
        text = given.get(field_name(parameter), "").strip()
        if len(text) > LONGEST_VALUE:
            wrong.append(TOO_LONG(name=parameter.name))
        elif field_name(parameter) in given and not text and not parameter.required:
            values[parameter.name] = parameter.default
        elif text:
            try:
                values[parameter.name] = parameter.read_all(
                    re.split(r"[,\r\n]", text) if parameter.repeated else [text]
                )
            except ValueError as reason:
                wrong.append(f"{reason}.")
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


def _field(parameter: Parameter, value: Any, folds: bool) -> Field:
    choices = ("true", "false") if parameter.kind is bool else parameter.limits.choices
    control = "choice" if choices and not parameter.repeated else "text"
    if parameter.kind is int and not parameter.repeated:
        control = "number"
    if KINDS[parameter.kind].by_line:
        control = "lines"
    return Field(
        name=field_name(parameter),
        words=parameter.name.replace("_", " ").capitalize(),
        help=parameter.help,
        control=control,
        value="\n".join(value or []) if control == "lines" else _text(value),
        choices=choices if parameter.required or parameter.default is not None else ("", *choices),
        least=parameter.limits.least,
        required=parameter.required,
        is_extra=folds and not parameter.required and value in (None, []),
    )


def _text(value: Any) -> str:
    return "" if value is None else written(value)
