"""What the pool page says: where the pool stands, what it would be, and how long that takes, in sentences."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any, NamedTuple

from workbench import __version__
from workbench.campaign.adaptive_pools import is_adaptive
from workbench.campaign.pools.pace import MeasuredPace, Work, end_of, hours_for
from workbench.campaign.pools.plan import MORE_RANKS, USUAL_DEPTHS, DepthPlan, PoolPlan
from workbench.core.wording import capital, counted, listed, weekday
from workbench.methods.pairing import PAIRINGS
from workbench.methods.pooling import STRATEGIES, in_words
from workbench.storage.campaign.collection.pools import StoredPool


class DepthRow(NamedTuple):
    """A line of the table of depths: the plan at a depth, hours of work and the day it ends; the one asked for."""

    plan: DepthPlan
    hours: str
    end: str
    is_chosen: bool


class PoolGrowth(NamedTuple):
    """A pool, and how many pairs it and those before it have brought in, those retired before it left out."""

    pool: StoredPool
    total: int

    @property
    def parameters(self) -> str:
        """Its strategy's parameters in a sentence."""
        record = self.pool.record
        entry = PAIRINGS.get(record.strategy)
        return entry.words(record.parameters) if entry else in_words(record.strategy, record.parameters)


def growth(made: Sequence[StoredPool]) -> list[PoolGrowth]:
    """The pools with what they add up to."""
    return [
        PoolGrowth(
            pool,
            sum(each.brought for each in made[:number] if each.retired is None or each.retired > pool.seq),
        )
        for number, pool in enumerate(made, 1)
    ]


def of_pools(made: Sequence[StoredPool]) -> tuple[str, ...]:
    """What there is to say about the pools that are in force."""
    there = [pool for pool in made if pool.retired is None]
    unknown = [pool for pool in there if pool.record.strategy not in {*STRATEGIES, *PAIRINGS}]
    choosing = [str(pool.pool) for pool in there if is_adaptive(pool)]
    said = [
        f"Pool {pool.pool} was made with the strategy “{pool.record.strategy}”, which workbench {__version__} does not "
        f"have: it needs {pool.record.plugin and 'plugin '}{pool.record.plugin or 'a newer version or a plugin'}. "
        "Its pairs are judged, scored and exported as they are, and it can be retired. Estimates from it, further "
        "choices and the audit need the version that made it."
        for pool in unknown
    ]
    if len(choosing) > 1:
        said.append(
            f"Pools {listed(choosing)} choose documents while they are judged, each up to a budget of its own: "
            "together they may grow to the sum of their budgets. Retire those that should stop."
        )
    return tuple(said)


def depth_rows(plan: PoolPlan, work: Work, today: date) -> list[DepthRow]:
    """The table of depths."""
    rows = []
    for each in plan.by_depth:
        is_chosen = each.depth == plan.depth
        at = plan.at_depth if is_chosen else each
        end = end_of(at.to_judge, work, today)
        rows.append(DepthRow(at, hours(at.to_judge, work), weekday(end) if end else "—", is_chosen))
    return rows


def words_of(plan: PoolPlan, work: Work, pace: MeasuredPace | None, today: date) -> dict[str, Any]:
    """All sentences; without a `pace` the one of `work` is assumed."""
    return {
        "current": current(plan),
        "plan": would_be(plan),
        "time": time_needed(plan, work, pace, today),
        "more": more(plan, work),
        "precision": plan.precision_words or plan.choice_words,
    }


def advice(plan: PoolPlan, work: Work | None) -> dict[str, str]:
    """What stands beside depth and budget: pairs, also of each topic, and hours where the pace is known (`work`)."""
    topics = max(1, sum(row.pairs > 0 for row in plan.by_topic))
    deepest = len(plan.candidates) - 1
    depth = min(plan.parameters.get("depth", MORE_RANKS), deepest)
    deeper = next((min(each, deepest) for each in USUAL_DEPTHS if each > depth), deepest)
    there, more = int(plan.candidates[depth]), int(plan.candidates[deeper])

    def cost(pairs: int) -> str:
        time = f", {hours(pairs, work)} hours" if work else ""
        return f"{counted(pairs, 'pair')} ({pairs / topics:,.0f} per topic{time})"

    then = f"; {deeper:,} makes {cost(more)}" if deeper > depth else "; no ranking is longer"
    by_depth = f"Depth {depth:,} makes {cost(there)}{then}."
    whole = plan.total >= there
    by_budget = f"All are judged; a tenth is {cost(round(there / 10))}." if whole else f"{cost(plan.total)}."
    return {"depth": by_depth, "strata": by_depth, "budget": by_budget}


