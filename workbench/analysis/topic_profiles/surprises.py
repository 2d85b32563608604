"""Documents of a topic on which the runs and the assessors disagree."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from workbench.analysis.run_profiles.table import scoring_of
from workbench.analysis.topic_profiles.ranks import MAP_DEPTH, topic_number
from workbench.core.ranking import POOLED, IntArray
from workbench.scoring.board import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import documents, runs

SHOWN = 10
"""The default number of documents of each kind."""


class Surprise(NamedTuple):
    """A judged document: its grade, how many runs have it within the depth, and the best rank there (None: no run)."""

    document_id: str
    title: str
    grade: int
    runs: int
    best_rank: int | None


class Surprises(NamedTuple):
    """Documents that at least half of the runs found and that are not relevant, and relevant ones that fewer found.

    `runs` is how many runs have the topic, `depth` how many of each one's ranks were looked at.
    """

    depth: int
    runs: int
    not_relevant: tuple[Surprise, ...]
    relevant: tuple[Surprise, ...]


def surprises(
    campaign: Campaign,
    topic_id: str,
    *,
    depth: int = MAP_DEPTH,
    most: int = SHOWN,
) -> Surprises:
    """The `most` surprising documents of each kind; UnknownName for a topic that the campaign does not have.

    The not relevant that most runs found come first, then those nearest the top; the relevant that fewest runs found
    come first, then the highest grade.
    """
    scoring = scoring_of(campaign)
    topic = topic_number(scoring, topic_id, campaign.name)
    label = scoring.labels.of_topic(topic).label
    found_by, best, n_runs = _found(scoring, topic, depth, len(label))
    many = (2 * found_by >= n_runs) & (found_by > 0)
    missed = np.flatnonzero((label > POOLED) & (label < scoring.relevant_from) & many)
    missed = missed[np.lexsort((missed, best[missed], -found_by[missed]))][:most]
    hidden = np.flatnonzero((label >= scoring.relevant_from) & ~many)
    hidden = hidden[np.lexsort((hidden, -label[hidden].astype(np.int64), found_by[hidden]))][:most]
    names = _names(campaign, scoring, topic_id, [*missed.tolist(), *hidden.tolist()])
    titles = documents.titles(campaign, list(names.values()))

    def named(number: int) -> Surprise:
        document_id, runs_with_it = names[number], int(found_by[number])
        rank = int(best[number]) if runs_with_it else None
        return Surprise(document_id, titles.get(document_id, ""), int(label[number]), runs_with_it, rank)

    return Surprises(depth, n_runs, tuple(map(named, missed.tolist())), tuple(map(named, hidden.tolist())))


def _found(scoring: Scoring, topic: int, depth: int, size: int) -> tuple[IntArray, IntArray, int]:
    """For each of `size` documents how many runs have it within the depth and its best rank; and the runs' number."""
    n_runs = len(scoring.runs)
    rows = scoring.rankings.rows_between(topic * n_runs, (topic + 1) * n_runs)
    cut = rows.to_depth(depth)
    rank = np.arange(len(cut.document)) - np.repeat(cut.row_start[:-1], cut.lengths) + 1
    best = np.full(size, np.iinfo(np.int64).max)
    np.minimum.at(best, cut.document, rank)
    found_by = np.bincount(cut.document, minlength=size)
    return found_by.astype(np.int64), best, int((rows.lengths > 0).sum())


def _names(campaign: Campaign, scoring: Scoring, topic_id: str, numbers: list[int]) -> dict[int, str]:
    """The ids of these documents; judged documents that no run has are numbered after the topic's vocabulary."""
    known = {number: document_id for document_id, number in scoring.numbers.get(topic_id, {}).items()}
    if not all(number in known for number in numbers):
        known |= dict(enumerate(runs.vocabulary(campaign, topic_id)))
    return {number: known[number] for number in numbers}
