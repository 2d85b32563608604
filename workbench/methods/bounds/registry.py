"""How measures say what is certain about two runs on one topic; the decorator that adds it to a measure.

An additive measure needs none of this: its form (measures/additive.py) says all. For another one, write a subclass
of `Differences` under `@differences_of("NAME")`.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import UnknownName
from workbench.core.ranking import FloatArray, IntArray
from workbench.methods.bounds.topic_runs import TopicRuns
from workbench.methods.measures import BoundMeasure
from workbench.methods.measures.additive import ADDITIVE
from workbench.methods.measures.parameters import Value
from workbench.methods.measures.registry import WHY_NO_BOUNDS


class Completion(NamedTuple):
    """A way to judge documents of a topic: their numbers int64 (n), and a grade for each, int16 (n)."""

    document: IntArray
    grade: NDArray[np.int16]


class Differences(ABC):
    """What can become of the differences on one topic, for a measure with all its parameters.

    Attributes:
        reached: whether some way to judge the undecided documents reaches each bound, if some grade is not relevant.
        least_grade: the lowest grade that an undecided document may get, 0 or below.
    """

    reached = True

    def __init__(self, measure: BoundMeasure, top_grade: int, least_grade: int = 0) -> None:
        self.measure = measure
        self.top_grade = top_grade
        self.least_grade = least_grade

    @property
    def cutoff(self) -> int | None:
        """The rank down to which the measure looks, None without one."""
        cutoff: int | None = self.measure.parameters["cutoff"]
        return cutoff

    @property
    def grades(self) -> tuple[int, int]:
        """The lowest and the highest grade that an undecided document may get."""
        return self.least_grade, self.top_grade

    @property
    def exact(self) -> bool:
        """Whether some way to judge the undecided documents reaches each bound; else it is an outer one."""
        return self.reached and not self.all_relevant

    @property
    def all_relevant(self) -> bool:
        """Whether the measure calls every possible grade relevant, as with `rel=0` and no grade below 0."""
        return self.measure.rel <= self.least_grade

    @property
    def rest(self) -> int:
        """The grade of the documents that a way to judge does not name: the one that is not relevant, 0 by gains."""
        return 0 if self.all_relevant else self.not_relevant

    @abstractmethod
    def highest(self, topic: TopicRuns) -> FloatArray:
        """The highest value that the run of the row less that of the column can have, float64 (S, S)."""

    @abstractmethod
    def best_for(self, topic: TopicRuns) -> Completion:
        """Of two runs: a way to judge that leads to the highest difference of the first to the second.

        Where `reached` is not, it is a way that leads to a high one.
        """

    @property
    def not_relevant(self) -> int:
        """The grade of a document that is not relevant: 0, or the lowest where 0 is relevant."""
        return 0 if self.measure.rel > 0 else min(self.least_grade, self.measure.rel - 1)

    @abstractmethod
    def cost(self, topic: TopicRuns) -> float:
        """About how many steps of arithmetic `highest` takes: a thousand million of them take about a second."""

    def values(self, topic: TopicRuns) -> FloatArray:
        """The value of each run with the undecided documents not relevant, float64 (S)."""
        return self.measure(topic.judged)


DifferencesType = type[Differences]
DIFFERENCES: dict[str, DifferencesType] = {}
"""By the name of the measure. Additive measures are in it as well."""

WHY_NONE: dict[str, Callable[[Mapping[str, Value]], str | None]] = {}


def differences_of(
    *names: str, unless: Callable[[Mapping[str, Value]], str | None] | None = None
) -> Callable[[DifferencesType], DifferencesType]:
    """Put a class into the registry for these measures; `unless` says why there are none with some parameters."""

    def register(kind: DifferencesType) -> DifferencesType:
        for name in names:
            DIFFERENCES[name] = kind
            if unless is not None:
                WHY_NONE[name] = unless
        return kind

    return register


def why_no_differences(measure: BoundMeasure) -> str | None:
    """Why nothing can be said about differences by this measure; None where it can."""
    if measure.name not in DIFFERENCES:
        known = ", ".join(sorted(DIFFERENCES))
        return f"bounds of a difference are not known for {measure}; they are for {known}"
    if measure.modifier("bound") is not None:
        return f"{measure} is a bound itself; name the measure without it"
    if measure.modifier("judged_only"):
        return (
            f"{measure} leaves unjudged documents out, so judging one moves all others; take another measure"
        )
    if measure.modifier("mean") != "arithmetic":
        return f"{measure} is not a mean of differences by topic; take mean=arithmetic"
    why = WHY_NONE.get(measure.name) or WHY_NO_BOUNDS.get(measure.name)
    return None if why is None or (reason := why(dict(measure.values))) is None else f"{measure}: {reason}"


def differences(measure: BoundMeasure, *, top_grade: int, least_grade: int = 0) -> Differences:
    """What is known about differences by this measure; UnknownName with the reason where nothing is.

    An undecided document may get grades from `least_grade` to `top_grade`. One below 0 gains nothing, and is not
    relevant by a measure that calls 0 relevant.
    """
    if (reason := why_no_differences(measure)) is not None:
        raise UnknownName(reason)
    return DIFFERENCES[measure.name](measure, top_grade, least_grade)


def adds_up(measure: BoundMeasure) -> bool:
    """Whether differences by the measure are sums over documents of gain times weight."""
    return measure.name in ADDITIVE and why_no_differences(measure) is None
