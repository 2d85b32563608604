"""The registry of measures: a measure is one function over `JudgedRankings` and one decorator line.

The function's docstring is its help text and its entry in the table of measures: what it is in one line, then
the conventions, then a last paragraph that begins with "Source:". Its keyword-only parameters are the
measure's parameters (see parameters.py).
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from workbench.measures.judged import FloatArray, JudgedRankings
from workbench.measures.parameters import Parameter, Value, parameters_of

MeasureFunction = Callable[..., FloatArray]

STANDARD_CUTOFFS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
"""The cutoffs of the reference program where a family of measures is asked for by its bare name."""


@dataclass(frozen=True)
class TrecEvalName:
    """A name of the reference program: `map`, or `P_{cutoff}` with a parameter after the family's name."""

    template: str
    defaults: tuple[Value, ...] = STANDARD_CUTOFFS

    @property
    def family(self) -> str:
        """What stands after `-m` in the reference program, up to the dot."""
        return self.template.partition("_{")[0]

    @property
    def parameter(self) -> str | None:
        """The parameter that the name carries, if any."""
        inside = re.search(r"\{(\w+)", self.template)
        return inside[1] if inside else None


@dataclass(frozen=True, eq=False)
class Measure:
    """One measure as the registry knows it; `highest` is None where values have no upper bound.

    `is_count` measures are added up over topics, all others averaged.
    """

    name: str
    function: MeasureFunction
    parameters: tuple[Parameter, ...]
    trec_eval: tuple[TrecEvalName, ...]
    aliases: tuple[str, ...]
    highest: float | None
    is_count: bool
    lowest: float = 0.0

    @property
    def prose(self) -> str:
        """The whole explanation."""
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        """The explanation's first line."""
        return self.prose.partition("\n")[0]

    @property
    def source(self) -> str:
        """Where the definition comes from."""
        return " ".join(self.prose.partition("Source:")[2].split())

    def parameter(self, name: str) -> Parameter | None:
        """The parameter of that name, or None."""
        return next((parameter for parameter in self.parameters if parameter.name == name), None)


@dataclass(frozen=True)
class BoundMeasure:
    """A measure with all its parameters set: `nDCG@10`. Equal when name and values are; hashable."""

    name: str
    values: tuple[tuple[str, Value], ...]

    @property
    def measure(self) -> Measure:
        """The registry's entry."""
        return MEASURES[self.name]

    @property
    def is_count(self) -> bool:
        """Whether topics are added up instead of averaged."""
        return self.measure.is_count

    def __call__(self, judged: JudgedRankings) -> FloatArray:
        """One value per row, float64 (R)."""
        return self.measure.function(judged, **dict(self.values))

    def __str__(self) -> str:
        """The canonical name: defaults left out (but for those always shown), the cutoff after `@`."""
        given = dict(self.values)
        cutoff = given.pop("cutoff", None)
        told = [f"{name}={value}" for name, value in given.items() if self._is_told(name, value)]
        inside = f"({','.join(told)})" if told else ""
        return f"{self.name}{inside}{'' if cutoff is None else f'@{cutoff}'}"

    @property
    def trec_eval(self) -> str | None:
        """The name under which the reference program prints this, whatever `rel` is; None if it has none."""
        given = {name: value for name, value in self.values if value is not None}
        free = {name for name, value in given.items() if name != "rel" and self._is_changed(name, value)}
        for name in self.measure.trec_eval:
            wanted = set() if name.parameter is None else {name.parameter}
            if free <= wanted <= given.keys():
                return name.template.format(**given)
        return None

    def _is_changed(self, name: str, value: Value) -> bool:
        parameter = self.measure.parameter(name)
        return parameter is None or parameter.required or value != parameter.default

    def _is_told(self, name: str, value: Value) -> bool:
        parameter = self.measure.parameter(name)
        return self._is_changed(name, value) or (parameter is not None and parameter.limits.shown)


MEASURES: dict[str, Measure] = {}


def measure(
    name: str,
    *,
    trec_eval: str | tuple[str, ...] = (),
    aliases: tuple[str, ...] = (),
    highest: float | None = 1.0,
    count: bool = False,
    into: dict[str, Measure] = MEASURES,
) -> Callable[[MeasureFunction], MeasureFunction]:
    """Put a function into the registry as the measure `name`.

    Args:
        name: the field's name, as ir-measures writes it.
        trec_eval: what the reference program calls it: `"map"`, `"P_{cutoff}"`, or several.
        aliases: further names under which it is found.
        highest: the largest value it can take; None for no bound.
        count: add topics up instead of averaging them.
        into: the registry.
    """
    templates = (trec_eval,) if isinstance(trec_eval, str) else trec_eval

    def register(function: MeasureFunction) -> MeasureFunction:
        if name in into:
            message = f"two measures are called {name}"
            raise ValueError(message)
        names = tuple(TrecEvalName(template) for template in templates)
        into[name] = Measure(
            name, function, parameters_of(function), names, aliases, None if count else highest, count
        )
        return function

    return register


def bind(found: Measure, given: Mapping[str, Value]) -> BoundMeasure:
    """`found` with these values, and defaults for the others; ValueError with a reason if that cannot be."""
    unknown = sorted(given.keys() - {parameter.name for parameter in found.parameters})
    if unknown:
        known = ", ".join(parameter.name for parameter in found.parameters) or "none"
        message = f"{found.name} has no parameter {unknown[0]!r} (it has: {known})"
        raise ValueError(message)
    values = []
    for parameter in found.parameters:
        if parameter.required and parameter.name not in given:
            message = f"{found.name} needs a {parameter.name}, as in {_example(found, parameter)}"
            raise ValueError(message)
        value = given.get(parameter.name, parameter.default)
        parameter.check(value)
        values.append((parameter.name, value))
    return BoundMeasure(found.name, tuple(values))


def _example(found: Measure, parameter: Parameter) -> str:
    return f"{found.name}@10" if parameter.name == "cutoff" else f"{found.name}({parameter.name}=1)"
