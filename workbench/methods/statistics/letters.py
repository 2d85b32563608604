"""Letters for groups of runs: two runs that share a letter do not differ significantly, all others do."""

from __future__ import annotations

import string

import numpy as np
from numpy.typing import ArrayLike

from workbench.methods.statistics.arrays import levels

NAMES = string.ascii_lowercase + string.ascii_uppercase


def groups(p: ArrayLike, means: ArrayLike, *, alpha: float = 0.05) -> list[str]:
    """A compact letter display, the best run's first group being `a`.

    Start with one group of all runs; for every significant pair split each group that has both into one without the
    first and one without the second; drop groups that lie within others.

    Args:
        p: p-values of pairs, float64 (runs, runs), symmetric.
        means: float64 (runs,), larger is better.
        alpha: pairs with p <= alpha differ.

    Returns:
        The letters of each run, in alphabetical order: "a", "ab", "b". Past Z they go on with a2, b2 ...

    Source: H.-P. Piepho, Journal of Computational and Graphical Statistics 13, 2004.
    """
    order = np.argsort(-levels(means), kind="stable")
    differs = np.asarray(p, np.float64)[np.ix_(order, order)] <= alpha
    found = sorted(_groups(differs), key=_members)
    letters = [""] * len(order)
    for number, group in enumerate(found):
        for place in _members(group):
            letters[order[place]] += name_of(number)
    return letters


def name_of(number: int) -> str:
    """a, b ... z, A ... Z, a2, b2 ..."""
    round_, letter = divmod(number, len(NAMES))
    return NAMES[letter] + (str(round_ + 1) if round_ else "")


def _groups(differs: np.ndarray[tuple[int, ...], np.dtype[np.bool_]]) -> list[int]:
    """The largest groups without a pair that differs; a group is a whole number with a bit for each run."""
    found = [(1 << len(differs)) - 1] if len(differs) else []
    for one, row in enumerate(differs):
        for other in np.flatnonzero(row[one + 1 :]) + one + 1:
            found = _split(found, 1 << one, 1 << int(other))
    return found


def _split(groups: list[int], one: int, other: int) -> list[int]:
    both = one | other
    kept = [group for group in groups if group & both != both]
    for group in groups:
        if group & both == both:
            kept += [
                part
                for part in (group & ~one, group & ~other)
                if not any(part & larger == part for larger in kept)
            ]
    return kept


def _members(group: int) -> list[int]:
    return [place for place in range(group.bit_length()) if group >> place & 1]
