"""The packed rankings of a campaign as one set of arrays."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.campaign import runs, topics
from workbench.campaign.connection import Campaign
from workbench.campaign.packed import unpack_documents, unpack_scores
from workbench.campaign.runs import StoredRun
from workbench.ranking import Rankings, starts_of


class StoredRankings(NamedTuple):
    """All rankings of a campaign.

    `rankings.run` counts through `runs`, `rankings.topic` through `topic_ids` (all topics that the campaign had, in
    byte order), and document numbers are those of the topics' vocabularies.
    """

    rankings: Rankings
    runs: list[StoredRun]
    topic_ids: list[str]


def load_rankings(
    campaign: Campaign, *, as_of: int | None = None, with_scores: bool = False
) -> StoredRankings:
    """The rankings of the runs added up to `as_of`, run by run in the order they were added."""
    with campaign.snapshot():
        stored = runs.all_runs(campaign, as_of)
        topic_ids = topics.topic_ids(campaign, as_of)
        packed = runs.packed_rankings(campaign, as_of)
    run_index = {run.run: index for index, run in enumerate(stored)}
    topic_index = {topic_id: index for index, topic_id in enumerate(topic_ids)}
    lengths = np.array([len(row.documents) // 4 for row in packed], np.int64)
    scores = unpack_scores(b"".join(row.scores for row in packed)) if with_scores else None
    rankings = Rankings(
        row_start=starts_of(lengths),
        document=unpack_documents(b"".join(row.documents for row in packed)),
        run=np.array([run_index[row.run] for row in packed], np.int32),
        topic=np.array([topic_index[row.topic_id] for row in packed], np.int32),
        score=scores,
    )
    return StoredRankings(rankings, stored, topic_ids)
