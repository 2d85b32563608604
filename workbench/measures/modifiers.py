"""What may be said of any measure: which documents it sees, how topics are averaged.

A modifier is a parameter that the measure's function does not know: `AP(mean=geometric)`, `nDCG(judged_only=true)@10`.
"""

from __future__ import annotations

from workbench.measures.parameters import Limits, Parameter

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
                "the value if every pooled, unjudged document had the worst or the best effect",
                choices=("lower", "upper"),
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
