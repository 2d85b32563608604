"""Levels of recall, and how many relevant documents it takes to reach one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from workbench.core.ranking import IntArray

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

    Raises:
        ValueError: it names none, or one outside 0 to 1.
    """
    bare = text.strip().removeprefix("{").removesuffix("}")
    try:
        shares = sorted(float(part) for part in bare.split(","))
    except ValueError:
        shares = []
    if not shares or not all(0 <= share <= 1 for share in shares):
        message = f"{text!r} is not a list of recalls from 0 to 1"
        raise ValueError(message)
    return Levels(tuple(shares))


def documents_at(level: float, num_rel: IntArray, rounding: str) -> IntArray:
    """How many of each row's relevant documents have to be found for a recall of `level`, int64 (R).

    Args:
        level: 0 to 1.
        num_rel: int64 (R). How many relevant documents there are.
        rounding: "lround" for the nearest whole number, halves up; "up" adds 0.9 and cuts off the fraction.

    Source: m_iprec_at_recall.c of trec_eval, version 10 (lround) and version 9 (up).
    """
    exact = level * num_rel
    whole = np.floor(exact)
    number = exact + 0.9 if rounding == "up" else whole + (exact - whole >= 0.5)
    return number.astype(np.int64)
