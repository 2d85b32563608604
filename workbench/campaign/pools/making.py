"""Making pools: a strategy chooses pairs from the runs' rankings; the campaign keeps those that are new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np

from workbench.campaign.near_duplicates import OnTopic, find_near_duplicates
from workbench.campaign.pools.chances import SEQUENTIAL, refuse_used_seed, same_order
from workbench.campaign.pools.choosing import choose_next
from workbench.campaign.pools.growth import Growth, MuchLarger
from workbench.campaign.pools.listing import pairs_without_runs
from workbench.campaign.pools.material import Planner, planner_of
from workbench.campaign.pools.texts import refuse_without_texts
from workbench.core.errors import CampaignError, NotThere
from workbench.core.ranking import Rankings
from workbench.core.records import Pooled
from workbench.core.values import LARGEST_INTEGER
from workbench.core.wording import listed, none_such
from workbench.methods.pooling import ORDERS, STRATEGIES, PoolPairs, Strategy, make_pool, needs
from workbench.methods.pooling.registry import candidates
from workbench.methods.pooling.strategies.fused import runs_without_scores
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools, rounds, runs


class MadePool(NamedTuple):
    """A pool as it is stored; how many pairs it has, those included that were pooled before, and in how many topics."""

    pool: pools.StoredPool
    pairs: int
    topics: int


def add_pool(
    campaign: Campaign,
    *,
    strategy: str = "depth",
    ties: str = "descending",
    tags: Sequence[str] | None = None,
    viewing: str | None = None,
    viewing_seed: int | None = None,
    residual: bool = False,
    much_larger: bool = True,
    actor: str,
    now: datetime | None = None,
    on_topic: OnTopic | None = None,
    **parameters: Any,
) -> MadePool:
    """Pool runs; pairs that are pooled already stay with the pool that brought them in.

    With strategy "list" the pairs are named, whether or not a run has them: `pairs=["1 d1"], found_by="search"`.

    An adaptive pool begins with its burn-in, and with the first documents that it chooses for each topic.

    Near duplicates are looked for among the topics' pooled documents whose texts are there.

    Args:
        campaign: an open campaign with runs.
        strategy: a name in the registry of pooling strategies.
        ties: the order of documents with equal scores, by document id: descending, as when scoring, or ascending.
        tags: the runs to draw on, by tag or pattern (`bm25-*`); None for all of the open round that contribute.
        viewing: the order in which an assessor sees a topic's pairs; it holds for the pairs of earlier pools too,
            so None leaves it as it is: that of the newest pool, "shuffle" for the first one.
        viewing_seed: what the shuffled viewing order depends on, besides the assessor; None as for `viewing`, at
            first 0.
        residual: whether the pairs judged before the open round are taken out of the rankings first.
        much_larger: whether it may make the campaign's pools much larger; an adaptive pool grows only later.
        actor: who makes the pool, for the log.
        now: the time to record.
        on_topic: called as near duplicates are looked for in each topic.
        parameters: those of the strategy: how many documents of each ranking go into the pool, `depth=20`.

    Raises:
        CampaignError: there is no run to pool, the seed has more than 64 bits, the strategy uses texts that the
            campaign does not hold (see `ask_for_texts`), or it draws by a seed that another order used up.
        MuchLarger: the pool would make those before it much larger, and may not.
        NotThere: a tag is unknown, or that of a withdrawn run that is none of the order the pool goes on in.
        UnknownName: a strategy or order that does not exist, or a parameter that the strategy does not have, needs,
            or does not take with this value.
    """
    with campaign.write():
        made = store_pool(
            campaign,
            strategy=strategy,
            ties=ties,
            tags=tags,
            viewing=viewing,
            viewing_seed=viewing_seed,
            residual=residual,
            much_larger=much_larger,
            actor=actor,
            now=now,
            **parameters,
        )
    return begin_judging(campaign, made, now=now, on_topic=on_topic)


def store_pool(
    campaign: Campaign,
    *,
    strategy: str,
    ties: str = "descending",
    tags: Sequence[str] | None = None,
    viewing: str | None = None,
    viewing_seed: int | None = None,
    residual: bool = False,
    much_larger: bool = True,
    actor: str,
    now: datetime | None = None,
    **parameters: Any,
) -> MadePool:
    """Pool runs inside the open write transaction; arguments and errors as in `add_pool`.

    Then `begin_judging` has to follow.
    """
    viewing, seed = _viewing(campaign, viewing, viewing_seed)
    found = STRATEGIES.find(strategy)
    parameters = found.check(parameters)
    only = residual_round(campaign, found) if residual else None
    drawn, vocabularies = (
        _drawn_from(campaign, found, parameters, ties, tags, only),
        runs.vocabularies(campaign),
    )
    topic_ids = drawn.topic_ids
    chosen = make_pool(drawn.rankings, strategy=strategy, ties=ties, **parameters)
    of_runs = name_pairs(chosen, topic_ids, vocabularies)
    others = pairs_without_runs(found, parameters, map(itemgetter(0, 1), of_runs), topic_ids)
    named = sorted([*of_runs, *others])
    known = set(pools.all_pairs(campaign))
    pairs = [pair for pair in named if pair[:2] not in known]
    growth = Growth(len(known), len(pairs))
    if growth.is_much_larger and not much_larger:
        raise MuchLarger(growth)
    documents.put_ids(campaign, sorted({pair.document_id for pair in pairs}))
    if found.kind == "adaptive":  # whatever it may choose needs its text by then
        reached = _reached(found, parameters, drawn, vocabularies)
        refuse_without_texts(campaign, found, reached)
        documents.put_ids(campaign, sorted(reached))
    record = pools.PoolRecord(strategy, parameters, ties, drawn.tags, viewing, seed, only)
    refuse_used_seed(campaign, record)
    stored = pools.put_pool(campaign, record, pairs, actor=actor, now=now)
    return MadePool(stored, len(named), len({pair.topic_id for pair in named}))


def begin_judging(
    campaign: Campaign, made: MadePool, *, now: datetime | None = None, on_topic: OnTopic | None = None
) -> MadePool:
    """Let an adaptive pool choose its first documents, and look for near duplicates in what is pooled."""
    stored = made.pool
    choices = [choice for choice in choose_next(campaign, now=now) if choice.pool == stored.pool]
    find_near_duplicates(campaign, on_topic=on_topic)
    chosen = sum(len(choice.pairs) for choice in choices)
    return made._replace(pool=stored._replace(chosen=chosen))


def refuse_without_scores(
    strategy: Strategy, rankings: Rankings, stored_runs: Sequence[runs.StoredRun]
) -> None:
    """CampaignError where a strategy that adds up scores would draw on runs that have none worth the name."""
    if strategy.uses_scores and (lacking := runs_without_scores(rankings)):
        tags = listed([stored_runs[run].record.tag for run in lacking])
        message = (
            f"{strategy.name} needs the scores of the runs, and {tags} {'has' if len(lacking) == 1 else 'have'} equal "
            "scores throughout; name the other runs (--runs TAG,...), or choose rrf or borda, which need ranks"
        )
        raise CampaignError(message)


def ask_for_texts(
    campaign: Campaign,
    *,
    strategy: str,
    ties: str = "descending",
    tags: Sequence[str] | None = None,
    residual: bool = False,
    **parameters: Any,
) -> None:
    """Before a pool whose strategy uses texts: note that those of its candidates are wanted; for others nothing.

    Arguments and errors as in `add_pool`; also CampaignError where too few of the texts are in the campaign or in its
    recorded sources.
    """
    found = STRATEGIES.find(strategy)
    if found.uses_texts:
        with campaign.write():
            parameters = found.check(parameters)
            only = residual_round(campaign, found) if residual else None
            drawn = _drawn_from(campaign, found, parameters, ties, tags, only)
            reached = _reached(found, parameters, drawn, runs.vocabularies(campaign))
            refuse_without_texts(campaign, found, reached, recorded=True)
            documents.put_ids(campaign, sorted(reached))


class _DrawnFrom(NamedTuple):
    """The rankings that a pool draws on, the tags of its runs, and the topics of the campaign."""

    rankings: Rankings
    tags: tuple[str, ...]
    topic_ids: list[str]


def _drawn_from(
    campaign: Campaign,
    strategy: Strategy,
    parameters: Mapping[str, Any],
    ties: str,
    tags: Sequence[str] | None,
    only: str | None,
) -> _DrawnFrom:
    """What a pool with checked parameters draws on; without the pairs judged before the round `only`."""
    # A plan that was looked at has read them: `make_pool` puts equal scores into the order of `ties`.
    needed = needs(strategy.name, ties, parameters)
    asked = pools.PoolRecord(strategy.name, dict(parameters), ties, (), "", 0, only)
    planner, tags = planner_for(campaign, asked, tags)
    stored = planner.rankings(campaign, "descending", needed, only)
    indices = run_indices(campaign, stored.runs, tags, needed=strategy.listed is None)
    rankings = stored.rankings.of_runs(indices)
    refuse_without_scores(strategy, rankings, stored.runs)
    return _DrawnFrom(rankings, tuple(stored.runs[index].record.tag for index in indices), stored.topic_ids)


def planner_for(
    campaign: Campaign, asked: pools.PoolRecord, tags: Sequence[str] | None
) -> tuple[Planner, Sequence[str] | None]:
    """What has the rankings that a pool draws on, and the runs to draw on; errors as in `run_indices`.

    A pool that goes on in a random order draws on all runs of the order, those withdrawn since included: without them
    it would be another order, by chances of which judgments have told something.

    Args:
        campaign: an open campaign.
        asked: the pool, whatever its runs.
        tags: the runs that were asked for, as in `add_pool`.
    """
    in_force = {run.record.tag for run in runs.in_force(campaign)}
    for order in pools.in_force(campaign) if asked.strategy == SEQUENTIAL else ():
        drawn_on = order.record.runs
        out = set(drawn_on) - in_force
        if out and same_order(order.record, asked._replace(runs=drawn_on)):
            there = runs.in_force(campaign, also=drawn_on)
            chosen = {there[at].record.tag for at in run_indices(campaign, there, tags, needed=False)}
            if chosen | out == set(drawn_on):
                return Planner(also=out), drawn_on
    return planner_of(campaign), tags


def _reached(
    strategy: Strategy,
    parameters: Mapping[str, Any],
    drawn: _DrawnFrom,
    vocabularies: Mapping[str, Sequence[str]],
) -> set[str]:
    """The ids of all candidates."""
    pairs = candidates(drawn.rankings.to_depth(strategy.deepest(parameters, runs.LARGEST_DEPTH)))
    found: set[str] = set()
    for topic in np.unique(pairs.topic).tolist():
        vocabulary = vocabularies[drawn.topic_ids[topic]]
        found.update(vocabulary[number] for number in pairs.document[pairs.topic == topic].tolist())
    return found


def residual_round(campaign: Campaign, strategy: Strategy) -> str:
    """The open round, before which judged pairs are taken out; CampaignError for a strategy that names its pairs."""
    if strategy.listed is not None:
        message = f"{strategy.name} pools the pairs that are named, so none are taken out; leave residual out"
        raise CampaignError(message)
    return rounds.all_rounds(campaign)[-1].name


def _viewing(campaign: Campaign, viewing: str | None, seed: int | None) -> tuple[str, int]:
    """The viewing order and seed that were asked for, checked, or those in force."""
    made = pools.in_force(campaign)
    before = (made[-1].record.viewing, made[-1].record.seed) if made else ("shuffle", 0)
    viewing = before[0] if viewing is None else viewing
    seed = before[1] if seed is None else seed
    ORDERS.find(viewing)
    if abs(seed) > LARGEST_INTEGER:
        message = f"seed is {seed}; it must be at most {LARGEST_INTEGER}"
        raise CampaignError(message)
    return viewing, seed


def named_runs(text: str) -> list[str] | None:
    """The tags or patterns in a text, separated by commas or line ends; None, for the usual runs, when it is blank."""
    tags = [tag for tag in map(str.strip, text.replace("\n", ",").split(",")) if tag]
    return tags if text.strip() else None


def run_indices(
    campaign: Campaign,
    in_force: Sequence[runs.StoredRun],
    tags: Sequence[str] | None,
    *,
    needed: bool = True,
) -> list[int]:
    """The places of the runs that a pool draws on among those in force; arguments and errors as in `add_pool`.

    None is not `needed` where the strategy names pairs that no run has.
    """
    index_of = {run.record.tag: index for index, run in enumerate(in_force)}
    if tags is None:
        return _contributing(campaign, in_force, needed)
    found = {tag: _matching(tag, index_of) for tag in tags}
    unknown = [tag for tag, indices in found.items() if not indices]
    if not tags:
        message = "no run was chosen; name at least one, or none of them to pool all that contribute"
        raise CampaignError(message)
    if unknown:
        raise NotThere(_why_not(campaign, unknown, list(index_of)))
    return sorted({index for indices in found.values() for index in indices})


def _contributing(campaign: Campaign, in_force: Sequence[runs.StoredRun], needed: bool) -> list[int]:
    """The places of the open round's runs that contribute; CampaignError where one is needed and there is none."""
    at = rounds.all_rounds(campaign)[-1]
    found = [index for index, run in enumerate(in_force) if run.record.contributes and at.has(run)]
    if needed and not found:
        where, way_out = (
            (f" in round {at.name}", ", or name runs of earlier rounds") if at.opened else ("", "")
        )
        why = ""
        if in_force and not at.opened:
            why, way_out = " by default", ", or name those that do not contribute: --runs TAG,..."
        elif not in_force and runs.all_runs(campaign):
            why = " (all are withdrawn)"
            way_out = f", or restore one: workbench withdraw {campaign.command_name} RUN --restore"
        message = (
            f"there are no runs to pool{where}{why}; "
            f"add some: workbench add runs {campaign.command_name} FILE...{way_out}"
        )
        raise CampaignError(message)
    return found


