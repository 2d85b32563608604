"""One run on every topic, beside the runs that take part; a withdrawn run is scored as if it took part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from workbench.core.errors import NotThere
from workbench.core.ranking import UNJUDGED, FloatArray, IntArray, Labels, Rankings, starts_of
from workbench.core.wording import none_such
from workbench.methods.measures import BoundMeasure, over_topics, parse_measure
from workbench.methods.measures.parameters import ELEVEN_POINTS
from workbench.methods.statistics.arrays import signs_of
from workbench.scoring.board import Scoring, TopicScores
from workbench.scoring.board.past_boards import scoring_of, table_of, topic_scores_of
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents
from workbench.storage.campaign.collection.runs import StoredRun


class TopicLine(NamedTuple):
    """A run's score on one topic, the median and best of the runs that take part, and its place from 1: how many of
    these are better, and one.
    """

    topic_id: str
    score: float
    median: float
    best: float
    place: int


class RunScores(NamedTuple):
    """A run on one measure: its mean over the judged topics, the place that this has among the `runs` that take part
    (None for a withdrawn run), and its judged topics in byte order.
    """

    measure: BoundMeasure
    mean: float
    place: int | None
    runs: int
    topics: tuple[TopicLine, ...]


def run_named(campaign: Campaign, tag: str) -> StoredRun:
    """The run of this tag, withdrawn or not; NotThere when there is none."""
    found = {run.record.tag: run for run in runs.all_runs(campaign)}
    if tag not in found:
        raise NotThere(none_such("run", tag, list(found), of=campaign.name))
    return found[tag]


def run_scores(campaign: Campaign, tag: str, measure: str = "AP") -> RunScores:
    """A run's scores now: the mean has the digits of the leaderboard; arguments and errors as in `topic_lines`."""
    found, lines = topic_lines(campaign, tag, measure)
    run = run_named(campaign, tag)
    if run.withdrawn is not None:
        ((_, mean),) = _scored_alone(campaign, run, [measure])
        return RunScores(found.measure, mean, None, len(found.tags), lines)
    table = table_of(campaign, [measure])
    values = {row.tag: row.values[0] for row in table.rows}
    lowest = table.measures[0].measure.best == "lowest"
    ahead = signs_of(np.array([*values.values()]) - values[tag])
    place = 1 + int((ahead == (-1 if lowest else 1)).sum())
    return RunScores(found.measure, values[tag], place, len(found.tags), lines)


def topic_lines(
    campaign: Campaign, tag: str, measure: str = "AP"
) -> tuple[TopicScores, tuple[TopicLine, ...]]:
    """The scores of all runs that take part on every judged topic, and those of one run, perhaps a withdrawn one.

    Raises:
        NotThere: there is no such run.
        UnknownName: there is no such measure.
    """
    run = run_named(campaign, tag)
    found = topic_scores_of(campaign, measure)
    if run.withdrawn is None:
        return found, _lines(found, found.values[:, found.tags.index(tag)])
    ((own, _),) = _scored_alone(campaign, run, [measure])
    return found, _lines(found, own)


def alone(campaign: Campaign, scoring: Scoring, run: StoredRun) -> Scoring:
    """One run with the same topics and labels, as if no other took part."""
    place = {topic_id: topic for topic, topic_id in enumerate(scoring.topic_ids)}
    documents = [np.zeros(0, np.uint32)] * len(place)
    for ranking in runs.packed_rankings(campaign, run=run.run):
        if ranking.topic_id in place:
            documents[place[ranking.topic_id]] = unpack_documents(ranking.documents)
    rankings = Rankings(
        starts_of(np.array([len(each) for each in documents], np.int64)),
        np.concatenate([np.zeros(0, np.uint32), *documents]),
        np.zeros(len(place), np.int32),
        np.arange(len(place), dtype=np.int32),
    )
    needed = np.array([int(each.max()) + 1 if len(each) else 0 for each in documents], np.int64)
    return replace(scoring, runs=(run,), rankings=rankings, labels=_widened(scoring.labels, needed))


def _widened(labels: Labels, needed: IntArray) -> Labels:
    """The labels with room for at least `needed` documents of each topic, int64 (T)."""
    sizes = np.maximum(np.diff(labels.topic_start), needed)
    whole = Labels(starts_of(sizes), np.full(int(sizes.sum()), UNJUDGED, np.int16))
    for topic in range(len(labels)):
        known = labels.of_topic(topic).label
        whole.of_topic(topic).label[: len(known)] = known
    return whole


def _scored_alone(campaign: Campaign, run: StoredRun, names: Sequence[str]) -> list[tuple[FloatArray, float]]:
    """By each measure a withdrawn run's values on the judged topics, float64 (judged topics,), and their mean."""
    scoring = alone(campaign, scoring_of(campaign), run)
    defaults = {"rel": scoring.relevant_from}
    measures = [scoring.settled(parse_measure(name, defaults=defaults)) for name in names]
    values, found = scoring.values_of(measures), []
    for measure in measures:
        here, own = scoring.topics_for(measure), values[measure]
        found.append((own[here, 0], float(over_topics(measure, own, scoring.labels, here)[0])))
    return found


def _lines(found: TopicScores, own: FloatArray) -> tuple[TopicLine, ...]:
    if not found.tags:
        return tuple(
            TopicLine(topic_id, score, score, score, 1)
            for topic_id, score in zip(found.topic_ids, own.tolist(), strict=True)
        )
    lowest = found.measure.measure.best == "lowest"
    better = signs_of(found.values - own[:, None]) == (-1 if lowest else 1)
    columns = (
        own,
        np.median(found.values, axis=1),
        (np.min if lowest else np.max)(found.values, axis=1),
        1 + better.sum(axis=1),
    )
    return tuple(map(TopicLine, found.topic_ids, *(column.tolist() for column in columns)))


class CurvePoint(NamedTuple):
    """Interpolated precision at one level of recall, mean over the judged topics: the run's, and the median and the
    best of the runs that take part.
    """

    recall: float
    precision: float
    median: float
    best: float


NAMES = tuple(f"IPrec@{level}" for level in ELEVEN_POINTS.shares)


def precision_recall(campaign: Campaign, tag: str) -> list[CurvePoint]:
    """A run's curve at the eleven levels of recall from 0 to 1; arguments and errors as in `topic_lines`.

    At each level the median and the best are taken separately, so that theirs need not be the curve of any run.
    """
    run = run_named(campaign, tag)
    values = {row.tag: row.values for row in table_of(campaign, NAMES).rows}
    if run.withdrawn is None:
        own: Sequence[float] = values[tag]
    else:
        own = [mean for _, mean in _scored_alone(campaign, run, NAMES)]
    every = np.array([*values.values()] or [tuple(own)])
    columns = (own, np.median(every, axis=0).tolist(), every.max(axis=0).tolist())
    return [CurvePoint(*point) for point in zip(ELEVEN_POINTS.shares, *columns, strict=True)]
