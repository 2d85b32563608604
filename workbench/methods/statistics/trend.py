"""By how much one assessor's grades change against those of others, from an earlier third to a later one.

The grades of one assessor and the others' of the same items are compared in their first and their last third: a
difference of means does not grow with the number of items, as a slope times their number does. For a steady change it
is nearly as powerful (z is .94 of the slope's, that of halves .87), and it is cut off at the length of the scale.

What looks like a change of the assessor may be one of the items: one who tells relevant from not relevant half as well
as the others, or twice as well, moves away from them where the items become less relevant, without changing. The
interval holds for all of these.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from workbench.core.wording import counted
from workbench.methods.statistics.arrays import NOISE, FloatArray, one_row

LEVEL = 0.99
FEWEST_GROUPS = 9
"""Groups are compared with each other from three in each third on."""

SMALLEST_GROUP = 6
"""A group is divided from two items in each third on."""

FEWEST_DIVIDED = 5
"""No change within groups is certain with fewer of them."""

WEAKEST, STRONGEST = 0.5, 2.0
"""How far an assessor's grades go up for one step of the others' grades."""


class Change(NamedTuple):
    """A change with its interval.

    Attributes:
        change: the mean of the last third less that of the first; None where it is not defined.
        low, high: the 99 % interval, for one look; None where it is not defined.
        n: how many items took part.
        groups: in how many groups.
        note: why it is not defined.
        is_certain: whether an interval leaves out 0 that may be looked at after every group, see `_level_of_looks`.
    """

    change: float | None
    low: float | None
    high: float | None
    n: int
    groups: int
    note: str = ""
    is_certain: bool = False


class _Thirds(NamedTuple):
    """Differences of later and earlier means, of one's own grades less the others', and of the others'; the squared
    standard error of the first, its degrees of freedom, and how many there are in a third.
    """

    above: float
    others: float
    variance: float
    freedom: float
    size: int


def change_between(own: ArrayLike, others: ArrayLike, groups: Sequence[object], *, largest: float) -> Change:
    """The change from the first third of the groups to the last, each group being one observation.

    So what differs between groups (how a topic is read, who shares it) is chance, as it is when there are other groups.
    Welch's interval.

    `own` are an assessor's grades in their order, float64 (n,), `others` the means of the others' of the same items.
    Groups stand by the mean place of their items. `largest` is the largest possible change, the length of the scale.
    """
    members = _members(groups)
    unknown = Change(None, None, None, len(groups), len(members))
    if len(members) < FEWEST_GROUPS:
        note = f"not defined with {counted(len(members), 'topic')} in common; {FEWEST_GROUPS} are needed"
        return unknown._replace(note=note)
    mine, theirs = one_row(own), one_row(others)
    ordered = sorted(members, key=lambda here: float(np.mean(here)))
    above = np.array([(mine[here] - theirs[here]).mean() for here in ordered])
    level_of = np.array([theirs[here].mean() for here in ordered])
    return _change(unknown, [_thirds(above, level_of)], largest, FEWEST_GROUPS)


def change_within(own: ArrayLike, others: ArrayLike, groups: Sequence[object], *, largest: float) -> Change:
    """The mean change from the first third of each group to its last; arguments as of `change_between`.

    Groups weigh by the size of their thirds; those of fewer than SMALLEST_GROUP items take no part.
    """
    members = [here for here in _members(groups) if len(here) >= SMALLEST_GROUP]
    unknown = Change(None, None, None, sum(map(len, members)), len(members))
    if not members:
        return unknown._replace(note=f"not defined: no topic has {SMALLEST_GROUP} pairs in common")
    mine, theirs = one_row(own), one_row(others)
    thirds = [_thirds(mine[here] - theirs[here], theirs[here]) for here in members]
    return _change(unknown, thirds, largest, FEWEST_DIVIDED)


def _members(groups: Sequence[object]) -> list[list[int]]:
    """The places of each group."""
    places: dict[object, list[int]] = {}
    for place, group in enumerate(groups):
        places.setdefault(group, []).append(place)
    return list(places.values())


def _thirds(above: FloatArray, others: FloatArray) -> _Thirds:
    third = len(above) // 3
    early, late = above[:third], above[len(above) - third :]
    parts = [float(part.var(ddof=1)) / third for part in (early, late)]
    variance = sum(parts)
    squares = sum(part**2 for part in parts)
    freedom = variance**2 * (third - 1) / squares if squares > 0 else 2.0 * (third - 1)
    moved = float(others[len(others) - third :].mean() - others[:third].mean())
    return _Thirds(float(late.mean() - early.mean()), moved, variance, freedom, third)


def _level_of_looks(groups: int, fewest: int) -> float:
    """The level with which all looks after every group together err as one look of LEVEL does, from `fewest` on.

    Between two doublings of the number of groups the error is up to three times that of one look; the squares of the
    number of doublings share it out among these (3 * sum of 1 / k^2 is less than 5).
    """
    doublings = 1 + math.floor(math.log2(groups / fewest))
    return 1 - (1 - LEVEL) / (5 * doublings**2)


def _change(unknown: Change, thirds: Sequence[_Thirds], largest: float, fewest: int) -> Change:
    """The mean of some changes, weighted by size, its Welch-Satterthwaite interval, widened for how relevance changes.

    Own grades that go up by b for a step of the others change by (b - 1) * m against them when those change by m.
    """
    from scipy.special import stdtrit

    sizes = np.array([float(each.size) for each in thirds])
    share = sizes / np.sum(sizes)
    change, moved = (float(share @ [each[at] for each in thirds]) for at in (0, 1))
    parts = share**2 * [each.variance for each in thirds]
    if float(parts.sum()) <= NOISE**2:
        return unknown._replace(note="not defined: the differences do not vary")
    freedom = float(parts.sum() ** 2 / (parts**2 / [each.freedom for each in thirds]).sum())
    error = math.sqrt(float(parts.sum()))
    ends = [change, *(change - (slope - 1) * moved for slope in (WEAKEST, STRONGEST))]
    reach = float(stdtrit(freedom, (1 + LEVEL) / 2)) * error
    certain = False
    if unknown.groups >= fewest:
        of_looks = float(stdtrit(freedom, (1 + _level_of_looks(unknown.groups, fewest)) / 2)) * error
        certain = min(ends) - of_looks > 0 or max(ends) + of_looks < 0
    clipped = np.clip([change, min(ends) - reach, max(ends) + reach], -largest, largest)
    change, low, high = clipped.tolist()
    return unknown._replace(change=change, low=low, high=high, is_certain=certain)
