"""Parameters of what is in a registry, read from the signature of its function.

A function writes `n: Count = 10`, with `Count = Annotated[int, Limits("how many documents", least=1)]`: name, type,
default, limits and help are in one place. The types are whole numbers, numbers, true or false, and text, optional
(`| None`) or several (`list[...]`); `Literal["a", "b"]` and `Limits(choices=...)` list the words to choose from.
`KINDS` takes further types.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from math import isfinite, isnan
from numbers import Integral, Real
from types import NoneType, SimpleNamespace, UnionType
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

SHOWN_VALUES = 5
"""Of several values this many are shown to people."""
LARGEST_NUMBER = 1e15
"""No number that has limits, but no `most`, is larger: beyond, numbers do not fit into arrays and products overflow."""


class Limits(NamedTuple):
    """What a parameter means, and which values it takes; `above` and `below` exclude the bound itself, and a text
    has at most `most` characters.

    `choices` are all the words it takes. `shown` parameters are part of a measure's name also when they have
    their default value; the one `after_at` is written after `@`, as a cutoff is. `example` is a likely value.
    Parameters that say the same thing in different ways share the words `one_of`: at most one may be given.
    `said` is what a sentence says of a value: "each ranking to rank {:,}".
    """

    help: str
    least: float | None = None
    most: float | None = None
    above: float | None = None
    below: float | None = None
    choices: tuple[str, ...] = ()
    shown: bool = False
    after_at: bool = False
    example: str = "1"
    one_of: str = ""
    said: str = ""

    def __str__(self) -> str:
        bounds = (
            ("at least", self.least),
            ("at most", self.most),
            ("above", self.above),
            ("below", self.below),
        )
        given = [(word, bound) for word, bound in bounds if bound is not None]
        parts = [f"{word} {bound:g}" for word, bound in given if isfinite(bound)]
        if given and not parts:
            return "finite"
        return " and ".join([*parts, *([f"one of {', '.join(self.choices)}"] if self.choices else [])])

    def allow(self, value: Any) -> bool:
        """Whether `value` is within the limits; what is neither a word nor a number decides with `within`."""
        if isinstance(value, str):
            is_short = self.most is None or len(value) <= self.most
            return is_short and (not self.choices or value in self.choices)
        if not isinstance(value, int | float):
            return not hasattr(value, "within") or bool(value.within(self))
        return (
            (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )


class Kind(NamedTuple):
    """A type of parameters.

    `name` is what messages call it, `read` turns text into a value (ValueError or KeyError where it is none),
    `instances` is the class of the values, `before_limits` is before the limits in a message. Of texts that are
    given `by_line` there may be many, each on a line of its own.
    """

    name: str
    read: Callable[[str], Any]
    instances: type
    before_limits: str = ""
    by_line: bool = False


TRUTHS = {"true": True, "yes": True, "on": True, "1": True, "false": False, "no": False, "0": False}
"""What browsers send for a box is among them."""

KINDS: dict[type, Kind] = {
    # Numbers may be numpy's.
    int: Kind("a whole number", int, Integral),
    float: Kind("a number", float, Real),
    bool: Kind("true or false", lambda text: TRUTHS[text.lower()], bool),
    str: Kind("text", str, str),
}


class Parameter(NamedTuple):
    """One parameter of one function.

    `default` is None where it may be left out, `required` where it may not; `repeated` takes several values.
    """

    name: str
    kind: type
    default: Any
    required: bool
    limits: Limits
    repeated: bool = False

    def read(self, text: str) -> Any:
        """The value that `text` denotes; ValueError with a reason if it denotes none."""
        try:
            # A word to choose from may be in quotes, as in other programs.
            value = KINDS[self.kind].read(text.strip("'\"") if self.limits.choices else text)
        except (ValueError, KeyError):
            raise ValueError(f"{self.name} is {text!r}; it must be {KINDS[self.kind].name}") from None
        self.check_one(value)
        return value

    def read_all(self, texts: Sequence[str]) -> Any:
        """The value that texts denote, each of them one of several, or the last one; errors as in `read`.

        Several of them may be in one text, with commas, unless they are texts of any kind.
        """
        if not self.repeated:
            return self.read(texts[-1])
        return [
            self.read(part.strip())
            for text in texts
            for part in (text.split(",") if self.takes_commas else [text])
            if part.strip()
        ]

    @property
    def takes_commas(self) -> bool:
        """Whether several values may be in one text, with commas between them."""
        return self.repeated and (self.kind is not str or bool(self.limits.choices))

    def check(self, value: Any) -> None:
        """ValueError with a reason unless `value` is of the parameter's kind and within the limits."""
        if value is None and self.default is None and not self.required:
            return
        if not self.repeated:
            self.check_one(value)
        elif isinstance(value, list | tuple):
            for one in value:
                self.check_one(one)
        else:
            message = f"{self.name} is {value!r}; it must be a list, each of which is {KINDS[self.kind].name}"
            raise ValueError(message)

    def check_one(self, value: Any) -> None:
        """`check` of one of several values."""
        kind = KINDS[self.kind]
        # In Python a bool is an integer too, and NaN is a number.
        wrong = not isinstance(value, kind.instances) or isinstance(value, bool) != (self.kind is bool)
        if wrong or (isinstance(value, float) and isnan(value) and self.limits == NO_LIMITS):
            raise ValueError(f"{self.name} is {value!r}; it must be {kind.name}")
        if not self.limits.allow(value):
            if isinstance(value, str) and not self.limits.choices:
                raise ValueError(
                    f"{self.name} has {len(value):,} characters, which is more than {self.limits.most:,}"
                )
            raise ValueError(f"{self.name} is {value}; it must be {kind.before_limits}{self.limits}")
        has_limits = self.limits != NO_LIMITS
        if (
            has_limits
            and self.limits.most is None
            and isinstance(value, int | float)
            and abs(value) > LARGEST_NUMBER
        ):
            raise ValueError(f"{self.name} is {value}, which is too large; give at most {LARGEST_NUMBER:g}")

    def plain(self, value: Any) -> Any:
        """A checked value as JSON keeps it: the numbers of Python, and several values as a list."""
        if value is None or self.kind not in (int, float):
            return list(value) if self.repeated and value is not None else value
        return [self.kind(one) for one in value] if self.repeated else self.kind(value)

    def words(self, value: Any) -> str:
        """What a sentence says of a value; "" for the default and for what was left open."""
        if value is None or value in ([], ()) or (value == self.default and not self.required):
            return ""
        name = self.name.replace("_", " ")
        if self.kind is bool:
            return (self.limits.said or name) if value else f"not {self.limits.said or name}"
        return (self.limits.said or f"{name} {{}}").format(_shortened(value) if self.repeated else value)

    @property
    def usage(self) -> str:
        """How it is written: `n=...`, or in brackets where it may be left out."""
        return f"{self.name}=..." if self.required else f"[{self.name}=...]"

    @property
    def help(self) -> str:
        """What it means, which values it takes, and its default."""
        limits = "" if str(self.limits) == "finite" else str(self.limits)
        values = KINDS[self.kind].name if not limits or not self.limits.choices else ""
        several = "several, each " if self.repeated else ""
        default = (
            "" if self.required or self.default in (None, "", ()) else f"default {written(self.default)}"
        )
        parts = [self.limits.help, several + " ".join(filter(None, [values, limits])), default]
        return "; ".join(filter(None, parts))


