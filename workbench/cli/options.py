"""Options and arguments of commands, each declared once: a parameter of the command's function, or a record's field.

    @command()
    def reuse(campaign: Opened, by: Literal["team", "run"] = option("Leave out ...", default="team")) -> None:

What follows from a type need not be said: `X | None`, `bool` (a flag) and `tuple[X, ...]` (several) may be left out,
others if they have a default; `Literal` lists the words to choose from. A NamedTuple whose fields are declared likewise
is a parameter that takes the options of all of them. The help lists options in the order of their declarations.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, Protocol, TypeVar, get_args, get_origin, get_type_hints

import click

Command = TypeVar("Command", bound=Callable[..., Any])
Decorator = Callable[[Any], Any]

FOLDER = click.Path(file_okay=False, path_type=Path)


def command(
    name: str | None = None, cls: type[click.Command] = click.Command, **more: Any
) -> Callable[[Command], click.Command]:
    """Make a function a command with the options that its parameters declare; `more` is what `click.command` takes."""
    return lambda function: click.command(name, cls, help=_help(function), **more)(declared_options(function))


def _help(function: Any) -> str:
    """What a docstring says; click keeps the lines of its example."""
    return (inspect.getdoc(function) or "").replace("\n\nExample:\n", "\n\n\b\nExample:\n")


class Group(click.Group):
    """A group with commands whose options their parameters declare."""

    def __init__(self, *given: Any, callback: Any, **more: Any) -> None:
        super().__init__(*given, callback=callback, **more | {"help": _help(callback)})

    def command(self, name: str, **more: Any) -> Callable[[Command], click.Command]:  # type: ignore[override]
        """Make a function a command of this group."""
        declare = super().command
        return lambda function: declare(name, help=_help(function), **more)(declared_options(function))


class Grouped(click.Command):
    """A command whose help ends with names in groups, which `groups` gives by their titles."""

    def __init__(
        self, *given: Any, heading: str, groups: Callable[[], Mapping[str, Sequence[str]]], **more: Any
    ) -> None:
        super().__init__(*given, **more)
        self._heading, self._groups = heading, groups

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the groups."""
        with formatter.section(self._heading):
            rows = [(title, ", ".join(names)) for title, names in self._groups().items()]
            formatter.write_dl(rows, col_max=52)


class Declaration(Protocol):
    """What a parameter declares: options, and the value that they give."""

    def options(self, name: str, kind: Any) -> Sequence[Decorator]:
        """The options, for a parameter of this name and type."""

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        """The parameter's value, by the values of all options of the command."""


def option(says: str, *names: str, least: float | None = None, most: float | None = None, **more: Any) -> Any:
    """An option: its help, its names (by default that of the parameter), and what else `click.option` takes.

    `least` and `most` are the limits of a number.
    """
    return _Option(says, names, (least, most), more)


def argument(metavar: str | None = None, **more: Any) -> Any:
    """An argument: its name in the usage, and what else `click.argument` takes."""
    return _Argument("", (), (None, None), {"metavar": metavar, **more})


class _Option:
    def __init__(
        self, says: str, names: tuple[str, ...], limits: tuple[Any, Any], more: Mapping[str, Any]
    ) -> None:
        self._says, self._names, self._limits, self._more = says, names, limits, more

    def options(self, name: str, kind: Any) -> list[Decorator]:
        more = self._follows(kind, {"multiple": True}, {"default": None})
        default = more.get("default")
        more.setdefault("required", not {"default", "multiple", "is_flag"} & more.keys())
        more.setdefault("show_default", not isinstance(default, bool) and default not in (None, ""))
        long = () if any(each.startswith("--") for each in self._names) else (f"--{name.replace('_', '-')}",)
        return [click.option(*self._names, *long, name, help=self._says, **more)]

    def _follows(self, kind: Any, several: dict[str, Any], lacking: dict[str, Any]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        if NoneType in get_args(kind):
            kind, found = get_args(kind)[0], dict(lacking)
        if get_origin(kind) in (tuple, Sequence):
            kind, *others = get_args(kind)
            found |= {"nargs": 2} if others == [kind] else several
        return (
            found | ({"is_flag": True} if kind is bool else {"type": self._type_of(kind)}) | dict(self._more)
        )

    def _type_of(self, kind: Any) -> Any:
        if get_origin(kind) is Literal:
            return click.Choice(get_args(kind))
        if kind is Path:
            return click.Path(dir_okay=False, path_type=Path)
        if self._limits != (None, None):
            return (click.IntRange if kind is int else click.FloatRange)(*self._limits)
        return kind if kind in (int, float) else click.STRING

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        return given[name]


class _Argument(_Option):
    def options(self, name: str, kind: Any) -> list[Decorator]:
        return [click.argument(name, **self._follows(kind, {"nargs": -1}, {"required": False}))]


Fields = Mapping[str, tuple[Any, Declaration]]
"""The type of each parameter that declares options, and its declaration."""


class _Record:
    """The options of all fields of a record."""

    def __init__(self, kind: Any) -> None:
        self._kind, self._fields = kind, _declared(kind, kind._field_defaults)

    def options(self, name: str, kind: Any) -> list[Decorator]:
        return list(_options(self._fields))

    def value(self, name: str, given: Mapping[str, Any]) -> Any:
        return self._kind(**_values(self._fields, given))


def declared_options(command: Command) -> Command:
    """Give a command the options and arguments that its parameters declare."""
    parameters = inspect.signature(command).parameters
    fields = _declared(command, {name: each.default for name, each in parameters.items()})

    @functools.wraps(command)
    def with_values(**given: Any) -> Any:
        return command(**_values(fields, given))

    for each in reversed(list(dict.fromkeys(_options(fields)))):
        each(with_values)
    return with_values  # type: ignore[return-value]


class _Names(dict[str, Any]):
    """The names of a module; those that it imports for type checkers alone are any type."""

    def __missing__(self, name: str) -> Any:
        return getattr(builtins, name, Any)


def _declared(holder: Any, defaults: Mapping[str, Any]) -> Fields:
    hints = get_type_hints(holder, localns=_Names(vars(sys.modules[holder.__module__])), include_extras=True)
    found: dict[str, tuple[Any, Declaration]] = {}
    for name, hint in hints.items():
        if get_origin(hint) is Annotated:
            found[name] = get_args(hint)
        elif hasattr(hint, "_fields"):
            found[name] = hint, _Record(hint)
        elif name != "return":
            found[name] = hint, defaults[name]
    return found


def _options(fields: Fields) -> Iterator[Decorator]:
    for name, (kind, declaration) in fields.items():
        yield from declaration.options(name, kind)


def _values(fields: Fields, given: Mapping[str, Any]) -> dict[str, Any]:
    return {name: declaration.value(name, given) for name, (_, declaration) in fields.items()}
