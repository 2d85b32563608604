"""Labels of a campaign's pairs as arrays: of relevance, and of further questions about the same documents or answers.

All number the documents of rankings alike, so that the same rankings are joined with any of them. Units of answers have
numbers of their own by each question.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import count
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.about import DOCUMENTS, PAIRS, SPANS
from workbench.core.ranking import POOLED, UNJUDGED, IntArray, Labels, starts_of
from workbench.core.records import LABEL, Question
from workbench.jobs.observing import observed
from workbench.methods.measures.answer_rankings import BESIDE, Answers
from workbench.methods.measures.question_rankings import QUESTIONS
from workbench.scoring.board.sample_design import named_documents
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import pools, runs
from workbench.storage.campaign.collection.changed_ids import Table, id_tables, under_new_ids
from workbench.storage.campaign.collection.question_topics import about, key_of
from workbench.storage.campaign.collection.rounds import ALL, RESIDUAL
from workbench.storage.campaign.grades.labels import grades_by_topic
from workbench.storage.campaign.organising import settings

Numbers = Mapping[str, Mapping[str, int]]
"""Topic id -> document id -> number within the topic."""


def labels_of(
    campaign: Campaign,
    topic_ids: Sequence[str],
    sizes: IntArray,
    known: Numbers | None = None,
    changed: Sequence[Table] = (),
) -> tuple[Labels, dict[str, dict[str, int]]]:
    """Labels of all topics, and the numbers of documents that have one; `sizes` grow by those that no run has.

    Numbers are those of the topics' vocabularies unless they are `known`; `changed` are tables of new ids.
    """
    grades: dict[int, NDArray[np.int16]] = {}
    numbers: dict[str, dict[str, int]] = {}
    grades_of, named = grades_by_topic(campaign), named_documents(campaign)
    for topic, topic_id in observed(list(enumerate(topic_ids)), "Reading judgments"):
        pooled = dict.fromkeys(pools.pooled_of_topic(campaign, topic_id), POOLED)
        labels = under_new_ids(changed, pooled | grades_of(topic_id))
        if documents := dict.fromkeys([*labels, *sorted(named.get(topic_id, ()))]):
            grades[topic] = np.array(list(labels.values()), np.int16)
            number_of = {each: number for number, each in enumerate(runs.vocabulary(campaign, topic_id))}
            number_of |= (known or {}).get(topic_id, {})
            new = count(1 + max(number_of.values(), default=-1))  # of those that no run has
            number_of |= {each: next(new) for each in documents if each not in number_of}
            numbers[topic_id] = {each: number_of[each] for each in documents}
            sizes[topic] = max(sizes[topic], 1 + max(numbers[topic_id].values()))
    whole = Labels(starts_of(sizes), np.full(int(sizes.sum()), UNJUDGED, np.int16))
    for topic, values in grades.items():
        labelled = list(numbers[topic_ids[topic]].values())[: len(values)]
        whole.of_topic(topic).label[labelled] = values
    return whole, numbers


class QuestionLabels(NamedTuple):
    """A question with the labels that its answers are; topics may have more cells than by relevance.

    `answers` are the units of a question about BESIDE, in rows as the rankings have them; None where it is about
    documents.
    """

    question: Question
    labels: Labels
    answers: Answers | None = None

    def of_rows(self, rows: IntArray) -> QuestionLabels:
        """The same with the answers of these rows."""
        return self._replace(answers=self.answers and self.answers.of_rows(rows))


def asked_about_documents(campaign: Campaign) -> list[Question]:
    """The questions about documents that a campaign asks, now or as of a row; none where it is seen by one of them."""
    asked = () if campaign.question else settings.read(campaign).questions
    return [each for each in asked if each.about == DOCUMENTS]


def asked_beside(campaign: Campaign) -> list[Question]:
    """The questions that measures may look at beside the one by which a campaign is seen, now or as of a row: about
    documents beside relevance, about BESIDE, with a scale, beside units of which no judgments are taken out.
    """
    if not campaign.question:
        return asked_about_documents(campaign)
    units = None if campaign.part and campaign.part.judged != ALL else BESIDE.get(about(campaign))
    asked = settings.read(campaign.asking("")).questions
    return [each for each in asked if each.about == units and each.answered != LABEL]


def kind_of(campaign: Campaign) -> str:
    """What the measures of a campaign's runs may look at: one of core.about.ABOUT, or QUESTIONS and documents.

    Units are as documents where those judged before a round are taken out: measures of answers are of whole ones.
    No run ranks pairs of things.
    """
    if asked_about_documents(campaign):
        return QUESTIONS
    kind = DOCUMENTS if campaign.part and campaign.part.judged == RESIDUAL else about(campaign)
    return DOCUMENTS if kind in (SPANS, *PAIRS) else kind


def answers_to_questions(
    campaign: Campaign, topic_ids: Sequence[str], labels: Labels, numbers: Numbers
) -> tuple[QuestionLabels, ...]:
    """The answers to each of `asked_about_documents`; labels and numbers are those of relevance."""
    found = []
    for each in asked_about_documents(campaign):
        known = {key_of(topic_id, each.name): numbers.get(topic_id, {}) for topic_id in topic_ids}
        seen, sizes = campaign.asking(each.name), np.diff(labels.topic_start)
        found.append(QuestionLabels(each, labels_of(seen, list(known), sizes, known, id_tables(campaign))[0]))
    return tuple(found)
