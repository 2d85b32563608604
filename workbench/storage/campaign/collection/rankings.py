"""The packed rankings of a campaign as one set of arrays; DamagedCampaign where they are not those that were added."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from workbench.core.ranking import IntArray, Names, Rankings, starts_of
from workbench.storage.campaign.collection import runs, topic_withdrawals, topics
from workbench.storage.campaign.collection.ranking_blobs import unpack_documents, unpack_scores
from workbench.storage.campaign.collection.runs import StoredRun
from workbench.storage.campaign.file.connection import Campaign
from workbench.storage.campaign.log.erasable import id_of


class StoredRankings(NamedTuple):
    """The rankings of all runs that take part.

    `rankings.run` counts through `runs`, `rankings.topic` through `topic_ids` (all topics that the campaign had, in
    byte order), and document numbers are those of the topics' vocabularies.
    """

    rankings: Rankings
    runs: list[StoredRun]
    topic_ids: list[str]


class _Outline(NamedTuple):
    """What is known of R rankings before they are read; `run`, `topic` and `length` have shape (R,)."""

    runs: list[StoredRun]
    topic_ids: list[str]
    run: NDArray[np.int32]
    topic: NDArray[np.int32]
    length: IntArray


def load_rankings(
    campaign: Campaign,
    *,
    with_scores: bool = False,
    with_names: bool = False,
    judge: str = "",
    also: Collection[str] = (),
) -> StoredRankings:
    """The rankings of the runs that took part, run by run in the order they were added; those of topics
    that were withdrawn then are left out. `also` are tags of withdrawn runs that are wanted nevertheless; names have
    the newest labels of a `judge`.
    """
    with campaign.snapshot():
        taking_part = _taking_part(campaign)
        outline = _outline(campaign, rows_of=taking_part, also=also)
        row_start = starts_of(outline.length)
        document, score = np.empty(row_start[-1], np.uint32), None
        _put(
            document,
            row_start[:-1],
            map(unpack_documents, runs.packed_documents(campaign, only=taking_part, also=also)),
        )
        if with_scores:
            score = np.empty(row_start[-1], np.float64)
            packed = runs.packed_scores(campaign, taking_part, also)
            _put(score, row_start[:-1], map(unpack_scores, packed))
        names = _names(campaign, outline, judge) if with_names else None
    rankings = Rankings(row_start, document, outline.run, outline.topic, score, names)
    return StoredRankings(rankings, outline.runs, outline.topic_ids)


def load_beginnings(
    campaign: Campaign, depth: int, *, with_names: bool = False, judge: str = "", also: Collection[str] = ()
) -> StoredRankings:
    """The first `depth` documents of the same rankings, without scores."""
    with campaign.snapshot():
        taking_part = _taking_part(campaign)
        outline = _outline(campaign, rows_of=taking_part, also=also)
        row_start = starts_of(np.minimum(outline.length, min(depth, runs.LARGEST_DEPTH)))
        document = np.empty(row_start[-1], np.uint32)
        _put(
            document,
            row_start[:-1],
            map(unpack_documents, runs.packed_documents(campaign, depth, taking_part, also)),
        )
        names = _names(campaign, outline, judge) if with_names else None
    rankings = Rankings(row_start, document, outline.run, outline.topic, names=names)
    return StoredRankings(rankings, outline.runs, outline.topic_ids)


def first_documents(campaign: Campaign, depth: int) -> tuple[StoredRankings, list[tuple[str, list[str]]]]:
    """The same beginnings, and of each row its topic and its documents by rank."""
    stored, names = load_beginnings(campaign, depth), runs.vocabularies(campaign)
    start, numbers = stored.rankings.row_start.tolist(), stored.rankings.document.tolist()
    topics = [stored.topic_ids[topic] for topic in stored.rankings.topic.tolist()]
    return stored, [
        (topic, [names[topic][number] for number in numbers[start[row] : start[row + 1]]])
        for row, topic in enumerate(topics)
    ]


def load_grid(campaign: Campaign, *, only: Sequence[str] | None = None) -> StoredRankings:
    """The same rankings without scores as a grid: row `topic * runs + run`, empty where the run lacks the topic.

    `only` are the topics that are wanted, in byte order; None for all.

    Each ranking is read into its place, so that this takes hardly more memory than the result: four bytes for
    each document.
    """
    with campaign.snapshot():
        outline = _outline(campaign, only)
        n_topics, n_runs = len(outline.topic_ids), len(outline.runs)
        cell = outline.topic.astype(np.int64) * n_runs + outline.run
        length = np.zeros(n_topics * n_runs, np.int64)
        length[cell] = outline.length
        row_start = starts_of(length)
        document = np.empty(row_start[-1], np.uint32)
        packed = runs.packed_documents(campaign, only=only)
        _put(document, row_start[cell], map(unpack_documents, packed))
    run = np.tile(np.arange(n_runs, dtype=np.int32), n_topics)
    topic = np.repeat(np.arange(n_topics, dtype=np.int32), n_runs)
    return StoredRankings(Rankings(row_start, document, run, topic), outline.runs, outline.topic_ids)


def _taking_part(campaign: Campaign) -> list[str] | None:
    """The topics that pools may draw on, without those that were withdrawn; None where none was."""
    out = topic_withdrawals.withdrawn(campaign)
    return [topic_id for topic_id in topics.topic_ids(campaign) if topic_id not in out] if out else None


def _outline(
    campaign: Campaign,
    only: Sequence[str] | None = None,
    *,
    rows_of: Sequence[str] | None = None,
    also: Collection[str] = (),
) -> _Outline:
    """Of these topics alone when they are named; `rows_of` are those whose rankings are read, if not all."""
    runs.require_rankings(campaign)
    stored = runs.in_force(campaign, also)
    topic_ids = topics.topic_ids(campaign) if only is None else list(only)
    run_index = {run.run: index for index, run in enumerate(stored)}
    topic_index = {topic_id: index for index, topic_id in enumerate(topic_ids)}
    rows = runs.ranking_lengths(campaign, only if rows_of is None else rows_of, also)
    return _Outline(
        stored,
        topic_ids,
        np.array([run_index[run] for run, _, _ in rows], np.int32),
        np.array([topic_index[topic_id] for _, topic_id, _ in rows], np.int32),
        np.array([length for _, _, length in rows], np.int64),
    )


def _names(campaign: Campaign, outline: _Outline, judge: str) -> Names:
    """Vocabularies only ever grow, so those of today name the numbers of any time; with the labels of a judge."""
    tags = [run.record.tag for run in outline.runs]
    teams = [run.record.team for run in outline.runs]
    grades = _labels_of(campaign, judge) if judge else None
    return Names(outline.topic_ids, runs.vocabularies(campaign), tags, teams, grades)


def _labels_of(campaign: Campaign, judge: str) -> dict[str, dict[str, int]]:
    """The newest label of a judge for each pair, now or as of a row of the log, by topic and document."""
    found: dict[str, dict[str, int]] = {}
    rows = campaign.execute(
        """SELECT topic, document, grade, max(seq) FROM judgment INDEXED BY judgment_model
        WHERE kind = 'model' AND assessor = ? AND seq <= ? GROUP BY topic, document""",
        [id_of(campaign, judge), campaign.up_to],
    )
    for topic_id, document_id, grade, _ in rows:
        if grade is not None:
            found.setdefault(topic_id, {})[document_id] = grade
    return found


def _put(
    whole: NDArray[np.uint32] | NDArray[np.float64],
    starts: IntArray,
    parts: Iterable[NDArray[np.uint32] | NDArray[np.float64]],
) -> None:
    """Copy each part to its place in the whole."""
    for start, part in zip(starts.tolist(), parts, strict=True):
        whole[start : start + len(part)] = part
