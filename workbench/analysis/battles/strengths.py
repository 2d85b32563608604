"""The strengths of runs from battles, and what else battles show: position, ties, cycles, who judged."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from typing import Annotated, NamedTuple

import numpy as np

from workbench.core.battles import BOTH_BAD, CLASSES, LEFT, RIGHT, TIE, Battle
from workbench.core.errors import CampaignError, UnknownName
from workbench.core.results import HIDDEN, IN_JSON, Column
from workbench.core.seed import SEED
from workbench.core.wording import listed, none_such
from workbench.methods.battles import counts as counting
from workbench.methods.battles.counts import Counts, Reach
from workbench.methods.battles.davidson import fit
from workbench.methods.battles.intervals import (
    drawn_strengths,
    effective,
    estimates,
    half_width,
    rank_ranges,
    times_needed,
)
from workbench.methods.statistics.arrays import FloatArray
from workbench.methods.statistics.over_topics import Estimate

OUTCOME = {LEFT: 0, RIGHT: 1, TIE: 2, BOTH_BAD: 2}
"""What a winner counts as; of two bad ones none is preferred, as in a tie."""
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


class PositionEffect(NamedTuple):
    """How much the left side is preferred.

    Attributes:
        effect: log-odds of the left of two equal runs; None where it is left out.
        low, high: its interval over topics; None without one.
        note: why there is no effect or no interval.
    """

    effect: float | None
    low: float | None
    high: float | None
    note: str


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
        position: how much the left side is preferred.
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
    position: PositionEffect
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
        found = [
            each._replace(winner=each.criteria[criterion]) for each in found if criterion in each.criteria
        ]
    if not found:
        raise CampaignError(
            f"there are no battles of the class {listed(classes)}" if classes else "there are no battles"
        )
    return found


def strengths(
    battles: Sequence[Battle], *, position: bool = True, precision: float | None = None, seed: int = SEED
) -> Strengths:
    """The strengths of all runs in battles, by the model of Bradley and Terry with ties and a position effect.

    Raises CampaignError where battles do not connect all runs, or determine no strengths.
    """
    names, counts = counts_of(battles)
    _check_connected(names, counts)
    reach = counting.reach(counts)
    found, position_found, ranks, values = _estimated(counts, reach, position, np.random.default_rng(seed))
    cycles, classes = counting.cycles(counts), Counter(each.assessor_class for each in battles)
    runs = list(_runs(names, battles, reach, found, ranks))
    tied, both_bad = (
        sum(getattr(run, name) for run in runs) / 2 / len(battles) for name in ("tied", "both_bad")
    )
    return Strengths(
        tuple(sorted(runs, key=_place)),
        len(battles),
        counts.topics,
        {name: classes[name] for name in CLASSES if classes[name]},
        tied,
        both_bad,
        position_found,
        cycles.triples,
        cycles.cyclic,
        next((each.holds for each in found if each.holds), ""),
        None if precision is None else _plan(precision, found, counts.among(reach.finite), len(battles)),
        Changes(
            tuple(sorted({each.topic_id for each in battles})), tuple(compress(names, reach.finite)), values
        ),
    )


def counts_of(battles: Sequence[Battle]) -> tuple[list[str], Counts]:
    """The tags of the runs in order, and their battles as counts."""
    names = sorted({run for each in battles for run in (each.left_run, each.right_run)})
    run = {name: number for number, name in enumerate(names)}
    topic = {name: number for number, name in enumerate(sorted({each.topic_id for each in battles}))}
    rows = [
        (topic[each.topic_id], run[each.left_run], run[each.right_run], OUTCOME[each.winner])
        for each in battles
    ]
    return names, counting.counts_of(rows, len(names))


def _check_connected(names: Sequence[str], counts: Counts) -> None:
    group = counting.groups(counts)
    if group.max() == 0:
        return
    smallest = min(range(group.max() + 1), key=lambda each: ((group == each).sum(), each))
    apart, rest = (
        [name for name, each in zip(names, group == smallest, strict=True) if bool(each) == is_in]
        for is_in in (True, False)
    )
    raise CampaignError(
        f"no chain of battles leads from {listed(apart)} to {listed(rest)}, so that their strengths do not compare; "
        "add battles between them, or ask for each group by itself"
    )


Ranks = tuple[int, int] | tuple[None, None]


def _estimated(
    counts: Counts, reach: Reach, position: bool, rng: np.random.Generator
) -> tuple[list[Estimate], PositionEffect, list[Ranks], FloatArray]:
    """Strengths, position effect, ranks and changes by topic, by the battles between runs of finite strength."""
    found, ranks = [Estimate(None)] * counts.runs, list[Ranks]([(None, None)] * counts.runs)
    if not reach.finite.any():
        nothing = PositionEffect(None, None, None, "no two runs have finite strengths")
        return found, nothing, ranks, np.zeros((counts.topics, 0))
    inner = counts.among(reach.finite)
    fitted = fit(inner, position=position)
    if fitted is None:
        raise CampaignError("ties leave open which run is stronger; more battles with a winner are needed")
    of_runs, of_position, changes = estimates(inner, fitted)
    every = bool((reach.finite | reach.above | reach.below).all())
    drawn = drawn_strengths(fitted, changes, DRAWS, rng) if every else None
    places = np.flatnonzero(reach.finite).tolist()
    for run, estimate, rank in zip(places, of_runs, rank_ranges(drawn, len(places)), strict=True):
        found[run] = estimate
        if rank is not None:
            ranks[run] = (int(rank[0] + reach.above.sum()), int(rank[1] + reach.above.sum()))
    if of_position is None:
        return (
            found,
            PositionEffect(None, None, None, fitted.no_position or "left out as asked"),
            ranks,
            changes,
        )
    return found, PositionEffect(of_position.value, *_ends(of_position), of_position.note), ranks, changes


def _ends(estimate: Estimate) -> tuple[float | None, float | None]:
    return (None, None) if estimate.interval is None else estimate.interval


def _runs(
    names: Sequence[str],
    battles: Sequence[Battle],
    reach: Reach,
    found: Sequence[Estimate],
    ranks: Sequence[Ranks],
) -> Iterator[RunStrength]:
    ends = Counter[tuple[str, str]]()
    for (*sides, winner), times in Counter(
        (each.left_run, each.right_run, each.winner) for each in battles
    ).items():
        for side, run in enumerate(sides):
            ends[run, "tied" if OUTCOME[winner] == 2 else "won" if OUTCOME[winner] == side else "lost"] += (
                times
            )
            ends[run, BOTH_BAD] += times * (winner == BOTH_BAD)
    for place, (name, estimate, (best, worst)) in enumerate(zip(names, found, ranks, strict=True)):
        won, lost, tied, both_bad = (ends[name, kind] for kind in ("won", "lost", "tied", BOTH_BAD))
        limit, note = _limit(reach, place)
        low, high = _ends(estimate)
        number, note = won + lost + tied, note or estimate.note
        yield RunStrength(
            name,
            estimate.value,
            low,
            high,
            number,
            best,
            worst,
            won,
            lost,
            tied,
            both_bad,
            limit,
            note or estimate.note,
        )


def _limit(reach: Reach, run: int) -> tuple[str, str]:
    """What the strength of a run without a finite one grows to, and why; "" for a finite one."""
    if reach.finite[run]:
        return "", ""
    above, below = bool(reach.above[run]), bool(reach.below[run])
    if above == below:
        return "", "no strength: no chain of wins leads to it from a run of finite strength, or back"
    if above:
        return UP, "no finite strength: no run of finite strength beat or tied it, directly or through others"
    return DOWN, "no finite strength: it beat or tied no run of finite strength, directly or through others"


def _place(run: RunStrength) -> tuple[float, str]:
    """Where a run stands: the strongest first, those without a strength last."""
    limits = {UP: -math.inf, DOWN: math.inf, "": math.nan}
    level = limits[run.limit] if run.strength is None else -run.strength
    return (sys.float_info.max if math.isnan(level) else level, run.run)


def _plan(wanted: float, found: Sequence[Estimate], counts: Counts, number: int) -> BattlePlan:
    """How many battles it takes until no interval reaches further than `wanted` to both sides."""
    topics = effective(counts.by_topic())
    halves = [half_width(each) for each in found if each.value is not None]
    if not halves or math.isinf(max(halves)):
        return BattlePlan(wanted, None, None, None)
    needs = [times_needed(half, count, wanted) for half, count in zip(halves, topics.tolist(), strict=True)]
    if None in needs:
        return BattlePlan(wanted, max(halves), None, None)
    times = max(each for each in needs if each is not None)
    return BattlePlan(wanted, max(halves), math.ceil(times * number), math.ceil(times * counts.topics))
