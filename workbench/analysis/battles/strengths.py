"""The strengths of runs from battles, and what else battles show: position, ties, cycles, who judged."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import compress
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.battles.coded import Coded
from workbench.core.battles import CLASSES, OUTCOMES, Battle
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.results import HIDDEN, IN_JSON, Column
from workbench.core.seed import SEED
from workbench.core.wording import listed, none_such
from workbench.jobs.observing import observed_rows
from workbench.methods.battles import counts as counting
from workbench.methods.battles.counts import Counts, Reach
from workbench.methods.battles.davidson import Fit, fit, without_each_topic
from workbench.methods.battles.intervals import (
    HELD,
    drawn_strengths,
    effective,
    estimates,
    half_width,
    rank_ranges,
    times_needed,
)
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.over_topics import Estimate

MOST_RUNS = 1000
"""With more, leaving out topics takes minutes and gigabytes."""
DRAWS = 1000
UP, DOWN = "inf", "-inf"
SHOWN = ("run", "strength", "low", "high", "battles")


class RunStrength(NamedTuple):
    """A run in battles.

    Attributes:
        run: its tag.
        strength: in log-odds; the mean of all is 0. None where it is not finite, or not known.
        low, high: its interval over topics; None without one.
        battles: how many it was in.
        best_rank, worst_rank: its ranks in 95 % of the draws when topics are drawn again, which is no confidence
            interval; None where there are none.
        won, lost, tied: how they ended.
        both_bad: of the tied ones, those with two bad sides.
        limit: what the strength grows to where it is not finite, inf or -inf.
        note: why it has no strength or no interval.
    """

    run: Annotated[str, Column("Run")]
    strength: Annotated[float | None, Column(kind="signed")]
    low: Annotated[float | None, Column(kind="signed")]
    high: Annotated[float | None, Column(kind="signed")]
    battles: int
    best_rank: Annotated[int | None, Column("Ranks from")]
    worst_rank: Annotated[int | None, Column("To")]
    won: int
    lost: int
    tied: int
    both_bad: int
    limit: Annotated[str, IN_JSON]
    note: Annotated[str, IN_JSON]


class BattlePlan(NamedTuple):
    """How many battles make the widest interval as narrow as is wanted.

    Attributes:
        half_width: what is wanted.
        now: half the width of the widest interval; None without one.
        battles: how many in all it takes on further topics with as many each; None for far too many.
        topics: how many topics these are.
    """

    half_width: float
    now: float | None
    battles: int | None
    topics: int | None


class Changes(NamedTuple):
    """What leaving out each topic takes from the strengths, float64 (topics, runs), of runs with finite ones."""

    topics: tuple[str, ...]
    runs: tuple[str, ...]
    values: FloatArray


class Strengths(NamedTuple):
    """What battles say of runs.

    Attributes:
        runs: the strongest first.
        battles, topics: how many there are.
        classes: battles by class of assessors.
        tied: the share of ties, those with two bad sides too.
        both_bad: the share of battles with two bad sides.
        position: log-odds of the left one of two equal runs; no value where it is left out.
        triples: triples of runs with a majority for each pair.
        cycles: of them those in which a beats b, b beats c and c beats a.
        holds: in how many simulations such intervals held the truth; "" without any.
        plan: what the precision that was asked for takes, if one was.
    """

    runs: tuple[RunStrength, ...]
    battles: int
    topics: int
    classes: dict[str, int]
    tied: float
    both_bad: float
    position: Estimate
    triples: int
    cycles: int
    holds: str
    plan: BattlePlan | None
    changes: Annotated[Changes, HIDDEN]


def chosen(battles: Iterable[Battle], classes: Sequence[str] = (), criterion: str = "") -> list[Battle]:
    """The battles of these classes of assessors, won by a criterion if one is named.

    Raises UnknownName for a criterion that no battle has, and CampaignError where no battle is left.
    """
    found = [each for each in battles if not classes or each.assessor_class in classes]
    if criterion:
        known = sorted({name for each in found for name in each.criteria})
        if criterion not in known:
            raise UnknownName(none_such("criterion", criterion, known) if known else "no battle has criteria")
        won = ((each, each.criteria.get(criterion)) for each in found)
        found = [each._replace(winner=winner) for each, winner in won if winner]
    if not found:
        of = f" of the class {listed(classes)}" if classes else ""
        raise CampaignError(f"there are no battles{of}")
    return found


def strengths(
    battles: Coded, *, position: bool = True, precision: float | None = None, seed: int = SEED
) -> Strengths:
    """The strengths of all runs in battles, by the model of Bradley and Terry with ties and a position effect.

    Raises CampaignError where there are too many runs, battles do not connect them all, or determine no strengths.
    """
    names, number = battles.runs, len(battles.topic)
    if len(names) > MOST_RUNS:
        raise CampaignError(
            f"there are battles of {len(names):,} runs; at most {MOST_RUNS:,} are compared: choose among them"
        )
    rows = np.stack([battles.topic, battles.left, battles.right, battles.outcome], axis=1)
    counts = counting.counts_of(rows, len(names))
    _check_connected(names, counts)
    reach, (triples, cycles) = counting.reach(counts), counting.cycles(counts)
    inner, finite = counts.among(reach.finite), list(compress(names, reach.finite))
    fitted, found, effect, changes = _estimated(inner, position)
    drawn = None
    if fitted is not None and (reach.finite | reach.above | reach.below).all():
        drawn = drawn_strengths(fitted, changes, DRAWS, np.random.default_rng(seed))
    known = dict(zip(finite, zip(found, rank_ranges(drawn, len(finite)), strict=True), strict=True))
    ends = np.bincount(battles.winner, minlength=len(OUTCOMES)) / number
    by_class = np.bincount(battles.kind, minlength=len(CLASSES)).tolist()
    return Strengths(
        runs=tuple(sorted(_runs(battles, reach, known), key=_place)),
        battles=number,
        topics=counts.topics,
        classes={name: of for name, of in zip(CLASSES, by_class, strict=True) if of},
        tied=float(ends[2:].sum()),
        both_bad=float(ends[3]),
        position=effect,
        triples=triples,
        cycles=cycles,
        holds=HELD if any(each.interval for each in found) else "",
        plan=None if precision is None else _plan(precision, found, inner, number),
        changes=Changes(tuple(battles.topics), tuple(finite), changes),
    )


def _check_connected(names: Sequence[str], counts: Counts) -> None:
    group = counting.groups(counts).tolist()
    if len(set(group)) == 1:
        return
    smallest = min(sorted(set(group)), key=group.count)
    apart, rest = (
        [name for name, each in zip(names, group, strict=True) if (each == smallest) is is_in]
        for is_in in (True, False)
    )
    raise CampaignError(
        f"no chain of battles leads from {listed(apart)} to {listed(rest)}, so that their strengths do not compare; "
        "add battles between them, or ask for each group by itself"
    )


def _estimated(counts: Counts, position: bool) -> tuple[Fit | None, list[Estimate], Estimate, FloatArray]:
    """The battles between runs of finite strength: the fit, strengths and position effect with intervals, and what
    leaving out each topic takes from strengths, float64 (topics, runs).
    """
    if not counts.runs:
        nothing = Estimate(None, None, "no two runs have finite strengths")
        return None, [], nothing, np.zeros((counts.topics, 0))
    found = fit(counts, position=position)
    if found is None:
        raise CampaignError("ties leave open which run is stronger; more battles with a winner are needed")
    leaving = observed_rows(without_each_topic(counts, found), counts.topics, "Leaving out topics")
    changes = np.array(list(leaving))
    every, left_out = estimates(counts, found, changes), found.no_position or "left out as asked"
    effect = Estimate(None, None, left_out) if found.position is None else every[counts.runs]
    return found, every[: counts.runs], effect, changes[:, : counts.runs]


NO_STRENGTH = {
    UP: "no finite strength: no run of finite strength beat or tied it, directly or through others",
    DOWN: "no finite strength: it beat or tied no run of finite strength, directly or through others",
    "": "no strength: no chain of wins leads to it from a run of finite strength, or back",
}
"""Why a run has none, by what it grows to."""


def _runs(
    battles: Coded, reach: Reach, known: Mapping[str, tuple[Estimate, tuple[int, int] | None]]
) -> Iterator[RunStrength]:
    """All runs, with the strengths and ranks of those that are known."""
    number, ahead = len(battles.runs), int(reach.above.sum())
    as_left, as_right = (
        np.bincount(side * 4 + battles.winner, minlength=4 * number).reshape(number, 4)
        for side in (battles.left, battles.right)
    )
    ends = as_left + as_right[:, [1, 0, 2, 3]]
    ends[:, 2] += ends[:, 3]
    limits = np.where(reach.above, UP, np.where(reach.below, DOWN, "")).tolist()
    for name, limit, (won, lost, tied, both_bad) in zip(battles.runs, limits, ends.tolist(), strict=True):
        nothing = Estimate(None, None, NO_STRENGTH[limit]), None
        (value, interval, note, _), ranks = known.get(name, nothing)
        low, high = interval or (None, None)
        best, worst = (ahead + ranks[0], ahead + ranks[1]) if ranks else (None, None)
        yield RunStrength(
            name, value, low, high, won + lost + tied, best, worst, won, lost, tied, both_bad, limit, note
        )


def _place(run: RunStrength) -> tuple[bool, float, str]:
    """Where a run stands: the strongest first, those of which no strength is known last."""
    level = run.limit or run.strength
    return (level is None, -float(level or 0), run.run)


def _plan(wanted: float, found: Sequence[Estimate], counts: Counts, number: int) -> BattlePlan:
    """How many battles it takes until no interval reaches further than `wanted` to both sides."""
    topics = effective(counts.by_topic())
    halves = [half_width(each) for each in found if each.value is not None]
    if not halves or math.isinf(max(halves)):
        return BattlePlan(wanted, None, None, None)
    times = [times_needed(half, count, wanted) for half, count in zip(halves, topics.tolist(), strict=True)]
    most = max(times)
    needed = (None, None) if math.isinf(most) else (math.ceil(most * number), math.ceil(most * counts.topics))
    return BattlePlan(wanted, max(halves), *needed)
