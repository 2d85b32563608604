"""Qrels with subtopics or a sample and runs, from their files as tables to labels and what else their measures need."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from workbench.core.ranking import POOLED, Packed, Rankings, order_run, pack_rankings, starts_of
from workbench.methods.measures.sampled_rankings import (
    OUTSIDE,
    SampledRankings,
    SampleLabels,
    sample_of_strata,
)
from workbench.methods.measures.subtopics import SubtopicLabels, SubtopicRankings
from workbench.scoring.evaluation.at_once import File
from workbench.scoring.evaluation.evaluate import Options
from workbench.scoring.evaluation.joining import Joined, join
from workbench.scoring.evaluation.labelling import LabelledFiles, NamedRun, names_of
from workbench.scoring.evaluation.reading import QrelsLines, read_evaluation
from workbench.scoring.evaluation.selection import Judgments, Profile

if TYPE_CHECKING:
    from polars import DataFrame


def packed_grid(
    judged: DataFrame, runs: Sequence[DataFrame], *, single_precision: bool = False
) -> tuple[Packed, Rankings]:
    """Put runs in the one order, and number the documents of runs and judgments together.

    Args:
        judged: columns topic_id and document_id (String), each pair of ids once; T topics.
        runs: S runs, as for `workbench.scoring.evaluation.joining.join`; lines of topics without judgments are left
            out.
        single_precision: whether scores are compared as 32-bit floats.

    Returns:
        The numbering, and T * S rows, the topics in byte order: row topic * S + run, empty where the run lacks the
        topic.
    """
    import polars as pl

    topics = judged.select("topic_id").unique()
    score = pl.col("score").cast(pl.Float32) if single_precision else pl.col("score")
    known = [frame.with_columns(score).join(topics, on="topic_id", how="semi") for frame in runs]
    packed = pack_rankings([order_run(frame) for frame in known], judged)
    return packed, packed.rankings.as_grid(len(packed.topic_ids), len(runs))


def join_sample(
    qrels: DataFrame, runs: Sequence[DataFrame], *, single_precision: bool = False
) -> SampledRankings:
    """Put runs in the one order and find the candidates of the sample in them.

    `qrels` have the columns topic_id, document_id (String), grade (integer of two bytes), and either stratum (String),
    where what was not drawn has a grade below 0, or probability (Float64); each pair of ids once. Runs and rows are as
    for `packed_grid`.
    """
    packed, grid = packed_grid(qrels, runs, single_precision=single_precision)
    labels = _of_strata(packed, qrels) if "stratum" in qrels.columns else _of_probabilities(packed, qrels)
    return SampledRankings.join(grid, labels)


def _of_strata(packed: Packed, qrels: DataFrame) -> SampleLabels:
    import polars as pl

    number = (pl.col("stratum").rank("dense").over("topic_id") - 1).cast(pl.Int64)
    stratum = _cells(packed, qrels.with_columns(number)).select(pl.col("stratum").fill_null(OUTSIDE))
    grade = np.where(packed.labels.label < 0, POOLED, packed.labels.label).astype(np.int16)
    return sample_of_strata(packed.labels.topic_start, stratum["stratum"].to_numpy(), grade)


def _of_probabilities(packed: Packed, qrels: DataFrame) -> SampleLabels:
    chance = _cells(packed, qrels)["probability"].fill_null(0.0).to_numpy()
    drawn = chance > 0
    stratum = np.where(drawn, 0, OUTSIDE)
    labels = packed.labels
    return SampleLabels(labels.topic_start, stratum, labels.label, chance, drawn, has_strata=False)


def _cells(packed: Packed, qrels: DataFrame) -> DataFrame:
    """The lines of the qrels by cell, with null where a cell has none."""
    return packed.pairs.join(qrels, on=["topic_id", "document_id"], how="left", maintain_order="left")


def join_subtopics(
    qrels: DataFrame, runs: Sequence[DataFrame], *, single_precision: bool = False
) -> SubtopicRankings:
    """Put runs in the one order and find the judged documents in them.

    `qrels` have the columns topic_id, subtopic_id, document_id (String), grade (integer of two bytes), each triple of
    ids once. Runs and rows are as for `packed_grid`.
    """
    pairs = qrels.unique(["topic_id", "document_id"])
    packed, grid = packed_grid(pairs, runs, single_precision=single_precision)
    return SubtopicRankings.join(grid, _labels(packed, qrels))


def _labels(packed: Packed, qrels: DataFrame) -> SubtopicLabels:
    import polars as pl

    ids = ["topic_id", "subtopic_id"]
    subtopics = qrels.select(ids).unique().sort(ids).with_row_index("subtopic")
    lines = (
        qrels.join(packed.pairs.with_row_index("cell"), on=["topic_id", "document_id"])
        .join(subtopics, on=ids)
        .sort("cell", "subtopic")
    )
    # Every topic has a judgment, so that none is missing between the others.
    sizes = subtopics["topic_id"].rle().struct.field("len").to_numpy()
    return SubtopicLabels(
        packed.labels.topic_start,
        starts_of(sizes),
        lines["cell"].to_numpy().astype(np.int64),
        lines["subtopic"].to_numpy().astype(np.int64),
        lines["grade"].cast(pl.Int16).to_numpy(),
    )


def tabulated_files(
    qrels: File, runs: Sequence[File], options: Options, judgments: Judgments
) -> LabelledFiles:
    """Read, check and join them; arguments and errors as in `read_evaluation`."""
    files = read_evaluation(qrels, runs, options.parse_mode, judgments)
    named = tuple(NamedRun(run.file, run.tag, run.frame["topic_id"][0]) for run in files.runs)
    highest = int(files.qrels.frame["grade"].to_numpy().max())
    odd = (*files.qrels.warnings, *(problem for run in files.runs for problem in run.warnings))
    frames = {name: run.frame for name, run in zip(names_of(files.runs), files.runs, strict=True)}
    joined = join_all(files.qrels, frames, options.profile)
    return LabelledFiles(files.qrels.file, highest, named, joined, odd)


def join_all(qrels: QrelsLines, runs: Mapping[str, DataFrame], profile: Profile) -> Joined:
    """Runs by their names joined with grades, and with judgments of subtopics or a sample where there are any."""
    frames, single = list(runs.values()), profile.single_precision
    joined = join(qrels.frame, frames, list(runs), single_precision=single)
    if qrels.sample is not None:
        return replace(joined, sample=join_sample(qrels.sample, frames, single_precision=single))
    if qrels.subtopics is None:
        return joined
    return replace(joined, subtopics=join_subtopics(qrels.subtopics, frames, single_precision=single))