NO_LIMITS = Limits("")


def written(value: Any) -> str:
    """A value as text that `Parameter.read` and `read_all` understand."""
    if isinstance(value, list | tuple):
        return ",".join(map(written, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def listed_values(values: Mapping[str, Any]) -> str:
    """Parameters and their values for people: `n 3, seed 7`; those that were left open are left out."""
    return ", ".join(
        f"{name} {_shortened(value)}" for name, value in values.items() if value not in (None, [], ())
    )


def _shortened(value: Any) -> str:
    """A value for people: of several values the first few, and how many more there are."""
    if not isinstance(value, list | tuple) or len(value) <= SHOWN_VALUES:
        return written(value)
    return f"{written(value[:SHOWN_VALUES])} and {len(value) - SHOWN_VALUES:,} more"


def parameters_of(function: Callable[..., object]) -> tuple[Parameter, ...]:
    """The keyword-only parameters of a function, in the order of its signature.

    TypeError when one of them has a type that KINDS does not know.
    """
    keywords = [p for p in inspect.signature(function).parameters.values() if p.kind is p.KEYWORD_ONLY]
    # The other annotations are not looked at: they may have names that are there for a checker of types alone.
    own = {p.name: function.__annotations__[p.name] for p in keywords if p.name in function.__annotations__}
    names = getattr(inspect.unwrap(function), "__globals__", {})
    hints = get_type_hints(SimpleNamespace(__annotations__=own), names, include_extras=True)
    return tuple(_parameter(function, keyword, hints.get(keyword.name)) for keyword in keywords)


def _parameter(function: Callable[..., object], keyword: inspect.Parameter, hint: Any) -> Parameter:
    kind, limits, repeated = _annotation(hint)
    if kind not in KINDS:
        known = ", ".join(each.__name__ for each in KINDS)
        message = f"{keyword.name} of {function.__qualname__} is of type {hint!r}; write one of {known}"
        raise TypeError(message)
    required = keyword.default is keyword.empty
    return Parameter(keyword.name, kind, None if required else keyword.default, required, limits, repeated)


def _annotation(hint: Any) -> tuple[Any, Limits, bool]:
    """Kind and limits inside an annotation, and whether it is of several values."""
    origin, inside = get_origin(hint), get_args(hint)
    if origin is Annotated:
        kind, found, repeated = _annotation(inside[0])
        limits = next((each for each in inside[1:] if isinstance(each, Limits)), found)
        return kind, limits._replace(choices=limits.choices or found.choices), repeated
    if origin is Literal:
        return str, Limits("", choices=inside), False
    if origin in (Union, UnionType):
        return _annotation(next(part for part in inside if part is not NoneType))
    if origin in (list, tuple, Sequence):
        kind, limits, _ = _annotation(inside[0])
        return kind, limits, True
    return hint, NO_LIMITS, False
