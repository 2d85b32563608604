"""What runs answer, as a grid beside their rankings of units."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.core.about import DOCUMENTS
from workbench.core.ranking import starts_of
from workbench.methods.measures.answer_rankings import Answers
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import units
from workbench.storage.campaign.collection.question_topics import about
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.collection.units import RunUnits

NOTHING = RunUnits(np.zeros(0, np.uint32), np.zeros(0, np.int32), np.zeros(0, np.bool_), 0, 0)


def answers_of(
    campaign: Campaign, topic_ids: Sequence[str], stored: Sequence[StoredRun], top: int
) -> Answers | None:
    """The answers of these runs to the topics of a question, row `topic * runs + run`; None of documents.

    `top` is the highest grade of the question's scale.
    """
    kind = about(campaign)
    if kind == DOCUMENTS:
        return None
    by_topic = [units.of_topic(campaign, topic_id).by_run for topic_id in topic_ids]
    rows = [by_run.get(run.run, NOTHING) for by_run in by_topic for run in stored]
    number, place, extra, sentences, words = zip(*(rows or [NOTHING]), strict=True)
    return Answers(
        kind,
        top,
        starts_of(np.array([len(row.number) for row in rows], np.int64)),
        np.array(sentences[: len(rows)], np.int64),
        np.array(words[: len(rows)], np.int64),
        *map(np.concatenate, (number, place, extra)),
    )
