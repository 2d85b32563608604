"""The parameters of measures: one type per parameter, which carries its limits and help (see core/parameters.py).

A measure writes `rel: Rel = 1` in its signature; the registry reads name, type, default, limits and help from
there, so that nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Annotated

import numpy as np

from workbench.core.parameters import KINDS, Kind, Limits, Parameter
from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE, IntArray
from workbench.methods.measures.gains import Gains, read_gains

ROUNDINGS = ("lround", "up")
"""Ways to turn a share of R documents into a whole number of them; see `documents_at`."""


@dataclass(frozen=True)
class Levels:
    """Shares of a topic's relevant documents, each from 0 to 1, in ascending order. Equal when these are; hashable."""

    shares: tuple[float, ...]

    def __str__(self) -> str:
        """As it is written in a measure's name: {0.2,0.5,0.8}."""
        return "{" + ",".join(map(repr, self.shares)) + "}"


ELEVEN_POINTS = Levels((0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0))


def read_levels(text: str) -> Levels:
    """The levels that `text` names: `{0.2,0.5,0.8}`, or `.2,.5,.8` as the reference program writes it.

    ValueError if it names none, or one outside 0 to 1.
    """
    bare = text.strip().removeprefix("{").removesuffix("}")
    try:
        shares = sorted(float(part) for part in bare.split(","))
    except ValueError:
        shares = []
    if not shares or not all(0 <= share <= 1 for share in shares):
        raise ValueError(f"{text!r} is not a list of recalls from 0 to 1")
    return Levels(tuple(shares))


def documents_at(level: float, num_rel: IntArray, rounding: str) -> IntArray:
    """How many of each row's `num_rel` relevant documents (R) have to be found for a recall of `level`, int64 (R).

    "lround" takes the nearest whole number, halves up; "up" adds 0.9 and cuts off the fraction.

    Source: m_iprec_at_recall.c of trec_eval, version 10 (lround) and version 9 (up).
    """
    exact = level * num_rel
    whole = np.floor(exact)
    number = exact + 0.9 if rounding == "up" else whole + (exact - whole >= 0.5)
    return number.astype(np.int64)


Value = int | float | str | bool | Gains | Levels | None

KINDS[Gains] = Kind(
    "linear, exp, or a table of grades and gains such as {1:3,2:9}", read_gains, Gains, "a table of numbers "
)
KINDS[Levels] = Kind("shares of the relevant documents such as {0.2,0.5,0.8}", read_levels, Levels)

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


MODIFIERS = {
    name: Parameter(name, kind, default, False, limits)
    for name, kind, default, limits in (
        (
            "judged_only",
            bool,
            False,
            Limits("take documents without a judgment out of the ranking, so that those below move up"),
        ),
        (
            "bound",
            str,
            None,
            Limits(
                "the lowest or highest value that judging the pooled, unjudged documents can lead to; the "
                "residual of RBP, which counts what was never pooled as well, is another thing; in a campaign the mean "
                "is over all topics of which something is judged or pooled, untouched ones too",
                choices=("lower", "upper"),
            ),
        ),
        (
            "top_grade",
            int,
            None,
            Limits(
                "the highest grade that bound may give (else the highest one given so far)",
                least=1,
                most=HIGHEST_GRADE,
            ),
        ),
        (
            "least_grade",
            int,
            None,
            Limits(
                "the lowest grade that bound may give (else the lowest one given so far), where gains count",
                least=LOWEST_GRADE,
                most=0,
            ),
        ),
        (
            "mean",
            str,
            "arithmetic",
            Limits(
                "how topics become one number; micro weights each by its number of relevant documents",
                choices=("arithmetic", "geometric", "harmonic", "micro"),
            ),
        ),
        (
            "floor",
            float,
            1e-5,
            Limits("what a smaller value counts as in a geometric or harmonic mean", above=0, most=1),
        ),
    )
}
"""All modifiers by name."""

POSSIBLE_GRADES = ("top_grade", "least_grade")
"""What says which grades a bound may give."""


def check_alternatives(parameters: Sequence[Parameter], values: Mapping[str, Value]) -> None:
    """ValueError with a reason if two parameters that say the same thing both differ from their defaults."""
    names: dict[str, str] = {}
    for parameter in parameters:
        what = parameter.limits.one_of
        if what and values[parameter.name] != parameter.default:
            if what in names:
                raise ValueError(f"{names[what]} and {parameter.name} both say {what}; give one of them")
            names[what] = parameter.name


def check_together(given: Mapping[str, Value]) -> None:
    """ValueError with a reason if these parameters and modifiers do not go together."""
    if given.get("bound") is None:
        for name in POSSIBLE_GRADES:
            if given.get(name) is not None:
                raise ValueError(f"{name} says what bound may give; add bound=lower or bound=upper")
    elif given.get("judged_only"):
        raise ValueError(
            "bound looks at pooled, unjudged documents, which judged_only takes out; give one of them"
        )
    elif isinstance(rel := given.get("rel"), int) and rel > HIGHEST_GRADE:
        message = f"bound gives grades, and none is above {HIGHEST_GRADE}; take a smaller rel than {rel}"
        raise ValueError(message)
    elif given.get("mean") == "micro":
        raise ValueError(
            "a micro mean weighs by relevant documents, which bound leaves open; take another mean"
        )
