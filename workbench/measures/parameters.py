"""What a measure may be told besides the ranking: one type per parameter, which carries its limits and help.

A measure writes `rel: Rel = 1` in its signature; the registry reads name, type, default, limits and help from
there, so that nothing is said twice.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from math import inf, isfinite
from numbers import Integral, Real
from typing import Annotated, NamedTuple, get_args, get_origin, get_type_hints

from workbench.measures.gains import Gains, read_gains
from workbench.measures.recall_levels import ROUNDINGS, Levels, read_levels

Value = int | float | str | bool | Gains | Levels | None


class Limits(NamedTuple):
    """What a parameter means, and which values it takes; `above` and `below` exclude the bound itself.

    `choices` are all the words it takes. `shown` parameters are part of the canonical name also when they have
    their default value; the one `after_at` is written after `@`, as a cutoff is. `example` is a likely value.
    Parameters that say the same thing in different ways share the words `one_of`: at most one may be given.
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

    def __str__(self) -> str:
        bounds = (
            ("at least", self.least),
            ("at most", self.most),
            ("above", self.above),
            ("below", self.below),
        )
        given = [(word, bound) for word, bound in bounds if bound is not None]
        told = [f"{word} {bound:g}" for word, bound in given if isfinite(bound)]
        if given and not told:
            return "finite"
        return " and ".join([*told, *([f"one of {', '.join(self.choices)}"] if self.choices else [])])

    def allow(self, value: Value) -> bool:
        """Whether `value` is within the limits."""
        if isinstance(value, str):
            return not self.choices or value in self.choices
        if isinstance(value, Gains) and (self.least is not None or self.most is not None):
            return value.kind == "table" and all(map(self.allow, value.listed))
        if not isinstance(value, int | float):
            return True
        return (
            (self.least is None or value >= self.least)
            and (self.most is None or value <= self.most)
            and (self.above is None or value > self.above)
            and (self.below is None or value < self.below)
        )


LARGEST_NUMBER = 1e15
"""No parameter is larger: beyond, whole numbers do not fit into arrays and products overflow."""

Cutoff = Annotated[int, Limits("how many ranks are looked at", least=1, after_at=True, example="10")]
Rel = Annotated[int, Limits("the smallest grade that counts as relevant", least=0)]
Persistence = Annotated[
    float, Limits("the chance that the user goes on to the next rank", above=0, below=1, shown=True)
]
GainsOf = Annotated[
    Gains,
    Limits("what a grade is worth: linear (the grade), exp (2^grade - 1), or a table such as {1:3,2:9}"),
]
SharesOf = Annotated[
    Gains,
    Limits(
        "what a grade is worth, as a table such as {1:0.5,2:1}; without it, what is relevant is worth 1",
        least=0,
        most=1,
    ),
]
Thresholds = Annotated[
    Gains,
    Limits(
        "the share of users for whom a document must have at least this grade, such as {1:0.3,2:0.7}; "
        "without it, as many for each grade",
        least=0,
        most=1,
    ),
]
Discount = Annotated[
    str,
    Limits(
        "what a gain is divided by: the logarithm of rank + 1 (plus-one); of the rank, leaving alone the ranks "
        "below the base (below-base) or only the first (after-first)",
        choices=("plus-one", "below-base", "after-first"),
    ),
]
Base = Annotated[float, Limits("the base of the discount's logarithm", above=1)]
Blend = Annotated[
    float, Limits("how much gain counts against the mere number of relevant documents", least=0)
]
StopValue = Annotated[
    str,
    Limits(
        "what a user who stops at rank r has: 1 / r (reciprocal), 1 / log2(r + 1) (log2) or p^(r - 1) (rbp)",
        choices=("reciprocal", "log2", "rbp"),
    ),
]
StopPersistence = Annotated[float, Limits("the p of discount=rbp; the others have none", above=0, below=1)]
Target = Annotated[
    float, Limits("how much gain the user hopes for, such as 1 relevant document", above=0.5, shown=True)
]
MaxGrade = Annotated[int, Limits("the highest grade that there is", least=1, most=1000, shown=True)]
Collection = Annotated[int, Limits("how many documents the collection has", least=1, example="528155")]
Beta = Annotated[
    float,
    Limits("how many times as important recall is as precision", least=0, most=1e6, one_of="F's weight"),
]
BetaSquared = Annotated[
    float, Limits("beta times beta, instead of beta", least=0, most=1e12, one_of="F's weight")
]
Alpha = Annotated[
    float, Limits("the weight of precision, instead of beta", least=0, most=1, one_of="F's weight")
]
Relative = Annotated[bool, Limits("divide by the best that this many documents could reach")]
Worth = Annotated[float, Limits("what each document of its kind is worth", above=-inf, below=inf)]
Multiple = Annotated[float, Limits("which multiple of R is looked at", above=0, most=1e6, example="0.5")]
RecallLevel = Annotated[
    float, Limits("the recall from which on precision counts", least=0, most=1, after_at=True, example="0.1")
]
RecallLevels = Annotated[Levels, Limits("the levels of recall, such as {0.2,0.5,0.8}")]
Rounding = Annotated[
    str,
    Limits(
        "how level * R becomes a number of documents: to the nearest (lround) or to the next above (up)",
        choices=ROUNDINGS,
    ),
]
Patience = Annotated[
    int, Limits("how many documents the user is ready to look at", least=1, after_at=True, example="1000")
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
        """ValueError with a reason unless `value` is of the parameter's kind and within the limits."""
        if value is None and self.default is None and not self.required:
            return
        # In Python a bool is an integer too.
        if not isinstance(value, TYPES[self.kind]) or isinstance(value, bool) != (self.kind is bool):
            message = f"{self.name} is {value!r}; it must be {NAMES_OF_KINDS[self.kind]}"
            raise ValueError(message)
        if not self.limits.allow(value):
            table = "a table of numbers " if self.kind is Gains else ""
            message = f"{self.name} is {value}; it must be {table}{self.limits}"
            raise ValueError(message)
        if isinstance(value, int | float) and abs(value) > LARGEST_NUMBER:
            message = f"{self.name} is {value}, which is too large; give at most {LARGEST_NUMBER:g}"
            raise ValueError(message)


def check_alternatives(parameters: Sequence[Parameter], values: Mapping[str, Value]) -> None:
    """ValueError with a reason if two parameters that say the same thing both differ from their defaults."""
    told: dict[str, str] = {}
    for parameter in parameters:
        what = parameter.limits.one_of
        if what and values[parameter.name] != parameter.default:
            if what in told:
                message = f"{told[what]} and {parameter.name} both say {what}; give one of them"
                raise ValueError(message)
            told[what] = parameter.name


READERS: dict[type, Callable[[str], Value]] = {
    int: int,
    float: float,
    bool: lambda text: {"true": True, "false": False}[text.lower()],
    str: lambda text: text.strip("'\""),
    Gains: read_gains,
    Levels: read_levels,
}
TYPES: dict[type, type] = {
    int: Integral,
    float: Real,
    bool: bool,
    str: str,
    Gains: Gains,
    Levels: Levels,
}
"""What values of each kind are instances of: numbers may be numpy's."""
NAMES_OF_KINDS = {
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    str: "a word",
    Gains: "linear, exp, or a table of grades and gains such as {1:3,2:9}",
    Levels: "shares of the relevant documents such as {0.2,0.5,0.8}",
}


def written(value: Value) -> str:
    """A value as it is written in the name of a measure."""
    return str(value).lower() if isinstance(value, bool) else str(value)


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
