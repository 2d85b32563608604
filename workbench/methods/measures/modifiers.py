"""What may be said of any measure: which documents it sees, how topics are averaged.

A modifier is a parameter that the measure's function does not know: `AP(mean=geometric)`, `nDCG(judged_only=true)@10`.
"""

from __future__ import annotations

from collections.abc import Mapping

from workbench.core.parameters import Limits, Parameter
from workbench.core.ranking import HIGHEST_GRADE, LOWEST_GRADE
from workbench.methods.measures.parameters import Value

MODIFIERS = {
    each.name: each
    for each in (
        Parameter(
            "judged_only",
            bool,
            False,
            False,
            Limits("take documents without a judgment out of the ranking, so that those below move up"),
        ),
        Parameter(
            "bound",
            str,
            None,
            False,
            Limits(
                "the lowest or highest value that judging the pooled, unjudged documents can lead to; the "
                "residual of RBP, which counts what was never pooled as well, is another thing; in a campaign the mean "
                "is over all topics of which something is judged or pooled, untouched ones too",
                choices=("lower", "upper"),
            ),
        ),
        Parameter(
            "top_grade",
            int,
            None,
            False,
            Limits(
                "the highest grade that bound may give (else the highest one given so far)",
                least=1,
                most=HIGHEST_GRADE,
            ),
        ),
        Parameter(
            "least_grade",
            int,
            None,
            False,
            Limits(
                "the lowest grade that bound may give (else the lowest one given so far), where gains count",
                least=LOWEST_GRADE,
                most=0,
            ),
        ),
        Parameter(
            "mean",
            str,
            "arithmetic",
            False,
            Limits(
                "how topics become one number; micro weights each by its number of relevant documents",
                choices=("arithmetic", "geometric", "harmonic", "micro"),
            ),
        ),
        Parameter(
            "floor",
            float,
            1e-5,
            False,
            Limits("what a smaller value counts as in a geometric or harmonic mean", above=0, most=1),
        ),
    )
}
"""All modifiers by name."""

POSSIBLE_GRADES = ("top_grade", "least_grade")
"""What says which grades a bound may give."""


def check_together(given: Mapping[str, Value]) -> None:
    """ValueError with a reason if these parameters and modifiers do not go together."""
    if given.get("bound") is None:
        for name in POSSIBLE_GRADES:
            if given.get(name) is not None:
                message = f"{name} says what bound may give; add bound=lower or bound=upper"
                raise ValueError(message)
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
