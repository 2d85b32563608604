"""A plan from a simulation: topics, depth, budget, hours and money for a difference between runs that is to be seen."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Annotated, NamedTuple

import numpy as np

from workbench.analysis.simulating.collection import Collection
from workbench.analysis.simulating.simulate import Draws, Simulated, Truth, pool_to, replay_of, together
from workbench.campaign.pools.pace import ASSUMED_PER_HOUR, hours_for, measured_pace
from workbench.campaign.pools.plan import USUAL_DEPTHS
from workbench.core.errors import UnknownName
from workbench.core.results import Column
from workbench.core.wording import counted
from workbench.methods.measures.registry import BoundMeasure
from workbench.methods.statistics.all_pairs import of_pairs
from workbench.methods.statistics.power import sd_of_differences, topics_needed
from workbench.storage.campaign import Campaign

NUMBER, SEED = 100, 1
"""How many draws of topics, and their seed."""
ALPHA, POWER = 0.05, 0.8
ENOUGH = 0.95
"""The share of pairs of runs that has to come out in order."""


class Wanted(NamedTuple):
    """What is planned for: a difference, at a pace (judgments an hour, and where that is known from) and a price."""

    difference: float
    per_hour: float
    pace: str = "assumed"
    rate: float | None = None


def wanted_of(
    campaign: Campaign | None, difference: float, *, per_hour: float | None = None, rate: float | None = None
) -> Wanted:
    """What is wanted, at the pace that is given, else at that of the campaign's log, else at an assumed one."""
    if per_hour is not None:
        return Wanted(difference, per_hour, "as given", rate)
    pace = None if campaign is None else measured_pace(campaign)
    if pace is None:
        return Wanted(difference, ASSUMED_PER_HOUR, rate=rate)
    return Wanted(difference, pace.per_hour, f"as measured over {counted(pace.judgments, 'judgment')}", rate)


class Choice(NamedTuple):
    """A way to choose pairs that was good enough, and what it costs.

    Attributes:
        strategy: as it was written.
        depth: of the pools.
        budget: in percent of each topic's pool to this depth; None for the whole pool.
        topics: the planned number of topics.
        pairs_per_topic, pairs: to be judged of a topic, and in all.
        hours, money: what that takes; None where no price is known.
        in_order: the share of pairs of runs in order, the least of its replays.
    """

    strategy: str
    depth: int
    budget: Annotated[float | None, Column("Budget %", kind="size")]
    topics: int
    pairs_per_topic: Annotated[float, Column("Pairs a topic", kind="size")]
    pairs: int
    hours: Annotated[float, Column(kind="count")]
    money: Annotated[float | None, Column(kind="count")]
    in_order: Annotated[float, Column(kind="score")]


class Plan(NamedTuple):
    """How many topics, and the cheapest ways to choose pairs; `words` say what was measured."""

    topics: int
    choices: tuple[Choice, ...]
    words: tuple[str, ...]


def draws_for(collection: Collection, measure: BoundMeasure, difference: float) -> Draws:
    """The draws for a difference of a measure's means.

    UnknownName: the measure is not a mean over topics, there are fewer than two runs or topics, or half of the pairs of
    runs differ by the same on every topic.
    """
    if measure.is_count or measure.modifier("mean") not in {None, "arithmetic"}:
        message = (
            f"{measure} is not a mean over topics, so no number of topics follows; plan with another measure"
        )
        raise UnknownName(message)
    if min(collection.topics, collection.runs) < 2:
        raise UnknownName("a plan needs at least two runs and two topics that are judged")
    values = collection.values(collection.labels, measure)
    sd = float(np.median(of_pairs(sd_of_differences(values))))
    if round(sd, 9) == 0:
        message = f"half of the pairs of runs differ in {measure} by the same on every topic; nothing can be planned"
        raise UnknownName(message)
    topics = topics_needed(sd, difference, alpha=ALPHA, power=POWER)
    means = values.mean(axis=0)
    better, worse = np.nonzero(means[:, None] - means >= difference)
    rng = np.random.default_rng(SEED)
    shares = np.full(collection.topics, 1 / collection.topics)
    weights = rng.multinomial(topics, shares, NUMBER) / topics
    found = Draws(difference, topics, sd, weights, better, worse)
    return found._replace(whole=found.in_order(values))


