"""What a grade is worth: the grade itself, 2^grade - 1, or any table."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from workbench.core.parameters import Limits

GradeArray = NDArray[np.int16]

LARGEST_EXPONENT = 1000
"""2 to the power of a larger grade is no double."""

_PAIR = r"(?P<grade>[+-]?\d+)\s*[:=]\s*(?P<gain>[^,:=]+)"


@dataclass(frozen=True)
class Gains:
    """A gain for every grade. Equal when kind and table are; hashable.

    Attributes:
        kind: "linear" (the grade itself), "exp" (2^grade - 1), or "table".
        table: pairs (grade, gain) in ascending order of grades. A grade that is in no pair is worth itself
            if it is positive, else nothing.
    """

    kind: str = "linear"
    table: tuple[tuple[int, float], ...] = ()

    @property
    def lowest_grade(self) -> int:
        """The smallest grade that can be worth something: from here on hits must be looked at."""
        return min([1, *(grade for grade, gain in self.table if gain)])

    @property
    def listed(self) -> tuple[float, ...]:
        """The gains that the table names; 0 alone where there is none."""
        return tuple(gain for _, gain in self.table) or (0.0,)

    def within(self, limits: Limits) -> bool:
        """Whether all gains of the table are within the limits; without any limit, all is."""
        if limits.least is None and limits.most is None:
            return True
        return self.kind == "table" and all(map(limits.allow, self.listed))

    def of(self, grade: GradeArray) -> NDArray[np.float64]:
        """The gain of each grade, float64 of the same shape; 0 for a grade below 0 and for labels that are none."""
        positive = np.maximum(grade, 0).astype(np.float64)
        if self.kind == "exp":
            # Not exp2, whose last digit depends on the processor.
            return np.ldexp(1.0, np.clip(grade, 0, LARGEST_EXPONENT)) - 1.0
        for listed, gain in self.table:
            positive[grade == listed] = gain
        return positive

    def __str__(self) -> str:
        """As it is written in a measure's name: linear, exp, or {1:3,2:9}."""
        if self.kind != "table":
            return self.kind
        # Numbers as they are read back exactly: 3, not 3.0, and all digits of 0.123456789.
        shortest = [f"{gain:g}" if float(f"{gain:g}") == gain else repr(gain) for _, gain in self.table]
        pairs = (f"{grade}:{gain}" for (grade, _), gain in zip(self.table, shortest, strict=True))
        return "{" + ",".join(pairs) + "}"


def grades_between(least: int, top: int) -> GradeArray:
    """The grades from 0 to `top`, then `least`, of those below 0 the only one: these are all worth the same."""
    return np.append(np.arange(top + 1), least).astype(np.int16)


LARGEST_GAIN = 1e15
"""Beyond, products of gains overflow."""

LINEAR = Gains("linear")
EXPONENTIAL = Gains("exp")


def read_gains(text: str) -> Gains:
    """The gains that `text` denotes: `linear`, `exp`, `{0:0,1:3,2:9}`, or `1=3,2=9` as the reference writes it.

    ValueError if it denotes none.
    """
    bare = text.strip().strip("'\"")
    if bare in {"linear", "exp"}:
        return Gains(bare)
    table: dict[int, float] = {}
    for part in bare.removeprefix("{").removesuffix("}").split(","):
        pair = re.fullmatch(_PAIR, part.strip())
        grade, gain = (int(pair["grade"]), _number(pair["gain"])) if pair else (-1, np.nan)
        if grade in table or grade < 0 or not abs(gain) <= LARGEST_GAIN:
            message = f"{part.strip()!r} is not a grade from 0 on, named once, and its gain, as in 1=3"
            raise ValueError(message)
        table[grade] = gain
    return Gains("table", tuple(sorted(table.items())))


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return np.nan