def _why_not(campaign: Campaign, unknown: Sequence[str], known: list[str]) -> str:
    """Why no run in force is called so: perhaps because it was withdrawn."""
    out = {run.record.tag for run in runs.all_runs(campaign)}.intersection(unknown)
    if out:
        return f"{listed(sorted(out))}: withdrawn, so no pool draws on it before it is restored"
    return none_such("run", unknown, known, of=campaign.name, shown=25)


def _matching(tag: str, index_of: dict[str, int]) -> list[int]:
    """The run of that tag, or else all that match a pattern such as `bm25-*`."""
    if tag in index_of:
        return [index_of[tag]]
    return [index for other, index in index_of.items() if fnmatchcase(other, tag)]


def name_pairs(
    pairs: PoolPairs, topic_ids: Sequence[str], vocabularies: Mapping[str, Sequence[str]]
) -> list[Pooled]:
    """The pairs with their ids instead of numbers, in byte order of topic and document."""
    return list(map(Pooled._make, sorted(named_rows(pairs, topic_ids, vocabularies))))


def named_rows(
    pairs: PoolPairs, topic_ids: Sequence[str], vocabularies: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Any, ...]]:
    """The same as plain tuples with the columns of Pooled, in the order of `pairs`."""
    topics, numbers, *rest = (column.tolist() for column in pairs)
    named = [topic_ids[topic] for topic in topics]
    documents = [vocabularies[topic_id][number] for topic_id, number in zip(named, numbers, strict=True)]
    return zip(named, documents, *rest, strict=True)
