"""What each run brought to the pools: the pooled pairs that it had as far down as the pool's strategy looks.

Rankings and pools never change, so neither does this: it is found once for the pools that a campaign has.
What of it is relevant changes with every judgment, and is looked up each time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import UnknownName
from workbench.core.ranking import UNJUDGED, IntArray, Rankings
from workbench.methods.pooling import STRATEGIES, TIES, needs
from workbench.methods.pooling.outlook import cells_of
from workbench.methods.pooling.reach import cell_starts
from workbench.scoring.board import Scoring
from workbench.scoring.board.changed_ids import numbers_now
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import choices, pools, runs, topics
from workbench.storage.campaign.collection.rankings import StoredRankings, load_beginnings, load_rankings
from workbench.storage.campaign.grades.residual import residual
from workbench.storage.campaign.log.cache import Cache


class Contribution(NamedTuple):
    """How many pooled pairs a run had as far down as a pool that drew on it looks (its depth), how many of these no
    other such run had, and how many of those are relevant.
    """

    pooled: int
    unique: int
    unique_relevant: int


class FoundAlone(NamedTuple):
    """A relevant pair that one run alone brought to the pools, and its grade."""

    topic_id: str
    document_id: str
    grade: int


class PoolContribution(NamedTuple):
    """What all runs together brought to the pools.

    Attributes:
        topic_ids: the topics that the numbers below count through.
        pooled: run number -> how many pooled pairs it had as far down as a pool looks.
        topic: int32 (U). The topic of each pair that one run alone had.
        document: uint32 (U). Its number in the topic's vocabulary.
        run: int64 (U). The number of that run.
        not_counted: a sentence on each pool that cannot be made again here, because of its strategy or parameters.
    """

    topic_ids: list[str]
    pooled: dict[int, int]
    topic: NDArray[np.int32]
    document: NDArray[np.uint32]
    run: IntArray
    not_counted: tuple[str, ...] = ()


NOTHING = Contribution(0, 0, 0)


def contributions(campaign: Campaign, scoring: Scoring) -> dict[int, Contribution]:
    """What each run that a pool drew on brought to it, by the run's number; withdrawn runs are among them.

    `scoring` holds the labels of the same place in the log.
    """
    found = brought(campaign)
    is_relevant = _labels_of(campaign, scoring, found) >= scoring.relevant_from
    unique, relevant = Counter(found.run.tolist()), Counter(found.run[is_relevant].tolist())
    return {run: Contribution(count, unique[run], relevant[run]) for run, count in found.pooled.items()}


def found_alone(campaign: Campaign, scoring: Scoring, run: int) -> list[FoundAlone]:
    """The relevant pairs that this run alone brought to the pools, by topic id and document id in byte order."""
    found = brought(campaign)
    labels = _labels_of(campaign, scoring, found)
    places = np.flatnonzero((found.run == run) & (labels >= scoring.relevant_from))
    by_topic: dict[str, list[int]] = {}
    for place in places.tolist():
        by_topic.setdefault(found.topic_ids[found.topic[place]], []).append(place)
    return sorted(
        FoundAlone(topic_id, ids[found.document[place]], int(labels[place]))
        for topic_id, chosen in by_topic.items()
        for ids in [runs.vocabulary(campaign, topic_id)]
        for place in chosen
    )


def brought(campaign: Campaign) -> PoolContribution:
    """What all runs brought to the pools in force; it is cached."""
    made = pools.in_force(campaign)
    if not made:
        return _together([], [], ())
    # The row of the newest pool, or of what an adaptive one chose last, covers all that was added before it.
    chosen = choices.all_choices(campaign)
    last = max(made[-1].seq, chosen[-1].seq if chosen else 0)
    return _brought.now(campaign.at(last), None, lambda: _found(campaign.now, made, chosen))


_brought: Cache[PoolContribution] = Cache(of_one=2, in_all=16)


def _found(
    campaign: Campaign, made: list[pools.StoredPool], chosen: Sequence[choices.Choice]
) -> PoolContribution:
    topic_ids = topics.topic_ids(campaign.at(made[-1].seq))
    entries, not_counted = entries_of_pools(campaign, made, chosen, topic_ids)
    return _together(topic_ids, entries, not_counted)


def entries_of_pools(
    campaign: Campaign,
    made: Sequence[pools.StoredPool],
    chosen: Sequence[choices.Choice],
    topic_ids: Sequence[str],
) -> tuple[list[tuple[IntArray, IntArray]], tuple[str, ...]]:
    """The pairs of each pool: (topic << 32 | document) and the number of a run that had it, once for each run, both
    int64; and a sentence on each pool that cannot be made again here.

    `chosen` is what adaptive pools chose since they were made; topics are counted through `topic_ids`, which has all
    of the pools.
    """
    entries, not_counted = [], []
    for pool in made:
        try:
            own = [choice for choice in chosen if choice.pool == pool.pool]
            entries.append(_entries(campaign, pool, topic_ids, own))
        except UnknownName as error:
            not_counted.append(f"What runs contributed to pool {pool.pool} is not counted: {error}.")
    return entries, tuple(not_counted)


def _together(
    topic_ids: list[str], entries: list[tuple[IntArray, IntArray]], not_counted: tuple[str, ...]
) -> PoolContribution:
    nothing = np.zeros(0, np.int64)
    pair, run = (np.concatenate(column) for column in zip((nothing, nothing), *entries, strict=True))
    if len(entries) > 1:
        pair, run = np.unique(np.stack([pair, run]), axis=1)
    counts = zip(*(column.tolist() for column in np.unique(run, return_counts=True)), strict=True)
    order = np.argsort(pair, kind="stable")
    pair, run = pair[order], run[order]
    begins = np.diff(pair, prepend=-1) != 0
    alone = begins & np.append(begins[1:], True)
    topic, document = pair[alone] >> 32, pair[alone] & 0xFFFFFFFF
    return PoolContribution(
        topic_ids, dict(counts), topic.astype(np.int32), document.astype(np.uint32), run[alone], not_counted
    )


def _entries(
    campaign: Campaign, pool: pools.StoredPool, topic_ids: Sequence[str], chosen: Sequence[choices.Choice]
) -> tuple[IntArray, IntArray]:
    """The pool's pairs (topic << 32 | document) that each run had as far down as it looks, and the run's number;
    `chosen` is what it chose since it was made.

    As of the pool's own row none of its runs was withdrawn. Raises UnknownName as `methods.pooling.make_pool` does.
    """
    strategy = STRATEGIES.find(pool.record.strategy, pool.record.plugin)
    parameters = strategy.check(pool.record.parameters)
    depth = strategy.deepest(parameters, runs.LARGEST_DEPTH)
    stored, rankings = _pooled_rankings(campaign, pool, depth)
    starts = cell_starts(rankings, len(stored.topic_ids))
    pooled = cells_of(strategy.function(rankings, **parameters), starts)
    pooled[_chosen_cells(campaign, chosen, stored.topic_ids, starts)] = True
    rankings = strategy.looks_at(rankings, parameters)
    place = {topic_id: index for index, topic_id in enumerate(topic_ids)}
    topic = np.array([place[topic_id] for topic_id in stored.topic_ids], np.int64)[rankings.topic]
    number = np.array([run.run for run in stored.runs], np.int64)[rankings.run]
    first: IntArray = np.repeat(topic << 32, rankings.lengths)
    pair: IntArray = first + rankings.document.astype(np.int64)
    is_pooled = pooled[np.repeat(starts[rankings.topic], rankings.lengths) + rankings.document]
    return pair[is_pooled], np.repeat(number, rankings.lengths)[is_pooled]


def _chosen_cells(
    campaign: Campaign, chosen: Sequence[choices.Choice], topic_ids: Sequence[str], starts: IntArray
) -> IntArray:
    """The cells of what an adaptive pool chose, int64; documents that its runs do not have are left out."""
    by_topic: dict[str, list[str]] = {}
    for choice in chosen:
        by_topic.setdefault(choice.topic_id, []).extend(document_id for document_id, *_ in choice.pairs)
    place = {topic_id: index for index, topic_id in enumerate(topic_ids)}
    cells: list[int] = []
    for topic_id, document_ids in by_topic.items():
        first, end = starts[place[topic_id] :][:2].tolist()
        number = {each: at for at, each in enumerate(runs.vocabulary(campaign, topic_id)[: end - first])}
        cells += [first + number[each] for each in document_ids if each in number]
    return np.array(cells, np.int64)


def _pooled_rankings(
    campaign: Campaign, pool: pools.StoredPool, depth: int
) -> tuple[StoredRankings, Rankings]:
    """What was stored when a pool was made, and of it the rankings of its runs down to a depth.

    Where scores matter the rankings are whole: what a score is worth depends on those further down. So they are where
    judged pairs were taken out, in whose places others move up.
    """
    record = pool.record
    needed = needs(record.strategy, record.ties, record.parameters)
    if needed.with_scores or record.residual is not None:
        whole = load_rankings(campaign.at(pool.seq), also=record.runs, **needed._asdict())
        stored = residual(campaign.at(pool.seq), whole, record.residual)
        rankings = TIES.find(record.ties)(stored.rankings)
    else:
        at, named = campaign.at(pool.seq), needed.with_names
        stored = load_beginnings(at, depth, with_names=named, judge=needed.judge, also=record.runs)
        rankings = stored.rankings
    drawn_on = [index for index, run in enumerate(stored.runs) if run.record.tag in record.runs]
    return stored, rankings.of_runs(drawn_on)


def _labels_of(campaign: Campaign, scoring: Scoring, found: PoolContribution) -> NDArray[np.int16]:
    """The labels of the pairs that one run alone had; UNJUDGED beyond what has labels, int16 (U)."""
    place = {topic_id: index for index, topic_id in enumerate(scoring.topic_ids)}
    topic = np.array([place[topic_id] for topic_id in found.topic_ids], np.int64)[found.topic]
    start, end = scoring.labels.topic_start[topic], scoring.labels.topic_start[topic + 1]
    document = found.document.astype(np.int64)
    cell = start + numbers_now(campaign, scoring, found.topic_ids, found.topic.astype(np.int64), document)
    labels = np.full(len(cell), UNJUDGED, np.int16)
    labels[cell < end] = scoring.labels.label[cell[cell < end]]
    return labels
