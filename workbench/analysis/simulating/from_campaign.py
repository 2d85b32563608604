"""A collection to simulate on from a campaign's judgments so far."""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from workbench.analysis.simulating.collection import Collection, only, pooled_collection
from workbench.campaign.pools.texts import TextTables, refuse_without_texts
from workbench.core.errors import CampaignError
from workbench.core.ranking import UNJUDGED, IntArray, Labels, Names, Rankings, starts_of
from workbench.methods.pooling import Strategy
from workbench.scoring.board.loading import Scoring, load_scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection.rankings import load_rankings


class FromCampaign(NamedTuple):
    """A collection, the smallest relevant grade of the campaign, and the row of the log that it is as of."""

    collection: Collection
    relevant_from: int
    seq: int


def collection_from_campaign(campaign: Campaign, depth: int) -> FromCampaign:
    """The runs of all rounds that contribute to pools, and the campaign's labels as they are now.

    The candidates are the first `depth` documents of each ranking, those of them alone that are pooled or judged: the
    rankings close up where others stand. Topics without a judgment are left out.

    Raises:
        CampaignError: no run contributes, nothing is judged, or no run has a pooled document of a judged topic.
    """
    with campaign.snapshot():
        scoring = load_scoring(campaign)
        stored = load_rankings(campaign, with_scores=True, with_names=True)
    indices = [index for index, run in enumerate(stored.runs) if run.record.contributes]
    topics = np.flatnonzero(scoring.num_judged > 0)
    if not len(topics):
        message = (
            f"nothing is judged in {campaign.name} yet; simulate on an old collection: "
            "workbench simulate QRELS RUN..."
        )
        raise CampaignError(message)
    if not indices:
        message = (
            f"{campaign.name} has no runs that contribute to pools; add some: "
            f"workbench add runs {campaign.command_name} FILE..."
        )
        raise CampaignError(message)
    labels = _labels(scoring, topics)
    rankings = _renumbered(stored.rankings, np.array(indices, np.int64), topics)
    source = only(rankings.to_depth(depth), labels, labels.label > UNJUDGED)
    found = pooled_collection(rankings, source, labels, len(indices), depth)
    if not found.pooled:
        message = f"no run has a pooled or judged document among its first {depth} of a topic that is judged"
        raise CampaignError(message)
    return FromCampaign(found, scoring.relevant_from, scoring.head.seq)


def with_texts(campaign: Campaign, collection: Collection, strategy: Strategy) -> Collection:
    """The collection with the texts of its campaign where a strategy goes by them; they are read when it is replayed.

    Raises:
        CampaignError: too few of the candidates have a text.
    """
    if not strategy.uses_texts:
        return collection
    document_ids = sorted({each for table in collection.tables for each in table.document_id})
    refuse_without_texts(campaign, strategy, document_ids)
    texts = TextTables()
    return collection._replace(with_texts=lambda table: texts.with_texts(campaign, table, document_ids, ()))


def _labels(scoring: Scoring, topics: IntArray) -> Labels:
    """The labels of some topics alone."""
    parts = [scoring.labels.of_topic(topic).label for topic in topics.tolist()]
    return Labels(starts_of(np.array([len(part) for part in parts], np.int64)), np.concatenate(parts))


def _renumbered(rankings: Rankings, runs: IntArray, topics: IntArray) -> Rankings:
    """The rankings of these runs and topics, which then count from 0."""
    rows = np.flatnonzero(np.isin(rankings.run, runs) & np.isin(rankings.topic, topics))
    found, names = rankings.select(rows), rankings.names
    if names is not None:
        names = Names(
            [names.topic_ids[topic] for topic in topics.tolist()],
            names.document_ids,
            [names.tags[run] for run in runs.tolist()],
        )
    return replace(
        found,
        run=np.searchsorted(runs, found.run).astype(np.int32),
        topic=np.searchsorted(topics, found.topic).astype(np.int32),
        names=names,
    )
