"""The registry of figures, and how their parameters are read from text."""

from __future__ import annotations

import inspect
import pkgutil
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache
from importlib import import_module
from types import NoneType
from typing import Any, NamedTuple, get_args, get_origin, get_type_hints

from workbench.campaign import Campaign
from workbench.campaign.log import newest_seq
from workbench.charts import Chart
from workbench.errors import UnknownName
from workbench.evaluation.reading import EvaluationFiles

FigureFunction = Callable[..., Chart]
MOMENTS = frozenset({"as_of", "one_at", "two_at"})
"""Parameters that name a row of the log."""

TRUTHS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class Parameter(NamedTuple):
    """A parameter of a figure: one word of its type, whether it may be given several times, whether it must be."""

    name: str
    kind: type
    repeated: bool
    required: bool


@dataclass(frozen=True)
class Figure:
    """A figure as the registry knows it."""

    name: str
    function: FigureFunction
    files: bool = False
    """Whether it is drawn from files of qrels and runs too."""

    @property
    def prose(self) -> str:
        """The whole explanation."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The explanation's first line."""
        return self.prose.partition("\n")[0]

    @property
    def parameters(self) -> dict[str, Parameter]:
        """The function's keyword-only parameters, by name."""
        hints = get_type_hints(self.function)
        keywords = inspect.signature(self.function).parameters.values()
        return {
            keyword.name: _parameter(keyword, hints[keyword.name])
            for keyword in keywords
            if keyword.kind is keyword.KEYWORD_ONLY
        }


FIGURES: dict[str, Figure] = {}


def figure(name: str, *, files: bool = False) -> Callable[[FigureFunction], FigureFunction]:
    """Put a function `(campaign, *, parameters) -> Chart` into the registry.

    With `files`, it takes `EvaluationFiles` in the place of a campaign as well.
    """

    def register(function: FigureFunction) -> FigureFunction:
        if name in FIGURES:
            message = f"two figures are called {name}"
            raise ValueError(message)
        FIGURES[name] = Figure(name, function, files)
        return function

    return register


@cache
def load_figures() -> Mapping[str, Figure]:
    """All figures; the modules of this package are imported with the first question for one."""
    package = import_module("workbench.figures")
    for module in pkgutil.iter_modules(package.__path__):
        import_module(f"workbench.figures.{module.name}")
    return FIGURES


def draw(source: Campaign | EvaluationFiles, name: str, asked: Mapping[str, Sequence[str]]) -> Chart:
    """The figure `name` of a campaign or of files, with parameters as text, each with all the values it was given.

    Raises:
        UnknownName: there is no such figure, or none of files, or it has no such parameter, or lacks one that it
            needs, or a value is no number where one is needed, or one of MOMENTS is no row of the log; or what the
            figure itself says of a run, topic or measure.
    """
    figures = load_figures()
    if name not in figures:
        near = get_close_matches(name, figures, n=3) or sorted(figures)
        message = f"there is no figure {name!r}; there is: {', '.join(near)}"
        raise UnknownName(message)
    parameters = read_parameters(figures[name], asked)
    moments = MOMENTS & parameters.keys()
    if isinstance(source, EvaluationFiles):
        _check_files(figures[name], moments)
    else:
        for moment in moments:
            _check_row(source, moment, parameters[moment])
    return figures[name].function(source, **parameters)


def read_parameters(figure: Figure, asked: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """The parameters in their types; errors as in `draw`."""
    known = figure.parameters
    for name in asked:
        if name not in known:
            message = f"{figure.name} has no parameter {name!r}; it has: {', '.join(known) or 'none'}"
            raise UnknownName(message)
    missing = [name for name, parameter in known.items() if parameter.required and not asked.get(name)]
    if missing:
        message = f"{figure.name} needs {' and '.join(missing)}"
        raise UnknownName(message)
    return {name: _value(known[name], values) for name, values in asked.items() if values}


def _check_files(figure: Figure, moments: Set[str]) -> None:
    if not figure.files:
        names = ", ".join(sorted(name for name, one in load_figures().items() if one.files))
        message = f"{figure.name} is drawn from a campaign; from files there are: {names}"
        raise UnknownName(message)
    if moments:
        message = (
            f"{', '.join(sorted(moments))} is a row of a campaign's log, and files have none; leave it out"
        )
        raise UnknownName(message)


def _check_row(campaign: Campaign, name: str, row: int) -> None:
    """What the log has not reached yet would look different tomorrow."""
    newest = newest_seq(campaign)
    if not 0 <= row <= newest:
        message = f"{name} must be a row of the log, from 0 to {newest}, not {row}"
        raise UnknownName(message)


def _parameter(keyword: inspect.Parameter, hint: Any) -> Parameter:
    repeated = get_origin(hint) in (list, tuple, Sequence)
    words = [one for one in get_args(hint) if one not in (NoneType, Ellipsis)]
    kind = words[0] if words else hint
    return Parameter(keyword.name, kind, repeated, keyword.default is keyword.empty)


def _value(parameter: Parameter, values: Sequence[str]) -> Any:
    read = [_read(parameter, value) for value in values]
    return read if parameter.repeated else read[-1]


def _read(parameter: Parameter, value: str) -> Any:
    try:
        return TRUTHS[value.lower()] if parameter.kind is bool else parameter.kind(value)
    except (KeyError, ValueError, OverflowError):
        needed = {int: "a whole number", float: "a number", bool: "true or false"}[parameter.kind]
        message = f"{parameter.name} must be {needed}, not {value!r}"
        raise UnknownName(message) from None
