"""What runs answer, as a grid beside their rankings of units: by one question, and by those beside it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from workbench.core.about import DOCUMENTS, PAIRS, SPANS
from workbench.core.ranking import starts_of
from workbench.methods.measures.answer_rankings import Answers
from workbench.scoring.board.labelling import QuestionLabels, asked_beside, labels_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import units
from workbench.storage.campaign.collection.question_topics import about, key_of, topic_of
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.collection.unit_records import units_of_run

NOTHING = units_of_run(())


def answers_of(
    campaign: Campaign, topic_ids: Sequence[str], stored: Sequence[StoredRun], top: int
) -> Answers | None:
    """The answers of these runs to the topics of a question, row `topic * runs + run`; None of documents and pairs.

    `top` is the highest grade of the question's scale.
    """
    kind = about(campaign)
    if kind in (DOCUMENTS, SPANS, *PAIRS):
        return None
    by_topic = [units.of_topic(campaign, topic_id).by_run for topic_id in topic_ids]
    rows = [by_run.get(run.run, NOTHING) for by_run in by_topic for run in stored]
    *arrays, sentences, words = zip(*(rows or [NOTHING]), strict=True)
    return Answers(
        kind,
        top,
        starts_of(np.array([len(row.number) for row in rows], np.int64)),
        np.array(sentences[: len(rows)], np.int64),
        np.array(words[: len(rows)], np.int64),
        *map(np.concatenate, arrays),
    )


def answers_beside(
    campaign: Campaign, topic_ids: Sequence[str], stored: Sequence[StoredRun]
) -> tuple[QuestionLabels, ...]:
    """The answers with the labels of their units by each question beside one about units; none beside relevance."""
    found = list[QuestionLabels]()
    for each in asked_beside(campaign) if campaign.question else ():
        seen = campaign.asking(each.name)
        keys = [key_of(topic_of(campaign, topic_id), each.name) for topic_id in topic_ids]
        sizes = np.array([len(units.of_topic(seen, key).units) for key in keys], np.int64)
        labels, top = labels_of(seen, keys, sizes)[0], max((grade.grade for grade in each.grades), default=0)
        found.append(QuestionLabels(each, labels, answers_of(seen, keys, stored, top)))
    return tuple(found)
