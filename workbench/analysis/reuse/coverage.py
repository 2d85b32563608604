"""How much of what runs retrieve is judged, and the topics whose relevant documents are not nearly all found."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import POOLED, FloatArray
from workbench.methods.measures import BoundMeasure, parse_measure
from workbench.scoring.board import Scoring
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.grades import rows_over_time
from workbench.storage.campaign.grades.sources import IMPORT, MODEL

CUTOFF = 10
"""The rank down to which judged documents are counted where the measure has no cutoff."""

DENSE = 1 / 3
"""With a larger share of relevant documents among the judged ones, a topic has more than were pooled."""

LAST, LATE, FEWEST = 0.1, 0.1, 10
"""A topic is late when of its last tenth of judgments more than a tenth are relevant; from ten judgments on."""


class Coverage(NamedTuple):
    """Judged@k, the share of judged documents among the first `cutoff` of a ranking.

    Attributes:
        cutoff: k.
        runs: the mean of each run over the judged topics, in the order of the board.
        topics: the mean of each judged topic over the runs.

    Empty rankings are left out of both: a topic that a run lacks has no unjudged documents. So are runs without a
    document for any judged topic.
    """

    cutoff: int
    runs: dict[str, float]
    topics: dict[str, float]


class DenseTopic(NamedTuple):
    """A topic and how many of its judged documents are relevant."""

    topic_id: str
    judged: int
    relevant: int


class LateTopic(NamedTuple):
    """A topic, its last judgments, and how many of these documents are relevant."""

    topic_id: str
    last: int
    relevant: int


def coverage_of(scoring: Scoring, measure: BoundMeasure) -> Coverage:
    """Judged@k to the cutoff of the measure, else to CUTOFF."""
    given = dict(measure.values).get("cutoff")
    cutoff = given if isinstance(given, int) else CUTOFF
    share, here = parse_measure(f"Judged@{cutoff}"), scoring.judged_topics
    values = scoring.values_of([share])[share][here]
    there = (scoring.rankings.lengths.reshape(scoring.shape) > 0)[here]
    ids = [topic_id for topic_id, counts in zip(scoring.topic_ids, here, strict=True) if counts]
    return Coverage(cutoff, _means(scoring.tags, values.T, there.T), _means(ids, values, there))


def _means(names: Sequence[str], values: FloatArray, there: NDArray[np.bool_]) -> dict[str, float]:
    """The mean of each row's values that are there, by its name; without rows that have none."""
    rows = zip(names, values, there, strict=True)
    return {name: float(row[chosen].mean()) for name, row, chosen in rows if chosen.any()}


def dense_topics(scoring: Scoring, rel: int) -> tuple[DenseTopic, ...]:
    """The topics of which more than DENSE of the judged documents are relevant, the densest first.

    Source: E. M. Voorhees, CIKM 2018: the symptom of TREC 2017's Common Core track, in 21 of 50 topics.
    """
    counts = zip(
        scoring.topic_ids, scoring.num_judged.tolist(), scoring.labels.num_rel(rel).tolist(), strict=True
    )
    found = [DenseTopic(*each) for each in counts if each[2] > DENSE * each[1]]
    return tuple(sorted(found, key=lambda one: (-one.relevant / one.judged, one.topic_id)))


def late_topics(campaign: Campaign, scoring: Scoring, rel: int) -> tuple[LateTopic, ...]:
    """The topics that are judged to the end or nearly so, and of whose last judgments too many are relevant.

    A document's place is that of the first judgment of it that was made here; imported ones and labels of models have
    no order. Its grade is the label in force.
    """
    first: dict[str, dict[int, None]] = {}
    for row in rows_over_time.grades_between(campaign, 0, scoring.head.seq):
        numbers = scoring.numbers.get(row.topic_id)  # None of a topic that is withdrawn
        if numbers is not None and row.kind not in (IMPORT, MODEL) and row.grade is not None:
            first.setdefault(row.topic_id, {})[numbers[row.document_id]] = None
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    found = []
    for topic_id, by_document in sorted(first.items()):
        in_order = scoring.labels.of_topic(place[topic_id]).label[list(by_document)]
        grades = in_order[in_order > POOLED].tolist()
        last = grades[-math.ceil(LAST * len(grades)) :]
        relevant = sum(grade >= rel for grade in last)
        if len(grades) >= FEWEST and relevant > LATE * len(last):
            found.append(LateTopic(topic_id, len(last), relevant))
    return tuple(found)
