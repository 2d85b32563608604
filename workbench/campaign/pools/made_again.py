"""Pools made again from their records, on the runs as they were then."""

from __future__ import annotations

from typing import NamedTuple

from workbench.campaign.pools.listing import pairs_without_runs
from workbench.campaign.pools.making import named_rows
from workbench.core.ranking import Rankings
from workbench.core.records import Pooled
from workbench.methods.pooling import STRATEGIES, TIES, PoolPairs, make_pool, needs
from workbench.methods.pooling.frames import Frame
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs
from workbench.storage.campaign.collection.rankings import load_rankings
from workbench.storage.campaign.grades.residual import residual


class Material(NamedTuple):
    """What a pool was made from: the rankings of its runs, and the topic ids of their numbers."""

    rankings: Rankings
    topic_ids: list[str]


def made_again(campaign: Campaign, pool: pools.StoredPool) -> tuple[PoolPairs, list[str], list[Pooled]]:
    """All pairs of a pool's recipe on the runs of that time, also since withdrawn, and of earlier pools.

    These are pairs that runs have, the topic ids of their numbers, and pairs that no run has.
    """
    record, material = pool.record, material_of(campaign, pool)
    pairs = make_pool(material.rankings, strategy=record.strategy, ties=record.ties, **record.parameters)
    strategy = STRATEGIES.find(record.strategy, record.plugin)
    others: list[Pooled] = []
    if strategy.listed is not None:
        rows = named_rows(pairs, material.topic_ids, runs.vocabularies(campaign))
        parameters = strategy.check(record.parameters)
        others = pairs_without_runs(strategy, parameters, (row[:2] for row in rows), material.topic_ids)
    return pairs, material.topic_ids, others


def frame_of(campaign: Campaign, pool: pools.StoredPool) -> tuple[Frame, list[str]]:
    """The candidates and design of a sampled pool, and the topic ids of their numbers; ValueError for others."""
    record, material = pool.record, material_of(campaign, pool)
    entry = STRATEGIES.find(record.strategy, record.plugin)
    if entry.frame is None:
        raise ValueError(f"{record.strategy} draws no sample")
    frame: Frame = entry.frame(TIES.find(record.ties)(material.rankings), **entry.check(record.parameters))
    return frame, material.topic_ids


def material_of(campaign: Campaign, pool: pools.StoredPool) -> Material:
    """The rankings that a pool was made from, as they were then; those of runs it names that were withdrawn before it,
    since it went on in the order of an earlier pool, are among them.
    """
    record = pool.record
    STRATEGIES.find(record.strategy, record.plugin)
    needed = needs(record.strategy, record.ties, record.parameters)
    stored = load_rankings(campaign.at(pool.seq), also=record.runs, **needed._asdict())
    stored = residual(campaign.at(pool.seq), stored, pool.record.residual)
    chosen = [index for index, run in enumerate(stored.runs) if run.record.tag in pool.record.runs]
    return Material(stored.rankings.of_runs(chosen), stored.topic_ids)
