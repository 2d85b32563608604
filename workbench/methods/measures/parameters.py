"""The parameters of measures: one type per parameter, which carries its limits and help (see core/parameters.py).

A measure writes `rel: Rel = 1` in its signature; the registry reads name, type, default, limits and help from
there, so that nothing is said twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Annotated

from workbench.core.parameters import KINDS, Kind, Limits, Parameter
from workbench.methods.measures.gains import Gains, read_gains
from workbench.methods.measures.recall_levels import ROUNDINGS, Levels, read_levels

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


def check_alternatives(parameters: Sequence[Parameter], values: Mapping[str, Value]) -> None:
    """ValueError with a reason if two parameters that say the same thing both differ from their defaults."""
    names: dict[str, str] = {}
    for parameter in parameters:
        what = parameter.limits.one_of
        if what and values[parameter.name] != parameter.default:
            if what in names:
                message = f"{names[what]} and {parameter.name} both say {what}; give one of them"
                raise ValueError(message)
            names[what] = parameter.name
