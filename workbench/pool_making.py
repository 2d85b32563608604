"""Making pools: a strategy chooses pairs from the runs' rankings; the campaign keeps those that are new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from fnmatch import fnmatchcase
from typing import NamedTuple

import numpy as np

from workbench.campaign import Campaign, documents, pools, runs
from workbench.campaign.log import LARGEST_INTEGER
from workbench.campaign.rankings import StoredRankings, load_rankings
from workbench.errors import CampaignError, NotThere
from workbench.ingest.naming import listed
from workbench.near_duplicates import OnTopic, find_near_duplicates
from workbench.pooling import ORDERS, PoolPairs, make_pool, size_by_depth
from workbench.pooling.registry import lookup
from workbench.ranking import Rankings
from workbench.records import Pooled

OTHER_DEPTHS = (1, 5, 10, 20, 50, 100)


class PoolPlan(NamedTuple):
    """What a pool holds: its pairs per topic, how many in all, how many of them the campaign has already, the
    totals for other depths, and the tags of the runs it draws on.
    """

    by_topic: dict[str, int]
    total: int
    pooled_already: int
    by_depth: dict[int, int]
    tags: tuple[str, ...]


class MadePool(NamedTuple):
    """A pool as it is stored, and what it holds."""

    pool: pools.StoredPool
    plan: PoolPlan


def plan_pool(
    campaign: Campaign,
    *,
    depth: int,
    strategy: str = "depth",
    ties: str = "descending",
    tags: Sequence[str] | None = None,
) -> PoolPlan:
    """What a pool would hold, without making it; see `add_pool` for the arguments and errors."""
    with campaign.snapshot():
        chosen = _choose(campaign, depth, strategy, ties, tags)
        known = {pair.pooled[:2] for pair in pools.pooled_pairs(campaign)}
        return _plan(chosen, depth, known)


def add_pool(
    campaign: Campaign,
    *,
    depth: int,
    strategy: str = "depth",
    ties: str = "descending",
    tags: Sequence[str] | None = None,
    viewing: str | None = None,
    seed: int | None = None,
    actor: str,
    now: datetime | None = None,
    on_topic: OnTopic | None = None,
) -> MadePool:
    """Pool runs; pairs that are pooled already stay with the pool that brought them in.

    Near duplicates are looked for among the topics' pooled documents whose texts are there.

    Args:
        campaign: an open campaign with runs.
        depth: how many documents of each ranking go into the pool.
        strategy: a name in the registry of pooling strategies.
        ties: the order of documents with equal scores, by document id: descending, as when scoring, or ascending.
        tags: the runs to draw on, by tag or pattern (`bm25-*`); None for all that contribute.
        viewing: the order in which an assessor sees a topic's pairs; it holds for the pairs of earlier pools too,
            so None leaves it as it is: that of the newest pool, "shuffle" for the first one.
        seed: what the shuffled viewing order depends on, besides the assessor; None as for `viewing`, at first 0.
        actor: who makes the pool, for the log.
        now: the time to record.
        on_topic: called as near duplicates are looked for in each topic.

    Raises:
        CampaignError: there is no run to pool, the depth is below 1, or the seed has more than 64 bits.
        NotThere: a tag is unknown, or that of a withdrawn run.
        UnknownName: a strategy or order that does not exist.
    """
    with campaign.write():
        viewing, seed = _viewing(campaign, viewing, seed)
        chosen = _choose(campaign, depth, strategy, ties, tags)
        known = {pair.pooled[:2] for pair in pools.pooled_pairs(campaign)}
        pairs = [pair for pair in chosen.named if pair[:2] not in known]
        documents.put_ids(campaign, sorted({pair.document_id for pair in pairs}))
        record = pools.PoolRecord(strategy, {"depth": depth}, ties, chosen.tags, viewing, seed)
        stored = pools.put_pool(campaign, record, pairs, actor=actor, now=now)
        plan = _plan(chosen, depth, known)
    find_near_duplicates(campaign, on_topic=on_topic)
    return MadePool(stored, plan)


def _viewing(campaign: Campaign, viewing: str | None, seed: int | None) -> tuple[str, int]:
    """The viewing order and seed that were asked for, checked, or those in force."""
    made = pools.all_pools(campaign)
    before = (made[-1].record.viewing, made[-1].record.seed) if made else ("shuffle", 0)
    viewing = before[0] if viewing is None else viewing
    seed = before[1] if seed is None else seed
    lookup("viewing order", viewing, ORDERS)
    if abs(seed) > LARGEST_INTEGER:
        message = f"seed is {seed}; it must be at most {LARGEST_INTEGER}"
        raise CampaignError(message)
    return viewing, seed


class _Chosen(NamedTuple):
    """The pairs of a pool by name and as numbers, the same pooled deeper, and where they come from."""

    named: list[Pooled]
    pairs: PoolPairs
    rankings: Rankings
    deeper: PoolPairs
    stored: StoredRankings
    tags: tuple[str, ...]


def _choose(campaign: Campaign, depth: int, strategy: str, ties: str, tags: Sequence[str] | None) -> _Chosen:
    check_depth(depth)
    stored = load_rankings(campaign, with_scores=True)
    indices = run_indices(campaign, stored.runs, tags)
    rankings = stored.rankings.of_runs(indices)
    deepest = _capped(max(depth, *OTHER_DEPTHS), rankings)
    pairs = make_pool(rankings, strategy=strategy, ties=ties, depth=depth)
    return _Chosen(
        named=name_pairs(pairs, stored.topic_ids, runs.vocabularies(campaign)),
        pairs=pairs,
        rankings=rankings,
        deeper=make_pool(rankings, strategy="depth", ties=ties, depth=deepest),
        stored=stored,
        tags=tuple(stored.runs[index].record.tag for index in indices),
    )


def _capped(depth: int, rankings: Rankings) -> int:
    """A depth, or the length of the longest ranking, below which there is nothing more to pool."""
    return min(depth, int(rankings.lengths.max(initial=1)))


def check_depth(depth: int) -> None:
    """CampaignError for a depth below 1."""
    if depth < 1:
        message = f"depth is {depth}; it must be at least 1"
        raise CampaignError(message)


def run_indices(
    campaign: Campaign, in_force: Sequence[runs.StoredRun], tags: Sequence[str] | None
) -> list[int]:
    """The places of the runs that a pool draws on among those in force; arguments and errors as in `add_pool`."""
    index_of = {run.record.tag: index for index, run in enumerate(in_force)}
    if tags is None:
        contributing = [index for index, run in enumerate(in_force) if run.record.contributes]
        if not contributing:
            message = (
                f"{campaign.name} has no runs to pool; add some: workbench add runs {campaign.path} FILE..."
            )
            raise CampaignError(message)
        return contributing
    found = {tag: _matching(tag, index_of) for tag in tags}
    unknown = [tag for tag, indices in found.items() if not indices]
    if not tags:
        message = "no run was chosen; name at least one, or none of them to pool all that contribute"
        raise CampaignError(message)
    if unknown:
        raise NotThere(_why_not(campaign, unknown, list(index_of)))
    return sorted({index for indices in found.values() for index in indices})


def _why_not(campaign: Campaign, unknown: Sequence[str], known: list[str]) -> str:
    """Why no run in force is called so: perhaps because it was withdrawn."""
    out = {run.record.tag for run in runs.all_runs(campaign)}.intersection(unknown)
    if out:
        return f"{listed(sorted(out))}: withdrawn, so no pool draws on it before it is restored"
    return f"no run is called {listed(unknown)}; the runs are {listed(known, 25)}"


def _matching(tag: str, index_of: dict[str, int]) -> list[int]:
    """The run of that tag, or else all that a pattern such as `bm25-*` stands for."""
    if tag in index_of:
        return [index_of[tag]]
    return [index for other, index in index_of.items() if fnmatchcase(other, tag)]


def name_pairs(
    pairs: PoolPairs, topic_ids: Sequence[str], vocabularies: Mapping[str, Sequence[str]]
) -> list[Pooled]:
    """The pairs with their ids instead of numbers, in byte order of topic and document."""
    rows = zip(*(column.tolist() for column in pairs), strict=True)
    return sorted(
        Pooled(topic_ids[topic], vocabularies[topic_ids[topic]][document], *rest)
        for topic, document, *rest in rows
    )


def _plan(chosen: _Chosen, depth: int, known: set[tuple[str, str]]) -> PoolPlan:
    topic_ids = chosen.stored.topic_ids
    counts = np.bincount(chosen.pairs.topic, minlength=len(topic_ids)).tolist()
    by_topic = {topic_id: count for topic_id, count in zip(topic_ids, counts, strict=True) if count}
    depths = sorted({depth, *OTHER_DEPTHS})
    capped = [_capped(depth, chosen.rankings) for depth in depths]
    sizes = size_by_depth(chosen.deeper, capped, n_topics=len(topic_ids)).sizes.sum(axis=0).tolist()
    return PoolPlan(
        by_topic=by_topic,
        total=sum(counts),
        pooled_already=sum(pair[:2] in known for pair in chosen.named),
        by_depth=dict(zip(depths, sizes, strict=True)),
        tags=chosen.tags,
    )
