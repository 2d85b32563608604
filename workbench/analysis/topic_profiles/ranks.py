"""A topic's rankings as a map: a row for each run, and at each rank the grade of the document there."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np

from workbench.analysis.run_profiles.table import scores_of, scoring_of
from workbench.analysis.topic_profiles.table import MEASURE
from workbench.core.errors import UnknownName
from workbench.core.ranking import POOLED
from workbench.core.wording import none_such
from workbench.methods.measures import BoundMeasure
from workbench.scoring.board import Scoring
from workbench.scoring.board.order import best_first
from workbench.storage.campaign import Campaign

MAP_DEPTH = 100
"""The default number of ranks."""


class Stretch(NamedTuple):
    """Ranks `first` to `last` of a run, whose documents all have one grade; None is unjudged."""

    tag: str
    first: int
    last: int
    grade: int | None


class RankMap(NamedTuple):
    """The first `depth` ranks of every run that has the topic, the best run first.

    `scores` has each run's value of the measure, in that order; it is empty while nothing of the topic is judged, and
    the runs then are in the order they were added.
    """

    topic_id: str
    depth: int
    measure: BoundMeasure
    tags: tuple[str, ...]
    scores: dict[str, float]
    stretches: tuple[Stretch, ...]


def rank_map(
    campaign: Campaign,
    topic_id: str,
    *,
    depth: int = MAP_DEPTH,
    measure: str = MEASURE,
) -> RankMap:
    """The map now (from the live board), or as of a row of the log; UnknownName for a topic or measure that is not."""
    scoring = scoring_of(campaign)
    topic = topic_number(scoring, topic_id, campaign.name)
    found = scores_of(campaign, measure)
    scores: dict[str, float] = {}
    if topic_id in found.topic_ids:
        values = found.values[found.topic_ids.index(topic_id)]
        scores = dict(zip(found.tags, values.tolist(), strict=True))
    stretches = stretches_of(scoring, topic, depth)
    with_it = list(dict.fromkeys(one.tag for one in stretches))
    tags = [with_it[run] for run in best_first(found.measure, [scores.get(tag, 0.0) for tag in with_it])]
    shown = {tag: scores[tag] for tag in tags if tag in scores}
    return RankMap(topic_id, depth, found.measure, tuple(tags), shown, tuple(stretches))


def stretches_of(scoring: Scoring, topic: int, depth: int) -> list[Stretch]:
    """Neighbouring ranks of one grade as one stretch, run by run in the order they were added."""
    judged = scoring.judged(topic, topic + 1)
    found = []
    for run, tag in enumerate(scoring.tags):
        start = int(judged.row_start[run])
        labels = judged.label[start : min(int(judged.row_start[run + 1]), start + depth)]
        labels = np.maximum(labels, POOLED)  # pooled or not: it is not judged
        edges = np.flatnonzero(np.diff(labels)) + 1
        bounds = [0, *edges.tolist(), len(labels)] if len(labels) else []
        for first, last in pairwise(bounds):
            label = int(labels[first])
            found.append(Stretch(tag, first + 1, last, None if label <= POOLED else label))
    return found


def topic_number(scoring: Scoring, topic_id: str, name: str) -> int:
    """The topic's place among all; UnknownName when the campaign has no such topic."""
    if topic_id not in scoring.topic_ids:
        raise UnknownName(none_such("topic", topic_id, scoring.topic_ids, of=name))
    return scoring.topic_ids.index(topic_id)
