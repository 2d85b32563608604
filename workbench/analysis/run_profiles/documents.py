"""The documents of one run for one topic, with what is known of them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.core.ranking import IntArray
from workbench.scoring.board import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, pools, runs
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents, unpack_scores
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.grades.labels import grades_of_topic

PAGE = 50


class RankedDocument(NamedTuple):
    """A document of a ranking: its rank from 1, id, title ("" where the campaign has no text) and score; its grade in
    force, whether it is pooled, and how many other runs that take part have it for the topic, at any rank.
    """

    rank: int
    document_id: str
    title: str
    score: float
    grade: int | None
    pooled: bool
    others: int


class RankedPage(NamedTuple):
    """Some ranks of a ranking: which `page` of how many `pages`, how long the ranking is, and how many of all its
    documents are judged and relevant.
    """

    topic_id: str
    page: int
    pages: int
    length: int
    judged: int
    relevant: int
    documents: tuple[RankedDocument, ...]


def ranked_page(
    campaign: Campaign, scoring: Scoring, run: StoredRun, topic_id: str, page: int = 1
) -> RankedPage:
    """A page of a run's ranking for a topic; the nearest one when there is no such page. Empty without a ranking."""
    numbers, scores = _ranking(campaign, run, topic_id)
    vocabulary = runs.vocabulary(campaign, topic_id)
    ids = [vocabulary[number] for number in numbers.tolist()]
    grades = grades_of_topic(campaign, topic_id)
    found = [grades[document_id] for document_id in ids if document_id in grades]
    pages = max(1, -(-len(ids) // PAGE))
    page = min(max(1, page), pages)
    places = range((page - 1) * PAGE, min(page * PAGE, len(ids)))
    shown = [ids[place] for place in places]
    titles, pooled = documents.titles(campaign, shown), set(pools.pooled_of_topic(campaign, topic_id))
    others = _others(scoring, run, topic_id, numbers[places.start : places.stop]).tolist()
    rows = tuple(
        RankedDocument(
            place + 1, one, titles.get(one, ""), scores[place], grades.get(one), one in pooled, count
        )
        for place, one, count in zip(places, shown, others, strict=True)
    )
    relevant = sum(grade >= scoring.relevant_from for grade in found)
    return RankedPage(topic_id, page, pages, len(ids), len(found), relevant, rows)


def document_at(campaign: Campaign, run: StoredRun, topic_id: str, rank: int) -> str | None:
    """The document at a rank, from 1, of a run's ranking for a topic; None where there is none."""
    numbers, _ = _ranking(campaign, run, topic_id)
    if not 1 <= rank <= len(numbers):
        return None
    return runs.vocabulary(campaign, topic_id)[int(numbers[rank - 1])]


def _ranking(campaign: Campaign, run: StoredRun, topic_id: str) -> tuple[IntArray, list[float]]:
    """The numbers of a run's documents for a topic in rank order, and their scores."""
    for ranking in runs.packed_rankings(campaign, run=run.run, topic_id=topic_id):
        return unpack_documents(ranking.documents).astype(np.int64), unpack_scores(ranking.scores).tolist()
    return np.zeros(0, np.int64), []


def _others(scoring: Scoring, run: StoredRun, topic_id: str, numbers: IntArray) -> IntArray:
    """How many other runs have each of these documents, int64 of the same shape."""
    if topic_id not in scoring.topic_ids or not len(numbers):
        return np.zeros(len(numbers), np.int64)
    first = scoring.topic_ids.index(topic_id) * len(scoring.runs)
    rows = scoring.rankings.rows_between(first, first + len(scoring.runs))
    counts = np.bincount(rows.document, minlength=int(numbers.max()) + 1)[numbers]
    return counts - int(run.withdrawn is None)
