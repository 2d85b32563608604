"""Which version of the reference program is followed where its versions disagree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from workbench.methods.measures.parameters import Value


class Profile(NamedTuple):
    """The habits of one version of trec_eval.

    Attributes:
        name: as it is written after `--profile`.
        single_precision: whether scores are 32-bit floats, so that more of them are equal.
        rounding: how a share of the relevant documents becomes a number of them, for interpolated precision:
            "lround" to the nearest, "up" to the next (0.9 is added and the fraction cut off).
        empty_rankings: whether, with -c, a judged topic that a run lacks is scored as an empty ranking and
            listed with -q. Otherwise it adds 0 to the sum of each measure, and is not listed.
        comments: whether a line that begins with '#' is a comment.
        lacks: families that it does not know; they are no part of its `all_trec`.
    """

    name: str
    single_precision: bool
    rounding: str
    empty_rankings: bool
    comments: bool
    lacks: frozenset[str] = frozenset()

    @property
    def defaults(self) -> Mapping[str, Value]:
        """Default values for parameters of measures."""
        return {"rounding": self.rounding}


DEFAULT_PROFILE = Profile(
    "trec_eval-10", single_precision=False, rounding="lround", empty_rankings=True, comments=True
)

PROFILES = {
    each.name: each
    for each in (
        DEFAULT_PROFILE,
        Profile(
            "trec_eval-9",
            single_precision=True,
            rounding="up",
            empty_rankings=False,
            comments=False,
            lacks=frozenset({"rbp", "rbp_resid", "unj"}),
        ),
    )
}
"""All profiles by name."""
