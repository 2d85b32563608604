"""Runs joined with judgments of subtopics, as the same grid of topics and runs that `join` makes of grades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from workbench.core.ranking import Packed, starts_of
from workbench.methods.measures.subtopics import SubtopicLabels, SubtopicRankings
from workbench.scoring.evaluation.packed_grid import packed_grid

if TYPE_CHECKING:
    from polars import DataFrame


def join_subtopics(
    qrels: DataFrame, runs: Sequence[DataFrame], *, single_precision: bool = False
) -> SubtopicRankings:
    """Put runs in the one order and find the judged documents in them.

    Args:
        qrels: columns topic_id, subtopic_id, document_id (String), grade (integer of two bytes), each triple of
            ids once.
        runs: as for `workbench.scoring.evaluation.joining.join`; lines of topics without judgments are left out.
        single_precision: whether scores are compared as 32-bit floats.

    Returns:
        T * S rows for the T topics of the qrels, in byte order, and the S runs: row topic * S + run, empty where
        the run lacks the topic.
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