def current(plan: PoolPlan) -> str:
    """What is pooled and judged now."""
    if not plan.before:
        return "No pool yet."
    topics = sum(row.before > 0 for row in plan.by_topic)
    judged = plan.before - plan.waiting
    pooled = f"{counted(plan.before, 'pair')} in {counted(topics, 'topic')} {are(plan.before)} pooled"
    if plan.before == 1:
        return f"{pooled}, and {'judged' if judged else 'not yet judged'}."
    return f"{pooled}; {judged:,} of them {are(judged)} judged."


def would_be(plan: PoolPlan) -> str:
    """The pool that is asked for."""
    at, topics = plan.at_depth, sum(row.pairs > 0 for row in plan.by_topic)
    over = f"{capital(plan.how)} over {counted(len(plan.tags), 'run')}"
    if not plan.before:
        return f"{over} the pool would have {counted(at.pairs, 'pair')} in {counted(topics, 'topic')}."
    if not at.new:
        return f"{over} a pool has {counted(at.pairs, 'pair')}, all of which are already pooled."
    already = plan.pooled_already
    known = f"{already:,} of them already pooled" if already else "none of them pooled yet"
    return (
        f"{over} a pool has {counted(at.pairs, 'pair')}, {known}: "
        f"it would grow by {at.new:,}, from {plan.before:,} to {plan.before + at.new:,}."
    )


def time_needed(plan: PoolPlan, work: Work, pace: MeasuredPace | None, today: date) -> str:
    """How long everything that is open then takes."""
    pairs = plan.at_depth.to_judge
    if not pairs:
        return "No pairs would be left to judge."
    how = (
        f"an assumed {work.per_hour:,.4g} per hour"
        if pace is None
        else f"the pace of {work.per_hour:,.4g} per hour over {counted(pace.judgments, 'judgment')} so far"
    )
    people = counted(work.assessors, "assessor")
    end = end_of(pairs, work, today)
    when = f"done on {weekday(end)}" if end else "no end date can be computed"
    return (
        f"{counted(pairs, 'pair')} {are(pairs)} left to judge: {hours(pairs, work)} hours at {how}; "
        f"{when} with {people} working {work.hours_per_day:g} hours a day, Monday to Friday."
    )


def more(plan: PoolPlan, work: Work) -> tuple[str, ...]:
    """What ten more ranks and one more run would cost; nothing is known of that where a pool has no depth."""
    if plan.depth is None:
        return ()
    return tuple(filter(None, (_more_ranks(plan, plan.depth, work), _more_runs(plan, work))))


def _more_ranks(plan: PoolPlan, depth: int, work: Work) -> str:
    if depth >= plan.deepest:
        return (
            f"The longest ranking has {counted(plan.deepest, 'document')}: a deeper pool would add nothing."
        )
    now, then = plan.at(depth), plan.at(depth + MORE_RANKS)
    extra = then.to_judge - now.to_judge
    return (
        f"Ten more ranks, depth {then.depth:,}, would add {counted(then.pairs - now.pairs, 'pair')}; "
        f"{extra:,} more to judge, {hours(extra, work)} hours."
    )


def _more_runs(plan: PoolPlan, work: Work) -> str:
    alone = [run.alone for run in plan.by_run]
    if len(alone) < 2:
        return ""
    mean = round(sum(alone) / len(alone))
    return (
        f"One more run like these would add about {counted(mean, 'pair')}, {hours(mean, work)} hours: "
        f"the current runs have from {min(alone):,} to {max(alone):,} unique pairs each."
    )


def hours(pairs: int, work: Work) -> str:
    """Hours of one person, with a decimal where they are few."""
    value = hours_for(pairs, work.per_hour)
    return f"{value:,.1f}" if value < 10 else f"{value:,.0f}"


def are(number: int) -> str:
    """The verb to a number."""
    return "is" if number == 1 else "are"
