"""What a measure may be told besides the ranking: one type per parameter, which carries its limits and help.

A measure writes `rel: Rel = 1` in its signature; the registry reads name, type, default, limits and help from
there, so that nothing is said twice.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Annotated, NamedTuple, get_args, get_origin, get_type_hints

Value = int | float | str | bool | None


class Limits(NamedTuple):
    """What a parameter means, and which values it takes; `above` and `below` exclude the bound itself.

    `shown` parameters are part of the canonical name also when they have their default value.
    """

    help: str
    least: float | None = None
    above: float | None = None
    below: float | None = None
    shown: bool = False

    def __str__(self) -> str:
        bounds = (("at least", self.least), ("above", self.above), ("below", self.below))
        return " and ".join(f"{word} {bound}" for word, bound in bounds if bound is not None)

    def allow(self, value: float) -> bool:
        """Whether `value` is within the limits."""
        return (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )


Cutoff = Annotated[int, Limits("how many ranks are looked at", least=1)]
Rel = Annotated[int, Limits("the smallest grade that counts as relevant", least=0)]
Persistence = Annotated[
    float, Limits("the chance that the user goes on to the next rank", above=0, below=1, shown=True)
]


class Parameter(NamedTuple):
    """One parameter of one measure; `default` is None where it may be left out, `required` where it may not."""

    name: str
    kind: type
    default: Value
    required: bool
    limits: Limits

    def read(self, text: str) -> Value:
        """The value that `text` stands for; ValueError with a reason when it stands for none."""
        try:
            value: Value = READERS[self.kind](text)
        except (ValueError, KeyError):
            message = f"{self.name} is {text!r}; it must be {NAMES_OF_KINDS[self.kind]}"
            raise ValueError(message) from None
        self.check(value)
        return value

    def check(self, value: Value) -> None:
        """ValueError with a reason unless `value` is within the limits."""
        if isinstance(value, int | float) and not self.limits.allow(value):
            message = f"{self.name} is {value}; it must be {self.limits}"
            raise ValueError(message)


READERS: dict[type, Callable[[str], Value]] = {
    int: int,
    float: float,
    bool: {"true": True, "false": False}.__getitem__,
    str: str,
}
NAMES_OF_KINDS = {int: "a whole number", float: "a number", bool: "true or false", str: "a word"}


def parameters_of(function: Callable[..., object]) -> tuple[Parameter, ...]:
    """The keyword-only parameters of a measure's function, in the order of its signature."""
    hints = get_type_hints(function, include_extras=True)
    keywords = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    found = []
    for keyword in keywords:
        kind, limits = _annotation(hints[keyword.name])
        required = keyword.default is keyword.empty
        found.append(Parameter(keyword.name, kind, None if required else keyword.default, required, limits))
    return tuple(found)


def _annotation(hint: object) -> tuple[type, Limits]:
    """The type and limits inside `Annotated[type, Limits]`, also where that is `| None`."""
    if get_origin(hint) is Annotated:
        kind, limits = get_args(hint)
        return kind, limits
    return next(_annotation(part) for part in get_args(hint) if part is not type(None))
