"""Making pools: a strategy chooses pairs from the runs' rankings; the campaign keeps those that are new."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

from workbench.campaign import questions
from workbench.campaign.near_duplicates import OnTopic, find_near_duplicates
from workbench.campaign.pools.candidates import refuse_without_texts
from workbench.campaign.pools.choosing import choose_next
from workbench.campaign.pools.listing import pairs_without_runs
from workbench.campaign.pools.material import Planner, known_by_old_ids, planner_of
from workbench.campaign.pools.pairing import followed_seed, refuse_none
from workbench.campaign.pools.refusals import SEQUENTIAL, Growth, MuchLarger, same_order, why_refused
from workbench.core.about import DOCUMENTS
from workbench.core.errors import CampaignError, NotThere
from workbench.core.ranking import Rankings
from workbench.core.records import Pooled
from workbench.core.values import LARGEST_INTEGER
from workbench.core.wording import listed, none_such
from workbench.methods.pairing import PAIRINGS
from workbench.methods.pooling import ORDERS, STRATEGIES, TIES, Needs, PoolPairs, Strategy, make_pool, needs
from workbench.methods.pooling.registry import candidates
from workbench.methods.pooling.strategies.fused import runs_without_scores
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pooled_units, pools, rounds, runs
from workbench.storage.campaign.collection.pairs import is_of_pairs
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.collection.rankings import StoredRankings


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
    on_topic: OnTopic | None = None,
    **parameters: Any,
) -> MadePool:
    """Pool runs; pairs that are pooled already stay with the pool that brought them in.

    With strategy "list" the pairs are named, whether or not a run has them: `pairs=["1 d1"], found_by="search"`. An
    adaptive pool begins with its burn-in, and with the first documents that it chooses for each topic. Near duplicates
    are looked for among the topics' pooled documents whose texts are there.

    Args:
        strategy: a name in the registry of pooling strategies, or of those for pairs where the question is about pairs.
        ties: the order of documents with equal scores, by document id: descending, as when scoring, or ascending.
        tags: the runs to draw on, by tag or pattern (`bm25-*`); None for all of the open round that contribute.
        viewing: the order in which an assessor sees a topic's pairs; it holds for the pairs of earlier pools too,
            so None leaves it as it is: that of the newest pool, "shuffle" for the first one.
        viewing_seed: what the shuffled viewing order depends on, besides the assessor; None as for `viewing`, at
            first 0.
        residual: whether the pairs judged before the open round are taken out of the rankings first.
        much_larger: whether it may make the campaign's pools much larger; an adaptive pool grows only later.
        parameters: those of the strategy: how many documents of each ranking go into the pool, `depth=20`.

    Raises:
        CampaignError: there is no run to pool, the seed has more than 64 bits, the strategy uses texts that the
            campaign does not hold (see `ask_for_texts`), or it draws by a seed that another order used up.
        MuchLarger: the pool would make those before it much larger, and may not.
        NotThere: a tag is unknown, or that of a withdrawn run that is none of the order the pool goes on in.
        UnknownName: a strategy or order that does not exist, or a parameter that the strategy does not have, needs,
            or does not take with this value.
    """
    if is_of_pairs(campaign):
        return _add_pairs(campaign, strategy, viewing, viewing_seed, parameters)
    with campaign.write():
        asked = asked_for(campaign, strategy, ties, tags, residual, parameters)
        made = store_pool(
            campaign, asked, viewing=viewing, viewing_seed=viewing_seed, much_larger=much_larger
        )
    return begin_judging(campaign, made, now=campaign.moment, on_topic=on_topic)


def _add_pairs(
    campaign: Campaign,
    strategy: str,
    viewing: str | None,
    viewing_seed: int | None,
    parameters: Mapping[str, Any],
) -> MadePool:
    """A pool of a question about pairs with the first pairs that its strategy chooses; of all runs in force."""
    checked = PAIRINGS.find(strategy).check(parameters)
    order, seed = _viewing(campaign, viewing, viewing_seed)
    followed = followed_seed(campaign, checked)
    seed = seed if followed is None else followed
    record = pools.PoolRecord(strategy, checked, "descending", (), order, seed, question=campaign.question)
    refuse_none(campaign, record)
    with campaign.write():
        made = pools.put_pool(campaign, record, [])
    chosen = [each for each in choose_next(campaign, now=campaign.moment) if each.pool == made.pool]
    number = sum(len(each.pairs) for each in chosen)
    return MadePool(made._replace(chosen=number), number, len(chosen))


class Asked(NamedTuple):
    """A requested pool: strategy, record with checked parameters, and runs as in `add_pool`."""

    strategy: Strategy
    record: pools.PoolRecord
    tags: Sequence[str] | None

    @property
    def needed(self) -> Needs:
        """What it needs of the rankings."""
        return needs(self.record.strategy, self.record.ties, self.record.parameters)


def asked_for(
    campaign: Campaign,
    strategy: str,
    ties: str,
    tags: Sequence[str] | None,
    residual: bool,
    parameters: Mapping[str, Any],
) -> Asked:
    """A pool by the arguments of `add_pool`, with its errors about them; residual is before the open round."""
    if campaign.question and about(campaign) == DOCUMENTS:
        message = (
            f"{campaign.question} is asked about pooled documents as they come, and has no pools of its own"
        )
        raise CampaignError(message)
    if is_of_pairs(campaign):
        raise CampaignError(
            f"{campaign.question} compares pairs, which are chosen by {listed(list(PAIRINGS))}"
        )
    found = STRATEGIES.find(strategy)
    plugin = str(STRATEGIES.plugin_of(strategy) or "")
    record = pools.PoolRecord(strategy, found.check(parameters), ties, (), "", 0, plugin=plugin)
    if residual and found.listed is not None:
        message = f"{found.name} pools the pairs that are named, so none are taken out; leave residual out"
        raise CampaignError(message)
    only = rounds.all_rounds(campaign)[-1].name if residual else None
    return Asked(found, record._replace(residual=only, question=campaign.question), tags)


def store_pool(
    campaign: Campaign,
    asked: Asked,
    *,
    viewing: str | None = None,
    viewing_seed: int | None = None,
    much_larger: bool = True,
) -> MadePool:
    """Pool runs inside the open write transaction, before `begin_judging`; arguments and errors as `add_pool`."""
    viewing, seed = _viewing(campaign, viewing, viewing_seed)
    strategy, parameters = asked.strategy, asked.record.parameters
    # A plan that was looked at has read them: `make_pool` puts equal scores into the order of ties.
    drawn, vocabularies = drawn_on(campaign, asked, "descending"), runs.vocabularies(campaign)
    topic_ids = drawn.stored.topic_ids
    chosen = make_pool(drawn.rankings, strategy=strategy.name, ties=asked.record.ties, **parameters)
    of_runs = [Pooled._make(row) for row in named_rows(chosen, topic_ids, vocabularies)]
    others = pairs_without_runs(strategy, parameters, (pair[:2] for pair in of_runs), topic_ids)
    if others and campaign.question:
        topic_id, document_id, *_ = others[0]
        raise CampaignError(
            f"no answer to topic {topic_id} has {document_id!r}; pool the units of answers alone"
        )
    named = sorted([*of_runs, *others])
    known, by_old_ids = set(pools.all_pairs(campaign)), known_by_old_ids(campaign)
    pairs = [pair for pair in named if pair[:2] not in known and pair[:2] not in by_old_ids]
    growth = Growth(len(known), len(pairs))
    if growth.is_much_larger and not much_larger:
        raise MuchLarger(growth)
    documents.put_ids(campaign, sorted({pair.document_id for pair in pairs}))
    if strategy.kind == "adaptive":  # whatever it may choose needs its text by then
        reached = _reached(campaign, drawn, asked, vocabularies)
        refuse_without_texts(campaign, strategy, reached)
        documents.put_ids(campaign, sorted(reached))
    record = asked.record._replace(runs=drawn.tags, viewing=viewing, seed=seed)
    if why := why_refused(campaign, record):
        raise CampaignError(why)
    stored = pools.put_pool(campaign, record, pairs)
    questions.put_due(campaign)
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


def ask_for_texts(
    campaign: Campaign,
    *,
    strategy: str,
    ties: str = "descending",
    tags: Sequence[str] | None = None,
    residual: bool = False,
    **parameters: Any,
) -> None:
    """Before a pool whose strategy uses texts: note that those of its candidates are wanted.

    Arguments and errors as in `add_pool`; also CampaignError where too few of the texts are in the campaign or in its
    recorded sources.
    """
    with campaign.write():
        asked = asked_for(campaign, strategy, ties, tags, residual, parameters)
        drawn = drawn_on(campaign, asked, ties)
        reached = _reached(campaign, drawn, asked, runs.vocabularies(campaign))
        refuse_without_texts(campaign, asked.strategy, reached, recorded=True)
        documents.put_ids(campaign, sorted(reached))


class Drawn(NamedTuple):
    """What a pool draws on: the rankings of all runs in force, the places of its own, and what keeps them in memory."""

    planner: Planner
    stored: StoredRankings
    indices: list[int]

    @property
    def rankings(self) -> Rankings:
        """Those of its runs."""
        return self.stored.rankings.of_runs(self.indices)

    @property
    def tags(self) -> tuple[str, ...]:
        """The names of its runs."""
        return tuple(self.stored.runs[index].record.tag for index in self.indices)

    def reached(self, asked: Asked, vocabularies: Mapping[str, Sequence[str]]) -> set[str]:
        """The ids of all candidates."""
        ordered = TIES.find(asked.record.ties)(self.rankings)
        depth = asked.strategy.deepest(asked.record.parameters, runs.LARGEST_DEPTH)
        pairs = candidates(ordered.to_depth(depth))
        found: set[str] = set()
        for topic in np.unique(pairs.topic).tolist():
            vocabulary = vocabularies[self.stored.topic_ids[topic]]
            found.update(vocabulary[number] for number in pairs.document[pairs.topic == topic].tolist())
        return found


def _reached(
    campaign: Campaign, drawn: Drawn, asked: Asked, vocabularies: Mapping[str, Sequence[str]]
) -> set[str]:
    """The ids of all candidates, inside the open write transaction; units of answers have their texts from now on."""
    found = drawn.reached(asked, vocabularies)
    if campaign.question:
        named = ((topic_id, each) for topic_id, ids in vocabularies.items() for each in ids if each in found)
        pooled_units.put_texts(campaign, named)
    return found


def drawn_on(campaign: Campaign, asked: Asked, ties: str) -> Drawn:
    """The rankings a pool draws on, ties ordered by `ties`, without pairs judged before the round taken out."""
    record, strategy = asked.record, asked.strategy
    planner, tags = _planner_for(campaign, record, asked.tags)
    stored = planner.rankings(campaign, ties, asked.needed, record.residual)
    indices = _run_indices(campaign, stored.runs, tags, needed=strategy.listed is None)
    drawn = Drawn(planner, stored, indices)
    if strategy.uses_scores and (lacking := runs_without_scores(drawn.rankings)):
        names = listed([stored.runs[run].record.tag for run in lacking])
        raise CampaignError(
            f"{strategy.name} needs the scores of the runs, and {names} {'has' if len(lacking) == 1 else 'have'} equal "
            "scores throughout; name the other runs (--runs TAG,...), or choose rrf or borda, which need ranks"
        )
    return drawn


def _planner_for(
    campaign: Campaign, asked: pools.PoolRecord, tags: Sequence[str] | None
) -> tuple[Planner, Sequence[str] | None]:
    """What has the rankings that a pool draws on, and the runs to draw on.

    A pool that goes on in a random order draws on all runs of the order, those withdrawn since included: without them
    it would be another order, by chances of which judgments have told something.
    """
    for order in pools.in_force(campaign) if asked.strategy == SEQUENTIAL else ():
        drawn = order.record.runs
        out = set(drawn) - {run.record.tag for run in runs.in_force(campaign)}
        if out and same_order(order.record, asked._replace(runs=drawn)):
            there = runs.in_force(campaign, also=drawn)
            chosen = {there[at].record.tag for at in _run_indices(campaign, there, tags, needed=False)}
            if chosen | out == set(drawn):
                return Planner(also=out), drawn
    return planner_of(campaign), tags


def _viewing(campaign: Campaign, viewing: str | None, seed: int | None) -> tuple[str, int]:
    """The viewing order and seed that were asked for, checked, or those in force."""
    made = pools.in_force(campaign)
    before = (made[-1].record.viewing, made[-1].record.seed) if made else ("shuffle", 0)
    viewing = before[0] if viewing is None else viewing
    seed = before[1] if seed is None else seed
    ORDERS.find(viewing)
    if abs(seed) > LARGEST_INTEGER:
        raise CampaignError(f"seed is {seed}; it must be at most {LARGEST_INTEGER}")
    return viewing, seed


def named_runs(text: str) -> list[str] | None:
    """The tags or patterns in a text, separated by commas or line ends; None, for the usual runs, when it is blank."""
    tags = [tag for tag in map(str.strip, text.replace("\n", ",").split(",")) if tag]
    return tags if text.strip() else None


def _run_indices(
    campaign: Campaign, in_force: Sequence[runs.StoredRun], tags: Sequence[str] | None, *, needed: bool
) -> list[int]:
    """The places of the runs that a pool draws on among those in force; arguments and errors as in `add_pool`.

    None is not `needed` where the strategy names pairs that no run has.
    """
    if tags is None:
        return _contributing(campaign, in_force, needed)
    if not tags:
        message = "no run was chosen; name at least one, or none of them to pool all that contribute"
        raise CampaignError(message)
    index_of = {run.record.tag: index for index, run in enumerate(in_force)}
    # The run of that tag, or else all that match a pattern such as `bm25-*`.
    found = {
        tag: [index_of[tag]]
        if tag in index_of
        else [index for other, index in index_of.items() if fnmatchcase(other, tag)]
        for tag in tags
    }
    if unknown := [tag for tag, indices in found.items() if not indices]:
        out = {run.record.tag for run in runs.all_runs(campaign)}.intersection(unknown)
        if out:
            raise NotThere(f"{listed(sorted(out))}: withdrawn, so no pool draws on it before it is restored")
        raise NotThere(none_such("run", unknown, list(index_of), of=campaign.name, shown=25))
    return sorted({index for indices in found.values() for index in indices})


def _contributing(campaign: Campaign, in_force: Sequence[runs.StoredRun], needed: bool) -> list[int]:
    """The places of the open round's runs that contribute; CampaignError where one is needed and there is none."""
    at = rounds.all_rounds(campaign)[-1]
    found = [index for index, run in enumerate(in_force) if run.record.contributes and at.has(run)]
    if found or not needed:
        return found
    name = campaign.command_name
    where = why = way_out = ""
    if at.opened:
        where, way_out = f" in round {at.name}", ", or name runs of earlier rounds"
    elif in_force:
        why, way_out = " by default", ", or name those that do not contribute: --runs TAG,..."
    if not in_force and runs.all_runs(campaign):
        why, way_out = (
            " (all are withdrawn)",
            f", or restore one: workbench task withdraw {name} RUN --restore",
        )
    message = f"there are no runs to pool{where}{why}; add some: workbench add runs {name} FILE...{way_out}"
    raise CampaignError(message)


def named_rows(
    pairs: PoolPairs, topic_ids: Sequence[str], vocabularies: Mapping[str, Sequence[str]]
) -> Iterator[tuple[Any, ...]]:
    """The pairs with their ids instead of numbers, as plain tuples with the columns of Pooled, in the same order."""
    topics, numbers, *rest = (column.tolist() for column in pairs)
    named = [topic_ids[topic] for topic in topics]
    documents = [vocabularies[topic_id][number] for topic_id, number in zip(named, numbers, strict=True)]
    return zip(named, documents, *rest, strict=True)
