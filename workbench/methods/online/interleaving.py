"""Team-draft interleaving of two rankings, and which of the two a list with clicks prefers."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import islice
from typing import Literal

import numpy as np

Team = Literal[0, 1] | None
"""The ranking that a document counts for."""


def team_draft(
    one: Sequence[str], other: Sequence[str], *, depth: int, rng: np.random.Generator
) -> dict[str, Team]:
    """At most `depth` documents of two rankings, by rank, with their teams.

    In each round a coin says which one picks first; each picks its first document that is not in the list. Where both
    would pick the same one, it is added for neither and ends the round: only the coin would say whose it is. So the
    pairs of a topic are always the same, the coins order each of them, and every rank is equally likely one's or the
    other's. The list ends where one ranking has no more documents.

    Source: F. Radlinski, M. Kurup, T. Joachims, CIKM 2008; there a shared document is that of the first to pick.
    """
    taken: dict[str, Team] = {}
    places = [0, 0]
    while len(taken) < depth:
        for team, ranking in enumerate((one, other)):
            while places[team] < len(ranking) and ranking[places[team]] in taken:
                places[team] += 1
        if places[0] == len(one) or places[1] == len(other):
            break
        ours, theirs = one[places[0]], other[places[1]]
        if ours == theirs:
            taken[ours] = None
        elif rng.integers(2):
            taken[theirs], taken[ours] = 1, 0
        else:
            taken[ours], taken[theirs] = 0, 1
    return dict(islice(taken.items(), depth))


def outcome(teams: Sequence[str], runs: tuple[str, str], clicked: Collection[int]) -> int:
    """1 where more of the clicked documents are those of the first run, -1 of the second, 0 for as many.

    `clicked` are places in the list, from 0; several clicks on a document count once.
    """
    counts = [sum(teams[place] == run for place in set(clicked)) for run in runs]
    return (counts[0] > counts[1]) - (counts[0] < counts[1])
