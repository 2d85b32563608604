"""The way out and back: qrels and runs go out as files, are read and joined again, and must say the same.

Some topics at a time, so that however many judgments and rankings there are take no more memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from workbench.core.atomic_files import scratch_folder
from workbench.core.ranking import Packed, order_run, pack_rankings
from workbench.core.records import TopicQrels
from workbench.formats.qrels import read_qrels, write_qrels
from workbench.formats.runs import RankedDocuments, read_runs, run_text
from workbench.release.export import StreamedQrels, rankings_of_topic
from workbench.scoring.board import Scoring, load_scoring
from workbench.scoring.board.table import DEFAULT_MEASURES, choose, wanted
from workbench.storage.campaign import Campaign
from workbench.storage.campaign.collection import runs, topics
from workbench.storage.campaign.collection.runs import StoredRun

if TYPE_CHECKING:
    import polars as pl

AT_A_TIME = 250
"""Rows of two streams are compared together."""

LINES_AT_A_TIME = 98_304
"""Topics are compared together up to about this many lines of runs."""


def same(expected: Iterable[object], *found: Iterable[object]) -> list[bool]:
    """Whether each of the streams `found` gives the same as `expected`, one after the other, and ends with it."""
    streams = [iter(stream) for stream in (expected, *found)]
    agree = [True] * len(found)
    while any(agree):
        first, *others = (list(islice(stream, AT_A_TIME)) for stream in streams)
        agree = [so_far and first == other for so_far, other in zip(agree, others, strict=True)]
        if not first:
            break
    return agree


def differences(campaign: Campaign) -> Iterator[str]:
    """What a campaign and its own files disagree about: the qrels, the scores.

    Raises InputError when what is exported cannot be read again.
    """
    stored = runs.all_runs(campaign)
    qrels_differ = scores_differ = False
    with scratch_folder() as folder:
        for topic_ids, exported in _with_qrels(campaign, list(_topics_at_a_time(campaign))):
            qrels = _qrels_again(exported, folder / "qrels.txt")
            qrels_differ |= not qrels.equals(_as_frame(exported))
            frames = _runs_again(campaign, stored, topic_ids, folder)
            in_force = [order_run(frames[run.run]) for run in runs.in_force(campaign)]
            scores_differ |= not _scores_are_the_same(
                load_scoring(campaign, topic_ids=topic_ids), pack_rankings(in_force, qrels)
            )
    if qrels_differ:
        yield "the qrels differ"
    if scores_differ:
        yield "the scores differ"


def _with_qrels(
    campaign: Campaign, stretches: Sequence[list[str]]
) -> Iterator[tuple[list[str], list[TopicQrels]]]:
    """Stretches of topics with their qrels, special grades too; those of topics that do not exist with the last."""
    by_topic = iter(StreamedQrels(campaign, special=True, as_judged=True))
    following = next(by_topic, None)
    for number, topic_ids in enumerate(stretches, start=1):
        exported: list[TopicQrels] = []
        while following is not None and (following.topic_id <= topic_ids[-1] or number == len(stretches)):
            exported.append(following)
            following = next(by_topic, None)
        yield topic_ids, exported


def _qrels_again(exported: Sequence[TopicQrels], file: Path) -> pl.DataFrame:
    if not exported:
        return _as_frame(exported)
    write_qrels(file, exported)
    return read_qrels(file).frame


def _as_frame(qrels: Sequence[TopicQrels]) -> pl.DataFrame:
    import polars as pl

    types = {"topic_id": pl.String, "document_id": pl.String, "grade": pl.Int64}
    frames = [pl.DataFrame(dict(zip(types, topic, strict=True)), schema=types) for topic in qrels]
    return pl.concat([pl.DataFrame(schema=types), *frames])


def _topics_at_a_time(campaign: Campaign) -> Iterator[list[str]]:
    """All topics in byte order, in stretches of about LINES_AT_A_TIME lines of runs."""
    lengths = runs.lengths_by_topic(campaign)
    batch: list[str] = []
    lines = 0
    for topic_id in topics.topic_ids(campaign):
        if batch and lines + lengths.get(topic_id, 0) > LINES_AT_A_TIME:
            yield batch
            batch, lines = [], 0
        batch.append(topic_id)
        lines += lengths.get(topic_id, 0)
    if batch:
        yield batch


def _scores_are_the_same(scoring: Scoring, packed: Packed) -> bool:
    """Whether topics have the same scores from the campaign and from the files of its runs and qrels."""
    again = replace(
        scoring,
        topic_ids=tuple(packed.topic_ids),
        rankings=packed.rankings.as_grid(len(packed.topic_ids), len(scoring.runs)),
        labels=packed.labels,
    )
    place = {topic_id: number for number, topic_id in enumerate(scoring.topic_ids)}
    there = [place[topic_id] for topic_id in packed.topic_ids]
    return _values_are_the_same(scoring, there, again)


def _values_are_the_same(scoring: Scoring, there: Sequence[int], again: Scoring) -> bool:
    measures = wanted(scoring, choose(DEFAULT_MEASURES, scoring.relevant_from))
    expected, found = scoring.values_of(measures), again.values_of(measures)
    return bool((scoring.num_judged[there] == again.labels.num_judged()).all()) and all(
        np.array_equal(expected[measure][there], found[measure], equal_nan=True) for measure in measures
    )


def _runs_again(
    campaign: Campaign, stored: Sequence[StoredRun], topic_ids: Sequence[str], folder: Path
) -> dict[int, pl.DataFrame]:
    """The lines that each run has for these topics, as they are read again from files: columns as in `order_run`."""
    import polars as pl

    files: dict[int, list[RankedDocuments]] = {run.run: [] for run in stored}
    for topic_id in topic_ids:
        for number, ranking in rankings_of_topic(campaign, topic_id):
            files[number].append(ranking)
    names = {run.run: folder / f"{run.run}.run" for run in stored if files[run.run]}
    for run in stored:
        if run.run in names:
            text = run_text(names[run.run], "", files.pop(run.run), run.record.tag)
            with names[run.run].open("w", encoding="utf-8", newline="") as stream:
                stream.writelines(text)
    read = dict(zip(names, read_runs(list(names.values())), strict=True))
    nothing = pl.DataFrame(schema={"topic_id": pl.String, "document_id": pl.String, "score": pl.Float64})
    return {run.run: read[run.run].frame if run.run in read else nothing for run in stored}
