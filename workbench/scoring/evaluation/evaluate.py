"""Runs times judgments, with the reference program's flags: which documents are seen, which topics count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from workbench.core.errors import UnknownName
from workbench.core.ranking import Labels, starts_of
from workbench.formats.text.parse_mode import ParseMode
from workbench.methods.measures import (
    BoundMeasure,
    JudgedRankings,
    mean_over_topics,
    over_topics,
    sum_over_topics,
)
from workbench.methods.measures.judged import FloatArray
from workbench.methods.measures.means import logarithms
from workbench.methods.measures.registry import AnyRankings
from workbench.methods.measures.subtopics import SubtopicRankings
from workbench.scoring.evaluation.selection import DEFAULT_PROFILE, Profile, RequestedOutput

if TYPE_CHECKING:
    from workbench.formats.zscores import Zscores
    from workbench.scoring.evaluation.joining import Joined

WithGrades = TypeVar("WithGrades", JudgedRankings, SubtopicRankings)

MISSING_ZSCORE = -1000000.0
"""What stands where no mean is known, or where all runs had the same value and this one has another."""


class Options(NamedTuple):
    """How files are read and scored: the reference program's version and flags.

    Attributes:
        complete: -c, every judged topic counts, whether or not a run has it.
        depth: -M, how many documents of each ranking are looked at; None for all.
        judged_only: -J, documents without a grade from 0 on are taken out, after the cut at `depth`.
        zscores: -Z, what is usual; values become distances from it in standard deviations.
        own_documents: whether a document counts that is the topic itself; no flag of the reference program.
        encoding: what the files are in; '' for UTF-8.
        lenient: whether numbers are read as the reference program reads them.
        profile: the version of the reference program that is followed.
    """

    complete: bool = False
    depth: int | None = None
    judged_only: bool = False
    zscores: Zscores | None = None
    own_documents: bool = True
    encoding: str = ""
    lenient: bool = False
    profile: Profile = DEFAULT_PROFILE

    @property
    def parse_mode(self) -> ParseMode:
        """How the lines of files are taken."""
        return ParseMode(self.profile.comments, self.lenient, self.encoding, self.own_documents)


class Scores(NamedTuple):
    """One measure of every run: `by_topic` is float64 (topics, runs), `overall` float64 (runs,)."""

    requested: RequestedOutput
    by_topic: FloatArray
    overall: FloatArray


@dataclass(frozen=True, eq=False)
class Evaluation:
    """Scores of runs, and what is needed to print them.

    Attributes:
        topic_ids: the judged topics, T of them, in byte order.
        tags: the runs, R of them.
        requested: everything to print, in its order; words such as `runid` have no scores.
        scores: by what was asked for.
        counted: bool (T, R), the topics that count for each run.
        listed: bool (T, R), the topics that have lines of their own.
        emptied: bool (T, R), the rankings that count and that -J or -M left without a document.
        judged: the rankings that were scored; row `topic * R + run`.
        has_zscores: whether scores are distances from what is usual.
    """

    topic_ids: Sequence[str]
    tags: Sequence[str]
    requested: tuple[RequestedOutput, ...]
    scores: dict[RequestedOutput, Scores]
    counted: NDArray[np.bool_]
    listed: NDArray[np.bool_]
    emptied: NDArray[np.bool_]
    judged: JudgedRankings
    has_zscores: bool = False


def evaluate(
    joined: Joined,
    requested: Sequence[RequestedOutput],
    options: Options = Options(),  # noqa: B008  (immutable)
) -> Evaluation:
    """The scores of all runs, for everything that was asked for.

    Raises:
        UnknownName: a measure of subtopics, where there are no judgments of subtopics; or one of a sample, where the
            judgments are none, or one that does not allow it, or -J takes out what it needs.
    """
    profile = options.profile
    counted = np.ones_like(joined.present) if options.complete else joined.present
    # A judged topic that a run lacks adds 0 in the versions that do not score it as an empty ranking.
    unscored = counted & ~joined.present & (not profile.empty_rankings)
    judged = _seen(joined.judged, options)
    subtopics = None if joined.subtopics is None else _seen(joined.subtopics, options)
    sample = joined.sample
    if sample is not None and options.judged_only:
        message = "measures of a sample need to know what was not drawn, but -J takes it out; leave out -J"
        raise UnknownName(message)
    if sample is not None and options.depth is not None:
        sample = sample.to_depth(options.depth)
    scores = {}
    for each in requested:
        if each.measure is not None:
            other = subtopics if each.by_subtopic else sample if each.of_sample else None
            fitting = judged if other is None else other
            by_topic = _by_topic(each, each.measure, fitting, joined, options.zscores)
            if each.family is not None and not each.measure.is_count and unscored.any():
                by_topic = np.where(unscored, 0.0, by_topic)
            overall = _overall(
                each.measure, by_topic, counted, joined.judged.labels, options.zscores is not None
            )
            scores[each] = Scores(each, by_topic, overall)
    listed = counted if profile.empty_rankings else joined.present
    takes_all = options.judged_only or options.depth == 0
    return Evaluation(
        joined.topic_ids,
        joined.tags,
        tuple(requested),
        scores,
        counted,
        listed,
        # For a topic that a run lacks version 10 puts one unjudged document in its place, which -J and -M0 take out.
        listed & (judged.num_ret == 0).reshape(joined.present.shape) & takes_all,
        judged,
        options.zscores is not None,
    )


def over_common_topics(evaluation: Evaluation, scores: Scores) -> FloatArray:
    """The value of each run over the topics that count for all runs, float64 (R,): what can be compared.

    nan where no topic does, and for what is no measure.
    """
    measure, common = scores.requested.measure, evaluation.counted.all(axis=1, keepdims=True)
    if measure is None or not common.any():
        return np.full(len(evaluation.tags), np.nan)
    counted = np.broadcast_to(common, evaluation.counted.shape)
    return _overall(measure, scores.by_topic, counted, evaluation.judged.labels, evaluation.has_zscores)


def side_by_side(parts: Sequence[Evaluation], tags: Sequence[str]) -> Evaluation:
    """Evaluations of different runs by the same judgments and measures as one, in their order, under these names."""
    first = parts[0]
    if len(parts) == 1:
        return replace(first, tags=tags)
    columns = zip(*(part.scores.values() for part in parts), strict=True)
    scores = {
        requested: Scores(
            requested,
            np.hstack([each.by_topic for each in of_measure]),
            np.concatenate([each.overall for each in of_measure]),
        )
        for requested, of_measure in zip(first.scores, columns, strict=True)
    }
    grids = (np.hstack([getattr(part, name) for part in parts]) for name in ("counted", "listed", "emptied"))
    counted, listed, emptied = grids
    return Evaluation(
        first.topic_ids,
        tags,
        first.requested,
        scores,
        counted,
        listed,
        emptied,
        _rankings_of([part.judged for part in parts], len(first.topic_ids)),
        first.has_zscores,
    )


def _rankings_of(parts: Sequence[JudgedRankings], topics: int) -> JudgedRankings:
    """Rankings of different runs by the same labels: row `topic * R + run`, with the runs of all parts."""
    rows: list[list[NDArray[np.int16]]] = [[] for _ in range(topics)]
    for judged in parts:
        starts = judged.row_start.tolist()
        for topic, start, end in zip(judged.topic.tolist(), starts[:-1], starts[1:], strict=True):
            rows[topic].append(judged.label[start:end])
    cells = [cell for of_topic in rows for cell in of_topic]
    topic = np.repeat(np.arange(topics, dtype=np.int32), len(cells) // topics)
    starts_in_all = starts_of(np.array([len(cell) for cell in cells], np.int64))
    return JudgedRankings(starts_in_all, topic, np.concatenate(cells), parts[0].labels)


def _seen(judged: WithGrades, options: Options) -> WithGrades:
    if options.depth is not None:
        judged = judged.to_depth(options.depth)
    return judged.condensed if options.judged_only else judged


def _by_topic(
    requested: RequestedOutput,
    measure: BoundMeasure,
    judged: AnyRankings,
    joined: Joined,
    zscores: Zscores | None,
) -> FloatArray:
    values = measure.or_nan(judged, joined.present.size).reshape(joined.present.shape)
    if zscores is None or measure.name == "NumQ":
        return values
    if measure.modifier("mean") == "geometric":
        values = logarithms(values, measure.modifier("floor"))
    return _distances(values, requested.name, joined.topic_ids, zscores)


def _overall(
    measure: BoundMeasure, by_topic: FloatArray, counted: NDArray[np.bool_], labels: Labels, has_zscores: bool
) -> FloatArray:
    if not has_zscores:
        return over_topics(measure, by_topic, labels, counted)
    if measure.is_count:
        return sum_over_topics(by_topic, counted)
    means = mean_over_topics(by_topic, counted)
    return np.exp(means) if measure.modifier("mean") == "geometric" else means


def _distances(values: FloatArray, name: str, topic_ids: Sequence[str], zscores: Zscores) -> FloatArray:
    """How many standard deviations each value lies above the mean that is usual for its topic."""
    distances = np.full_like(values, MISSING_ZSCORE)
    for topic, topic_id in enumerate(topic_ids):
        usual = zscores.get((topic_id, name))
        if usual is None:
            continue
        if usual.deviation:
            distances[topic] = (values[topic] - usual.mean) / usual.deviation
        else:
            distances[topic, values[topic] == usual.mean] = 0.0
    return distances