def plan_of(
    collection: Collection, rows: Sequence[Simulated], truth: Truth, draws: Draws, wanted: Wanted
) -> Plan:
    """The cheapest pool to a depth, and the cheapest simulated budget, that keep ENOUGH pairs of runs in order."""
    pools = list(_pools(collection, truth))
    choices = [
        _cheapest([_choice(collection, row, depth, draws, wanted) for row, depth in ways])
        for ways in (pools, [(row, None) for row in rows])
    ]
    found = tuple(choice for choice in choices if choice is not None)
    return Plan(draws.topics, found, tuple(_words(collection, truth, draws, wanted, len(found))))


def _pools(collection: Collection, truth: Truth) -> Iterator[tuple[Simulated, int | None]]:
    """Whole pools to the usual depths."""
    for depth in (*(each for each in USUAL_DEPTHS if each < collection.depth), collection.depth):
        replay = replay_of(collection, pool_to(collection, depth), truth)
        yield together("depth", 100.0, [replay]), depth


def _choice(
    collection: Collection, row: Simulated, depth: int | None, draws: Draws, wanted: Wanted
) -> Choice | None:
    """What a row costs; None if it is not good enough."""
    shares = [replay.in_order for replay in row.replays if replay.in_order is not None]
    least = min(shares, default=0.0)
    if least < ENOUGH:
        return None
    each = row.judged / collection.topics
    pairs = math.ceil(each * draws.topics)
    hours = hours_for(pairs, wanted.per_hour)
    money = None if wanted.rate is None else hours * wanted.rate
    budget = row.budget if depth is None else None
    to_depth = depth or collection.depth
    return Choice(row.strategy, to_depth, budget, draws.topics, each, pairs, hours, money, least)


def _cheapest(choices: Sequence[Choice | None]) -> Choice | None:
    return min(
        (each for each in choices if each is not None),
        key=lambda each: (each.pairs, -each.in_order),
        default=None,
    )


def _words(collection: Collection, truth: Truth, draws: Draws, wanted: Wanted, choices: int) -> Iterator[str]:
    measure, runs = truth.measure, counted(collection.runs, "run")
    yield (
        f"{counted(draws.topics, 'topic')} show a difference of {draws.difference:g} in {measure} between two runs "
        f"with a power of {_percent(POWER)} (two-sided paired t-test at {ALPHA:g}), if the differences spread over "
        f"topics as those of these {runs} do: standard deviation {draws.sd:.3f}, the median of all pairs."
    )
    if draws.whole is None:
        yield (
            f"No two of these runs differ by {draws.difference:g} or more, so no strategy can be tried on it; plan for "
            "a smaller difference."
        )
        return
    yield (
        f"Tried on {NUMBER} draws of {draws.topics:,} of these {collection.topics:,} topics, with replacement: "
        f"{counted(len(draws.better), 'pair')} of runs differ by {draws.difference:g} or more over all topics and "
        f"whole pools; with whole pools {_percent(draws.whole)} of them come out in that order."
    )
    if not choices:
        yield (
            f"No depth or budget of this simulation keeps {_percent(ENOUGH)} of them in order; simulate larger budgets."
        )
        return
    money = "" if wanted.rate is None else f", money at {wanted.rate:,.4g} an hour"
    yield (
        f"The cheapest pool to a depth, and the cheapest simulated budget, with at least {_percent(ENOUGH)} in order "
        f"in every replay; hours at {wanted.per_hour:,.4g} judgments an hour ({wanted.pace}){money}."
    )


def _percent(share: float) -> str:
    return f"{round(100 * share, 1):g} %"
