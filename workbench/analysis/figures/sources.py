"""Where figures of one topic take its rankings from: a campaign, or files of qrels and runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from workbench.analysis.topic_profiles.one_topic import topic_number
from workbench.core.errors import UnknownName
from workbench.core.ranking import UNJUDGED
from workbench.core.wording import listed, none_such
from workbench.methods.measures import JudgedRankings
from workbench.scoring.board.past_boards import scoring_of
from workbench.scoring.evaluation.joining import join
from workbench.scoring.evaluation.labelling import names_of
from workbench.scoring.evaluation.reading import EvaluationFiles
from workbench.storage.campaign import Campaign

if TYPE_CHECKING:
    from polars import DataFrame


class TopicRankings(NamedTuple):
    """The rankings that runs have for a topic.

    Attributes:
        topic_id: the topic.
        rows: the row of each run that has the topic, in the order in which runs were added or named.
        judged: the rankings with their labels.
        lacking: the runs without the topic.
        known: how many documents the runs or the judgments of the topic name.
        relevant_from: the smallest relevant grade.
    """

    topic_id: str
    rows: dict[str, int]
    judged: JudgedRankings
    lacking: frozenset[str]
    known: int
    relevant_from: int

    def row(self, run: str) -> int:
        """The row of a run; UnknownName if it lacks the topic or is none."""
        if run in self.lacking:
            raise UnknownName(f"{run} has no documents for topic {self.topic_id}; leave it out")
        if run not in self.rows:
            raise UnknownName(none_such("run", run, list(self.rows)))
        return self.rows[run]


def rankings_of_topic(source: Campaign | EvaluationFiles, topic_id: str) -> TopicRankings:
    """The rankings of a topic, with the judgments as of now or of a row of the log.

    Raises:
        UnknownName: there is no such topic; of files: it has no judgments.
    """
    if isinstance(source, EvaluationFiles):
        return _from_files(source, topic_id)
    scoring = scoring_of(source)
    number = topic_number(scoring, topic_id, source.name)
    judged = scoring.judged(number, number + 1)
    runs = len(scoring.runs)
    documents = scoring.rankings.rows_between(number * runs, (number + 1) * runs).document
    named = np.union1d(documents, np.flatnonzero(judged.labels.label > UNJUDGED))
    return _found(topic_id, scoring.tags, judged, len(named), scoring.relevant_from)


def _from_files(files: EvaluationFiles, topic_id: str) -> TopicRankings:
    qrels = _of_topic(files.qrels.frame, topic_id)
    if qrels.is_empty():
        topics = files.qrels.frame["topic_id"].unique(maintain_order=True).to_list()
        message = f"topic {topic_id!r} has no judgments in {files.qrels.file}; judged are {listed(topics)}"
        raise UnknownName(message)
    tags = names_of(files.runs)
    frames = {tag: _of_topic(run.frame, topic_id) for tag, run in zip(tags, files.runs, strict=True)}
    present = {tag: frame for tag, frame in frames.items() if not frame.is_empty()}
    judged = join(qrels, list(present.values()), list(present)).judged
    named = {*qrels["document_id"], *(one for frame in present.values() for one in frame["document_id"])}
    found = _found(topic_id, tuple(present), judged, len(named), 1)
    return found._replace(lacking=frozenset(frames.keys() - present.keys()))


def _of_topic(frame: DataFrame, topic_id: str) -> DataFrame:
    import polars as pl

    return frame.filter(pl.col("topic_id") == topic_id)


def _found(
    topic_id: str, tags: Sequence[str], judged: JudgedRankings, known: int, relevant_from: int
) -> TopicRankings:
    has = dict(zip(tags, (judged.num_ret > 0).tolist(), strict=True))
    rows = {tag: row for row, tag in enumerate(tags) if has[tag]}
    lacking = frozenset(tag for tag in tags if not has[tag])
    return TopicRankings(topic_id, rows, judged, lacking, known, relevant_from)
