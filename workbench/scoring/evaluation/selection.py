"""What was asked for with -m, in the order in which the reference program prints it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from workbench.core.errors import UnknownName
from workbench.methods.measures import MEASURES, BoundMeasure, parse_named
from workbench.methods.measures.parameters import Value
from workbench.methods.measures.reference_names import NICKNAMES, PRINTING_ORDER, TEXTS


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


DEFAULT_MEASURES = ("official",)
"""The measures that are printed by default."""

RELSTRING_LENGTH = 10
_LONGEST_FIRST = sorted(PRINTING_ORDER, key=len, reverse=True)


Judgments = Literal["plain", "of subtopics", "of a sample"]
"""What the lines of qrels say: grades, grades by subtopic, or those of a sample with its design."""


class RequestedOutput(NamedTuple):
    """One thing to print for a topic or a run.

    Attributes:
        name: what it is printed under.
        measure: None for words instead of a number (`runid`, `relstring`).
        length: how many documents a `relstring` shows.
    """

    name: str
    measure: BoundMeasure | None = None
    length: int = RELSTRING_LENGTH

    @property
    def by_subtopic(self) -> bool:
        """Whether it needs judgments of subtopics."""
        return self.measure is not None and self.measure.measure.of == "subtopics"

    @property
    def of_sample(self) -> bool:
        """Whether it needs judgments of a sample with its design."""
        return self.measure is not None and self.measure.measure.of_sample

    @property
    def family(self) -> str | None:
        """The reference program's name for it and its kin, such as `P` for `P_5`; None if it knows none."""
        if self.by_subtopic or self.of_sample:
            return None
        return _family_of(self.name)

    @property
    def has_topics(self) -> bool:
        """Whether it says something about a single topic: a geometric mean and a number of topics do not."""
        if self.measure is None:
            return self.name != "runid"
        return self.measure.name != "NumQ" and self.measure.modifier("mean") == "arithmetic"


def judgments_for(requested: Sequence[RequestedOutput]) -> Judgments:
    """The judgments that all of these take; `refuse_two_kinds` refuses two kinds of others."""
    if any(each.of_sample for each in requested):
        return "of a sample"
    return "of subtopics" if any(each.by_subtopic for each in requested) else "plain"


@lru_cache(maxsize=1024)
def _family_of(name: str) -> str | None:
    """An evaluation asks for it several times of each name."""
    return next((each for each in _LONGEST_FIRST if name == each or name.startswith(f"{each}_")), None)


def choose(names: Sequence[str], profile: Profile, defaults: Mapping[str, Value]) -> list[RequestedOutput]:
    """All that `names` ask for, once each, in the reference program's order.

    What the reference program does not print is at the end, as it was asked for. Where a family is asked
    for with parameters, its usual ones are left out: `official` with `P.5` has P_5 and no other P.

    Args:
        names: as after -m; none for the reference program's `official`.
        profile: the version that is followed.
        defaults: values for parameters that the names leave open, where a measure has them.

    Raises:
        UnknownName: a name that is none.
    """
    plain: list[RequestedOutput] = []
    special: list[RequestedOutput] = []
    for name in names or DEFAULT_MEASURES:
        plain_name = name.strip()
        # The families behind a nickname; any other name as it is.
        members = [each for each in NICKNAMES.get(plain_name, ()) if each not in profile.lacks]
        for text in members if plain_name in NICKNAMES else [plain_name]:
            requested = _requested(text, {**profile.defaults, **defaults})
            (plain if text in PRINTING_ORDER else special).extend(requested)
    families = {requested.family for requested in special} - {None}
    chosen = [requested for requested in plain if requested.family not in families] + special
    return sorted(dict.fromkeys(chosen), key=_place)


def _requested(text: str, defaults: Mapping[str, Value]) -> list[RequestedOutput]:
    if text in TEXTS:
        return [RequestedOutput(text)]
    if shown := re.fullmatch(r"relstring[._](.+)", text):
        try:
            return [RequestedOutput(f"relstring_{shown[1]}", None, max(int(float(shown[1])), 0))]
        except (ValueError, OverflowError):
            message = f"relstring.{shown[1]}: write a number of documents after the dot, as in relstring.20"
            raise UnknownName(message) from None
    found = [RequestedOutput(name, measure) for name, measure in parse_named(text, defaults=defaults)]
    # Some of our own names are the reference program's too: those are printed as they were asked for.
    return [found[0]._replace(name=text)] if len(found) == 1 and text in PRINTING_ORDER else found


def _place(requested: RequestedOutput) -> tuple[int, float]:
    family = requested.family
    if family is None:
        return len(PRINTING_ORDER), 0.0
    return PRINTING_ORDER.index(family), _parameter_value(requested, family)


def _parameter_value(requested: RequestedOutput, family: str) -> float:
    """The number after the family's name, such as a cutoff; 0 where there is none."""
    ours = MEASURES.data.values()  # no plugin is looked for: families are of the reference program
    names = (name for entry in ours for name in entry.trec_eval if name.family == family)
    parameter = next((name.parameter for name in names), None)
    value = dict(requested.measure.values).get(parameter or "") if requested.measure else None
    return float(value) if isinstance(value, int | float) else 0.0
